"""The state of a game of CirKis: what was done, round by round, and whose turn it is.

Points are never stored.

Frozen, compared by value. Owners of spaces, the leader, unplayed pieces and all points are worked out from
the deeds each time they are asked for (position.py, scoring.py), so that they cannot disagree with what was
done.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from companion.games.cirkis.settings import Settings


@dataclass(frozen=True, slots=True)
class Piece:
    """A placement on the map. spaces: sorted.

    free: played on a free turn. overruled: codes of what was against it and set aside by the table (C33).
    """

    player: int
    spaces: tuple[int, ...]
    free: bool = False
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stated:
    """A shape that the players say is complete.

    segments: (player, number), sorted by player, without zeros.
    """

    shape: str
    segments: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """One placement as told in quick mode (C19): the shapes it completed; out: the last piece."""

    player: int
    shapes: tuple[Stated, ...] = ()
    out: bool = False


@dataclass(frozen=True, slots=True)
class Lost:
    """A turn lost (C12), or a free turn lapsed because no piece fits (C24)."""

    player: int
    lapsed: bool = False


@dataclass(frozen=True, slots=True)
class Left:
    """A player left the game (C34)."""

    player: int


Deed: TypeAlias = Piece | Claim | Lost | Left


class End(StrEnum):
    """Why a round ended."""

    FORTY = "forty"  # C13
    OUT = "out"  # C14
    STUCK = "stuck"  # C12
    HUNDRED = "hundred"  # C30, looked at after each turn
    ALONE = "alone"  # C34
    ABANDONED = "abandoned"  # C34


@dataclass(frozen=True, slots=True)
class Round:
    """One round, the whole game unless played to 100. end: None while it is played."""

    starter: int
    deeds: tuple[Deed, ...] = ()
    end: End | None = None


class Phase(StrEnum):
    """What the game waits for."""

    PLAY = "play"
    TIE = "tie"  # quick mode: the unplayed pieces of the tied players (C15, C19)
    BETWEEN = "between"  # to 100: the next round
    OVER = "over"


@dataclass(frozen=True, slots=True)
class State:
    """seats: ids in order, going left, those who left included. left: ids of those who left (C34).

    turn: whose turn; in quick mode None, or whose turn it was when somebody reached the goal. free: the turn
    is a free one (C09). lost: who lost the turn since the last placement (C12, C22). unplayed: as told at a
    tie (C19). abandoned: the game was given up and gives no points (C34).
    """

    settings: Settings
    seats: tuple[int, ...]
    rounds: tuple[Round, ...]
    turn: int | None
    phase: Phase = Phase.PLAY
    free: bool = False
    lost: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    unplayed: tuple[tuple[int, int], ...] = ()
    abandoned: bool = False

    @property
    def round(self) -> Round:
        """The round being played, or the last one."""
        return self.rounds[-1]

    @property
    def deeds(self) -> tuple[Deed, ...]:
        """The deeds of that round."""
        return self.round.deeds

    def active(self) -> tuple[int, ...]:
        """Who plays, in the order of the seats."""
        return tuple(player for player in self.seats if player not in self.left)

    def after(self, player: int) -> int:
        """The next active player to the left (C02); seats of those who left are passed over (C34)."""
        at = self.seats.index(player)
        return next(p for p in (*self.seats[at + 1 :], *self.seats[: at + 1]) if p not in self.left)

    def with_deed(self, deed: Deed) -> "State":
        return self.with_round(replace(self.round, deeds=(*self.deeds, deed)))

    def with_round(self, current: Round) -> "State":
        return replace(self, rounds=(*self.rounds[:-1], current))
