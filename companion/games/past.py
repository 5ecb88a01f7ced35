"""What has been folded and still counts, and the steps that can be taken back (companion/games/fold.py, Y22)."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar

from companion.games.game import Command
from companion.games.logline import LogLine
from companion.table import BoardTime, Stone, TableEvent

S = TypeVar("S")

KEPT = 64
"""Newest steps whose state is kept; an older one is folded again when it is needed."""


@dataclass(frozen=True, slots=True)
class Written:
    """An entry that counts. number: of the entries folded so far, from 1; what `edit` names."""

    number: int
    entry: TableEvent | Command


@dataclass(frozen=True, slots=True)
class GivenBack:
    """The time from since_us to t_us is given back: something was undone (the next ruling is ruled + 1), or a dispute
    was open (ruled 0).
    """

    since_us: BoardTime
    t_us: BoardTime
    ruled: int


@dataclass(frozen=True, slots=True)
class Renumbered:
    """An entry was edited: what follows is ruled anew, the next ruling is ruled + 1."""

    ruled: int


Past: TypeAlias = tuple[Written | GivenBack | Renumbered, ...]


@dataclass(frozen=True, slots=True)
class Done(Generic[S]):
    """An effective step that can be undone.

    before: the state before it, None if it has to be folded again; at: how much of the past lies before it.
    t_us: its time; since_us: since when the clock of `before` had run; last_us: the time of the step before.
    first: number of its first ruling; rulings: how many. what, by: command or kind of its first ruling, and who.
    entry: number of the entry that made it, 0 where time alone did. was: of an edit, all as it was before.
    """

    before: S | None
    at: int
    t_us: BoardTime
    since_us: BoardTime
    last_us: BoardTime
    first: int
    rulings: int
    what: str
    by: str = ""
    entry: int = 0
    was: "Folded[S] | None" = None

    @property
    def numbers(self) -> range:
        """The numbers of its rulings."""
        return range(self.first, self.first + self.rulings)


@dataclass(frozen=True, slots=True)
class Dispute:
    """A proposal to undo back to a ruling; player: who proposes. since_us: the clock of the rules stands since then.

    line: the ruling as pages list it, which a game's log does not keep for so long; None where it is not known.
    """

    ruling: int
    player: int | None
    by: str
    since_us: BoardTime = 0
    line: LogLine | None = None


@dataclass(frozen=True, slots=True)
class Laying(Generic[S]):
    """After an undo the stones do not lie as the state has them: people lay them back, or take the board as it lies.

    was: the state by which they lie. back: tracks to be put back, off: tracks to be taken off. places: those of
    `back` that were ever seen at rest, where they lay last. since_us: the clock of the rules stands since then.
    """

    was: S
    back: tuple[int, ...]
    off: tuple[int, ...]
    places: tuple[Stone, ...]
    since_us: BoardTime


def last_seen(past: Past, tracks: Iterable[int]) -> tuple[Stone, ...]:
    """Where these stones lay when the board was last at rest with them on it; those that never did are left out."""
    wanted, found = set(tracks), list[Stone]()
    for item in reversed(past):
        if not wanted:
            break
        if isinstance(item, Written) and isinstance(item.entry, TableEvent):
            here = [stone for stone in item.entry.rest if stone.track in wanted and not stone.held]
            found += here
            wanted -= {stone.track for stone in here}
    return tuple(sorted(found, key=lambda stone: stone.track))


@dataclass(frozen=True, slots=True)
class Folded(Generic[S]):
    """The state, the steps that can be undone (newest last), the open dispute, and the time reached.

    begin: the state of the beginning; past: what led from there to here. entries: folded so far, undone ones
    included. undone: how often steps have been taken back so far. laying: stones that an undo left elsewhere.
    laid: the last ruling by which people ended that, as pages list it under the number of the ruling before it.
    insisted: they have said how stones lie though the sensors saw otherwise, and since then the board at rest has not
    shown it.
    """

    state: S
    begin: S
    reached_us: BoardTime = 0
    done: tuple[Done[S], ...] = ()
    last_us: BoardTime = 0
    dispute: Dispute | None = None
    undone: int = 0
    past: Past = ()
    entries: int = 0
    laying: Laying[S] | None = None
    laid: LogLine | None = None
    insisted: bool = False

    @property
    def stands_since_us(self) -> BoardTime | None:
        """Since when the clock of the rules stands, for a dispute or for stones that are laid back; None: it runs."""
        reasons = [reason.since_us for reason in (self.dispute, self.laying) if reason is not None]
        return max(reasons, default=None)

    @property
    def commands(self) -> tuple[Written, ...]:
        """The commands that count, in order: what `edit` can change."""
        return tuple(item for item in self.past if isinstance(item, Written) and isinstance(item.entry, Command))


def with_step(done: tuple[Done[S], ...], step: Done[S]) -> tuple[Done[S], ...]:
    """One step more; the state of the one that is now too old is let go."""
    old = len(done) - KEPT
    if old >= 0:
        was = done[old].was
        light = replace(done[old], was=replace(was, done=bare(was.done))) if was else replace(done[old], before=None)
        done = (*done[:old], light, *done[old + 1 :])
    return (*done, step)


def bare(done: Iterable[Done[S]]) -> tuple[Done[S], ...]:
    """The steps without their states."""
    return tuple(step if step.was else replace(step, before=None) for step in done)


def numbers(done: Iterable[Done[S]]) -> set[int]:
    """The numbers of all rulings of some steps."""
    return {number for step in done for number in step.numbers}
