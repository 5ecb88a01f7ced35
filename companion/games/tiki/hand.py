"""Action cards and what a player has played of them."""

from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.games.tiki.refusal import RefusedError


class Action(StrEnum):
    """The kinds of action cards (T01)."""

    UP_1 = "up_1"
    UP_2 = "up_2"
    UP_3 = "up_3"
    TOPPLE = "topple"
    TOAST = "toast"


STEPS: dict[Action, int] = {Action.UP_1: 1, Action.UP_2: 2, Action.UP_3: 3}
"""T07: by how many places an Up card moves its tiki."""

SEVEN: tuple[Action, ...] = (
    Action.UP_1,
    Action.UP_1,
    Action.UP_2,
    Action.UP_3,
    Action.TOPPLE,
    Action.TOAST,
    Action.TOAST,
)
"""T01: the seven cards of a player."""

SIX: tuple[Action, ...] = SEVEN[1:]
"""T01: with three or four players one Up 1 is put aside."""


def whole_hand(players: int) -> tuple[Action, ...]:
    """The hand with which a player of a game of so many players starts each round (T01, T14)."""
    return SEVEN if players == 2 else SIX


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's cards in one round: those still held, sorted as in SEVEN, and those played, in order
    (T19)."""

    player: int
    held: tuple[Action, ...]
    played: tuple[Action, ...] = ()

    def play(self, action: Action) -> "Hand":
        """The hand after one card (T06). Raises RefusedError where it may not be played now."""
        if action not in self.held:
            raise RefusedError("card_not_in_hand")  # T06: a played card is out for the round
        # T10: each player's own first turn, not only the first of the round.
        if action is Action.TOAST and not self.played:
            raise RefusedError("toast_first_turn")
        at = self.held.index(action)
        return replace(self, held=self.held[:at] + self.held[at + 1 :], played=(*self.played, action))

    def with_played(self, played: tuple[Action, ...]) -> "Hand":
        """The hand as the table says it is (T27). Raises RefusedError where so many of a kind were never in
        it."""
        whole = Counter(self.held + self.played)
        left = whole - Counter(played)
        if left.total() + len(played) != whole.total():
            raise RefusedError("hands_by_hand")
        return replace(self, held=tuple(a for a in Action for _ in range(left[a])), played=played)
