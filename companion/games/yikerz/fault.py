"""A collapse or fall as it stands in the state while it may still turn out to be none (faults.py keeps them)."""

from dataclasses import dataclass

from companion.games.yikerz.names import Outcome
from companion.games.yikerz.seats import Call
from companion.table import BoardTime


@dataclass(frozen=True, slots=True)
class Before:
    """What a collapse or fall may change, as it was before it; `board`: tracks in order. See State for the others."""

    spent: bool
    outcome: Outcome
    last: int | None
    taken: tuple[int, ...]
    board: tuple[int, ...]
    piles: tuple[int, ...]
    calls: tuple[Call, ...]
    away: int
    deadline_us: BoardTime | None = None
    limit_us: BoardTime | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A collapse or fall that was ruled. stones: its cluster; new: those to be taken for it, also by a number only.

    rulings: their numbers. turn: which of the round (State.turns). counts: against the player in turn; spends: the
    turn has no stone to place after it.
    """

    kind: Outcome
    stones: tuple[int, ...]
    new: tuple[int, ...]
    rulings: tuple[int, ...]
    turn: int
    counts: bool
    spends: bool
    before: Before
