"""One round: the line, the hands, whose turn it is, the secret cards, and when it ends."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.games.tiki.hand import STEPS, Action, Hand
from companion.games.tiki.line import TIKIS_LEFT_AT_THE_END, Line, first_places, toast, topple, up
from companion.games.tiki.options import Mode
from companion.games.tiki.refusal import RefusedError
from companion.games.tiki.secret import SecretCard
from companion.games.tiki.tikis import TIKIS, Tiki


class Phase(StrEnum):
    """Where a round stands; "over" when there is no round any more."""

    LINE_UP = "line_up"  # follow: the line is to be entered
    PLAY = "play"  # follow: cards are played
    PLACES = "places"  # quick: the first three places are to be entered
    ENDED = "ended"  # the places are known, the secret cards are not shown yet
    REVEALED = "revealed"  # all cards are shown and can be corrected before the points count (T28)
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Round:
    """A round that has not been scored.

    hands: those who play it, clockwise (T05). final: 0, or the number of the final round (T24). line: follow
    only, () before it is lined up. turn: whose turn it is, or would be if the round had not ended.
    quick_places: quick only. cards: secret until `revealed` (T18), by player in order of id. keepers: the phone that
    entered each, by player: the only one that may see it before.
    """

    starter: int
    hands: tuple[Hand, ...]
    mode: Mode
    final: int = 0
    line: Line = ()
    turn: int = 0
    quick_places: Line = ()
    cards: tuple[tuple[int, SecretCard], ...] = ()
    revealed: bool = False
    keepers: tuple[tuple[int, str], ...] = ()

    @property
    def phase(self) -> Phase:
        """Derived, so that a line set by hand (T27) can end a round or take its end back."""
        if self.revealed:
            return Phase.REVEALED
        if self.mode is Mode.QUICK:
            return Phase.ENDED if self.quick_places else Phase.PLACES
        if not self.line:
            return Phase.LINE_UP
        return Phase.ENDED if self.end_reason else Phase.PLAY

    @property
    def end_reason(self) -> str:
        """T11: why no card is played any more, "" while one is. Hands need not have become equal."""
        if self.line and len(self.line) <= TIKIS_LEFT_AT_THE_END:
            return "six_toasted"
        if not any(hand.held for hand in self.hands):
            return "hands_empty"
        return ""

    @property
    def places(self) -> Line:
        """The first three (T20), () as long as the round runs."""
        if self.phase not in (Phase.ENDED, Phase.REVEALED):
            return ()
        return self.quick_places if self.mode is Mode.QUICK else first_places(self.line)

    @property
    def players(self) -> tuple[int, ...]:
        return tuple(hand.player for hand in self.hands)

    def hand(self, player: int) -> Hand:
        """Raises RefusedError for one who does not play this round (T24: in a final only the tied do)."""
        for hand in self.hands:
            if hand.player == player:
                return hand
        raise RefusedError("not_in_round")

    def card(self, player: int) -> SecretCard | None:
        return dict(self.cards).get(player)

    def with_card(self, player: int, card: SecretCard, phone: str = "") -> "Round":
        self.hand(player)
        return replace(
            self,
            cards=tuple(sorted({**dict(self.cards), player: card}.items())),
            keepers=tuple(sorted({**dict(self.keepers), player: phone}.items())),
        )

    def with_hand(self, changed: Hand) -> "Round":
        return replace(self, hands=tuple(changed if h.player == changed.player else h for h in self.hands))

    def next_turn(self, after: int) -> int:
        """T05: the next one clockwise who still holds a card (hands differ only where set by hand, T27)."""
        at = self.players.index(after)
        order = self.hands[at + 1 :] + self.hands[: at + 1]
        return next((hand.player for hand in order if hand.held), after)

    def without(self, player: int) -> "Round":
        """The round without one who left (T29): no hand, no card, the turn passed on."""
        if player not in self.players:
            return self
        left = _left_of(self.players, player)
        next_turn = self.next_turn(player)
        if next_turn == player:  # nobody else holds a card; a later correction by hand (T27) needs a turn
            next_turn = left
        begun = self.mode is Mode.QUICK or any(hand.played for hand in self.hands)
        rest = tuple(hand for hand in self.hands if hand.player != player)
        return replace(
            self,
            hands=rest,
            cards=tuple((p, card) for p, card in self.cards if p != player),
            keepers=tuple((p, phone) for p, phone in self.keepers if p != player),
            turn=next_turn if self.turn == player else self.turn,
            # One who leaves before the first card has started nothing.
            starter=self.starter if begun or self.starter != player else left,
        )

    def play(self, player: int, action: Action, tiki: Tiki | None, topple_bottom: bool) -> "Round":
        """The round after one card (T06). tiki: which one it moves; a Toast may leave it out (T09)."""
        if self.mode is Mode.QUICK:
            raise RefusedError("quick_round")
        if self.phase is Phase.LINE_UP:
            raise RefusedError("line_not_set")
        if self.phase is not Phase.PLAY:
            raise RefusedError("round_over")  # T11: at once, nobody gets a turn to make the turns equal
        hand = self.hand(player)
        if player != self.turn:
            raise RefusedError("not_your_turn")
        played = self.with_hand(hand.play(action))
        moved = replace(played, line=_moved(self.line, action, tiki, topple_bottom))
        return replace(moved, turn=moved.next_turn(player))


def why_not(current: Round, action: Action, tiki: Tiki, topple_bottom: bool) -> str:
    """The code of the refusal that whose turn it is would get for this card on this tiki; "" where it is allowed."""
    try:
        current.play(current.turn, action, tiki, topple_bottom)
    except RefusedError as refused:
        return refused.refusal.code
    return ""


def legal_plays(current: Round, topple_bottom: bool) -> tuple[tuple[Action, Tiki], ...]:
    """Every card and tiki that whose turn it is may play; never none while the round runs (T21)."""
    if current.phase is not Phase.PLAY:
        return ()
    return tuple(
        (action, tiki)
        for action in dict.fromkeys(current.hand(current.turn).held)
        for tiki in TIKIS
        if not why_not(current, action, tiki, topple_bottom)
    )


def clockwise(seats: tuple[int, ...], after: int, among: Iterable[int]) -> int:
    """The first of `among` to the left of a seat (T05, T14, T25); that seat itself comes last."""
    at = seats.index(after)
    wanted = set(among)
    return next(player for player in seats[at + 1 :] + seats[: at + 1] if player in wanted)


def _moved(line: Line, action: Action, tiki: Tiki | None, topple_bottom: bool) -> Line:
    if action is Action.TOAST:
        return toast(line, tiki)
    if tiki is None:
        raise RefusedError("tiki_needed")
    if action is Action.TOPPLE:
        return topple(line, tiki, topple_bottom)
    return up(line, tiki, STEPS[action])


def _left_of(players: tuple[int, ...], player: int) -> int:
    return players[(players.index(player) + 1) % len(players)]
