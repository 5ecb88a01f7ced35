"""The state of a game and what follows from it: who is in, who starts, who is tied, who has won.

Nothing that can be worked out is kept: totals, contenders and winners come from the scored rounds each time.
"""

from dataclasses import dataclass, field, replace

from companion.games.tiki.hand import SEVEN, Hand, whole_hand
from companion.games.tiki.options import GOAL, FinalHands, Mode, Options, Ties
from companion.games.tiki.round import Phase, Round, clockwise
from companion.games.tiki.scoring import ScoredRound, totals
from companion.games.tiki.secret import Pack


@dataclass(frozen=True, slots=True)
class State:
    """A game. seats: all who began, clockwise (T05). gone: those who left (T29). mode: of the rounds to come
    (T17).

    history: the rounds that counted, oldest first. pack: T23. current: the running round, None when the game
    is over.
    """

    options: Options
    seats: tuple[int, ...]
    mode: Mode
    gone: tuple[int, ...] = ()
    history: tuple[ScoredRound, ...] = ()
    pack: Pack = field(default_factory=Pack)
    current: Round | None = None

    @property
    def phase(self) -> Phase:
        return self.current.phase if self.current else Phase.OVER

    @property
    def present(self) -> tuple[int, ...]:
        return tuple(player for player in self.seats if player not in self.gone)

    def totals(self) -> dict[int, int]:
        return totals(self.seats, self.history)


def beginning(options: Options) -> State:
    """The first round, started by the one the table names (T05)."""
    return with_round(State(options, options.seats, options.mode), options.seats, options.first, final=0)


def with_round(state: State, players: tuple[int, ...], starter: int, final: int) -> State:
    """The state with a fresh round: whole hands, new secret cards, the line to be lined up (T14, T24)."""
    # T14, T24, T29: hands go by how many began, unless two play a final for which seven cards were chosen.
    hand = whole_hand(len(state.options.players))
    if final and len(players) == 2 and state.options.final_hands is FinalHands.SEVEN:
        hand = SEVEN
    hands = tuple(Hand(player, hand) for player in state.seats if player in players)
    current = Round(starter, hands, state.mode, final, turn=starter)
    return replace(state, current=current, pack=state.pack.deal(len(players)))


def contenders(state: State) -> tuple[int, ...]:
    """Who can be the winner by the rounds scored so far: the best of those present (T16, T29), then, final
    by final, the best of those in it (T24: only the points of the final decide)."""
    best = _best(state.totals(), state.present)
    for scored in state.history:
        if scored.final:
            best = _best(scored.points(), tuple(player for player in best if player in dict(scored.cards)))
    return best


def goal_reached(state: State) -> bool:
    """Whether the rounds of the game have all been played: their number (T15), or 35 points instead (T26)."""
    if state.options.to_35:
        sums = state.totals()
        return any(sums[player] >= GOAL for player in state.present)
    return sum(scored.final == 0 for scored in state.history) >= state.options.rounds


@dataclass(frozen=True, slots=True)
class End:
    """The game is over. reason: "rounds", "35", "final" or "one_left"; several winners share the win."""

    reason: str
    clause: str
    winners: tuple[int, ...]


def end(state: State) -> End | None:
    """The end of the game by the rounds scored so far and those present; None if it goes on."""
    winners = contenders(state)
    finals = sum(scored.final > 0 for scored in state.history)
    if len(state.present) == 1:
        return End("one_left", "T29", winners)
    if not goal_reached(state):
        return None
    if len(winners) > 1 and not (finals and state.options.ties is Ties.SHARE):
        return None
    if finals or (state.current and state.current.final):
        return End("final", "T16", winners)
    return End("35", "T26", winners) if state.options.to_35 else End("rounds", "T15", winners)


def next_round(state: State) -> State:
    """The round after the one scored last, or the same state without a round where the game is over."""
    if end(state):
        return replace(state, current=None)
    last = state.history[-1]
    final = last.final + 1 if goal_reached(state) else 0
    players = contenders(state) if final else state.present
    # T14: the one to the left of the last starter; T25: the first tied one there.
    return with_round(state, players, clockwise(state.seats, last.starter, players), final)


def again(state: State, current: Round) -> State:
    """The same round anew after it was abandoned (T29): same starter, new line, new cards, no points."""
    return with_round(state, current.players, opener(state, current), current.final)


def opener(state: State, current: Round) -> int:
    """Who plays first when a round is begun anew: its starter, or who sits to the left of one gone (T29)."""
    if current.starter in current.players:
        return current.starter
    return clockwise(state.seats, current.starter, current.players)


def places(state: State) -> dict[int, int | None]:
    """Place of each player, 1 the best; None for one who left, who cannot win (T29).

    In a final, and once the game is over after one, those who lost it share the place behind the winners;
    the places of the others stay (T24).
    """
    sums, best = state.totals(), contenders(state)
    tied = _best(sums, state.present)
    out: dict[int, int | None] = dict.fromkeys(state.seats)
    for player in state.present:
        if player in best:
            out[player] = 1
        elif player in tied:
            out[player] = 1 + len(best)
        else:
            out[player] = 1 + sum(sums[other] > sums[player] for other in state.present)
    return out


def _best(sums: dict[int, int], players: tuple[int, ...]) -> tuple[int, ...]:
    top = max((sums[player] for player in players), default=0)
    return tuple(player for player in players if sums[player] == top)
