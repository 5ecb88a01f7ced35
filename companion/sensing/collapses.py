"""Contacts put together to collapses: which stones, which of them newly, and whether it is a chain."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from companion.sensing.layout import Floats
from companion.table import BoardTime, EventKind, Evidence, TableEvent

HOLD_US: Final = 340_000
"""Contacts of one cluster within 0.4 s are one collapse (the recordings' definition): it is held so long that its
follow-ups are in, and not so long that Complete has passed it."""

EARLY_US: Final = 210_000
"""Where nothing moves that could follow, it is told after so long: a stone 20 mm away needs 35-70 ms to snap, so what
would come within the rest of HOLD_US is mostly under way by then."""

DOUBTED: Final = 0.5
"""How sure a collapse is that may lie in a gap: it is asked about."""


@dataclass(slots=True)
class _Pending:
    t_us: BoardTime
    stones: set[int]
    new: set[int]
    chain: bool
    at: Floats
    in_hand: bool
    seen: bool
    sure: bool = False
    p: float = 1.0


@dataclass(slots=True)
class Collapses:
    """What has collapsed since the last removal. caught: tracks that are in a cluster."""

    caught: set[int] = field(default_factory=set)
    _pending: list[_Pending] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether a collapse is still held back."""
        return bool(self._pending)

    def touch(self, t_us: BoardTime, stones: set[int], at: Floats, in_hand: bool, seen: bool = True) -> None:
        """These stones have touched at t_us and `at` (3,) mm; in_hand: one of them was in a hand; seen: they were seen
        apart before.
        """
        known = stones & self.caught
        new = stones - known
        self.caught |= stones
        grown = [p for p in self._pending if p.stones & stones]
        if not grown:
            self._pending.append(_Pending(t_us, set(stones), new, bool(known), at, in_hand, seen))
            return
        first = grown[0]
        for p in grown[1:]:
            first.stones |= p.stones
            first.new |= p.new
            first.chain |= p.chain
            first.in_hand |= p.in_hand
            first.seen &= p.seen
            self._pending.remove(p)
        first.stones |= stones
        first.new |= new
        first.in_hand |= in_hand
        first.seen &= seen
        first.sure = False

    def ripe(self, t_us: BoardTime, calm: Callable[[set[int]], bool]) -> list[set[int]]:
        """The clusters whose collapse may be reported now; calm: whether nothing moves that could still join one."""
        out = []
        for p in self._pending:
            age = t_us - p.t_us
            if age >= HOLD_US or (age >= EARLY_US and calm(p.stones)):
                out.append(set(p.stones))
        return out

    def full(self, stones: set[int], t_us: BoardTime) -> bool:
        """Whether the time of this cluster's collapse is over."""
        return any(p.stones == stones and t_us - p.t_us >= HOLD_US for p in self._pending)

    def sure(self, stones: set[int], likely: float = 1.0) -> None:
        """The collapse of this cluster need not wait any longer; likely: the probability that all of it is there."""
        for p in self._pending:
            if p.stones <= stones:
                p.sure, p.p = True, likely

    def without(self, track: int) -> None:
        """This stone has touched none after all."""
        self.caught.discard(track)
        for p in self._pending:
            p.stones.discard(track)
            p.new.discard(track)
        for p in [p for p in self._pending if len(p.stones) < 2]:
            self._pending.remove(p)
            self.caught -= p.new

    def unproved(self, stones: tuple[int, ...]) -> None:
        """They fell before it was sure that they stick: the fall is told, the collapse is not."""
        for p in [p for p in self._pending if p.stones <= set(stones)]:
            self._pending.remove(p)
            self.caught -= p.stones

    def due(self, t_us: BoardTime) -> list[TableEvent]:
        """The collapses whose follow-ups are in, or that need not wait for any; those of stones not seen apart are
        unsure: they may be as old as the gap.
        """
        out = []
        for p in [p for p in self._pending if p.sure or t_us - p.t_us >= HOLD_US]:
            self._pending.remove(p)
            note = "in_hand" if p.in_hand else ""
            out.append(
                TableEvent(
                    EventKind.COLLAPSE if p.seen else EventKind.UNSURE,
                    p.t_us,
                    tuple(sorted(p.stones)),
                    len(p.stones),
                    t_us,
                    round(float(p.at[0]), 2),
                    round(float(p.at[1]), 2),
                    tuple(sorted(p.new)),
                    p.chain,
                    until_us=None if p.seen else p.t_us,
                    p=round(p.p, 2) if p.seen else DOUBTED,
                    evidence=Evidence(note=note if p.seen else "gap"),
                )
            )
        return out

    def forget(self, tracks: tuple[int, ...]) -> None:
        """These stones have been taken away."""
        self.caught -= set(tracks)
