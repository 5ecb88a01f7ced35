"""Rounds and scoring A: deal, winner, who deals next, best of n (Y02-Y04, Y17, Y18, Y26, Y41, Y46)."""

from hashlib import sha256

from companion.games.yikerz import piles, questions
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Stage
from companion.games.yikerz.settings import Settings
from companion.games.yikerz.state import RoundResult, State


def deal(settings: Settings, players: int) -> tuple[tuple[int, ...], int]:
    """Equal piles and what is left over for the bag (Y02), or the fixed deal of the settings."""
    if settings.piles:
        return settings.piles, settings.bag
    each, over = divmod(settings.stones, players)
    return (each,) * players, over


def drawn_dealer(settings: Settings, players: int) -> int:
    """The seat that the page draws for the first round (Y26): by the seed of the settings alone."""
    digest = sha256(f"dealer {settings.seed}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % players


def loser(state: State) -> int:
    """The seat that deals next (Y04): most stones left, if equal the first clockwise from the winner.

    An abandoned round is dealt again by the same dealer (Y46).
    """
    result = state.rounds[-1]
    if result.winner is None:
        return result.dealer
    count = len(state.players)
    clockwise = [(result.winner + step) % count for step in range(1, count)]
    if state.settings.loser == "before_winner":
        return clockwise[-1]
    return max(clockwise, key=lambda seat: result.left[seat])


def begin(h: Hearing, dealer: int) -> None:
    """Deal; the dealer places first (Y03). The caller starts the turn."""
    dealt, bag = deal(h.state.settings, len(h.state.players))
    h.set(
        piles=dealt,
        bag=bag,
        board=(),
        missing=(),
        dealer=dealer,
        seat=dealer,
        before=None,
        turns=0,
        hands=(),
        takes=(),
        deadline_us=None,
        rested=True,
        calls=piles.fresh_calls(len(dealt)),
        penalty=None,
        mismatch=None,
        questions=(),
        owners=(),
        stage=Stage.TURN,
    )
    number = len(h.state.rounds) + 1
    h.rule("round_start", "Y03", dealer, piles=list(dealt), bag=bag, layout=h.state.layout, round=number)


def end(h: Hearing, winner: int | None, left: tuple[int, ...]) -> None:
    """The round is over: won, or abandoned (winner None, Y46). Totals follow from `rounds`; so does the
    end.
    """
    questions.close_all(h)
    result = RoundResult(winner, left, h.state.dealer or 0)
    h.set(
        rounds=(*h.state.rounds, result),
        stage=Stage.ROUND_END,
        deadline_us=None,
        hands=(),
        takes=(),
        penalty=None,
        mismatch=None,
    )
    if winner is None:
        h.rule("round_abandoned", "Y46", None, left=list(left))
        return
    h.rule("round_end", "Y17", winner, left=list(left), wins=list(h.state.wins))
    winners = leaders(h.state)
    if winners:
        h.set(stage=Stage.GAME_END)
        ids = [h.state.players[seat].id for seat in winners]
        h.rule("game_end", "Y41", winners[0] if len(winners) == 1 else None, winners=ids, wins=list(h.state.wins))


def leaders(state: State) -> tuple[int, ...]:
    """The seats that have won the game (several: a tie, Y20), () while it goes on (Y41)."""
    best_of, wins = state.settings.best_of, state.wins
    played = sum(wins)
    top = max(wins)
    if len(wins) == 1:
        return (0,)  # solitaire (Y25)
    if top >= (best_of + 1) // 2 and (len(wins) == 2 or state.settings.best_of_mode == "until"):
        return (wins.index(top),)
    if len(wins) == 2 or state.settings.best_of_mode == "until":
        return ()
    leading = tuple(seat for seat, n in enumerate(wins) if n == top)
    second = max(n for seat, n in enumerate(wins) if seat != leading[0])
    if played >= best_of or (len(leading) == 1 and second + best_of - played < top):
        return leading
    return ()
