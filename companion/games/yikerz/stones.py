"""Where single stones are: on the board, in a hand, to be taken back; and what of the board is not as it must be."""

from dataclasses import dataclass

from companion.games.yikerz.names import Where, Why
from companion.table import BoardTime


@dataclass(frozen=True, slots=True)
class BoardStone:
    """A stone on the board, let go. lifted: a hand carries it (it counts on the board until it leaves)."""

    track: int
    lifted: bool = False


@dataclass(frozen=True, slots=True)
class Hand:
    """A stone in a hand in the zone; it belongs to its pile until it is let go on the board.

    seat: whose it is; sure: known, not only supposed. on_board: it touches the board. at_rest: no hand was
    sensed on it when the board was last at rest (Y30). early: it came when the turn could not end (Y17,
    Y30).
    """

    track: int
    seat: int
    since_us: BoardTime
    sure: bool = False
    on_board: bool = False
    at_rest: bool = False
    early: bool = False


@dataclass(frozen=True, slots=True)
class Take:
    """A stone that seat has to take back; seat -1: into the bag (Y33, setting).

    presumed: of one on the table, it counts as taken because the board was at rest (Y35); kept for the
    turn, so that being seen, or a button, corrects the time. told: it has been ruled so, and is not taken twice.
    """

    track: int
    seat: int
    why: Why
    where: Where
    presumed: bool = False
    told: bool = False


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The board shows seen stones at rest, expected lie there by the rules (Y21). absent: those of them that were not
    seen, as far as known; asked: it was asked.
    """

    expected: int
    seen: int
    since_us: BoardTime
    asked: bool = False
    absent: tuple[int, ...] = ()
