"""Contacts put together to collapses: which stones, which of them newly, and whether it is a chain."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.sensing.sensors.layout import Floats
from companion.table import BoardTime, EventKind, Evidence, Note, TableEvent

FOLLOWS_US: Final = 450_000
"""A contact of a cluster within so long of the one before it belongs to the same collapse, however long the chain goes
on: 0.4 s (the recordings' definition), and 0.05 s by which the dates of contacts scatter."""

HOLD_US: Final = 210_000
"""A collapse that is likely is told so long after its first contact (250 ms are asked); what follows completes it."""

LAST_US: Final = 340_000
"""Until then one that is not likely may become so; then it is told, asked about or dropped: Complete comes after it."""

EARLY_US: Final = 100_000
"""Where it is clear that its stones are there, and nothing moves that could follow, it is told after so long: a contact
is one that lasts more than 50 ms."""

BLOW_US: Final = 50_000
"""By which the load cell's date of a blow and the tracks' date of the contact differ, at most."""

FORGOTTEN_US: Final = 1_000_000
"""Contacts are found by so much later than they were, at most."""

DOUBTED: Final = 0.5
"""How sure a collapse is that may lie in a gap, or of a stone first seen as it touched: it is asked about."""

ASK_BELOW: Final = 2 / 3
"""So unlikely it is asked about. Of those told over all recordings' variants none was (docs/sensing/collapses.md)."""


@dataclass(slots=True, eq=False)
class _Told:
    """A collapse that has been told and may still grow. last_us: of its last contact; asked: stones of which people are
    asked whether they stick to it.
    """

    stones: set[int]
    last_us: BoardTime
    chain: bool
    asked: set[int] = field(default_factory=set)


@dataclass(slots=True)
class _Pending:
    t_us: BoardTime
    stones: set[int]
    new: set[int]
    chain: bool
    at: Floats
    in_hand: bool
    doubt: Note
    last_us: BoardTime
    grows: _Told | None = None  # what it completes
    sure: bool = False
    p: float = 1.0
    looks: list[float] = field(default_factory=list)


@dataclass(slots=True)
class Collapses:
    """What has collapsed since the last removal. caught: tracks that are in a cluster.

    Each collapse is told once, and once more as `grown` for what follows: told early, completed later.
    """

    caught: set[int] = field(default_factory=set)
    apart_us: BoardTime = 0
    """So far apart is what was measured, where more than a frame: dates scatter by as much more."""
    _pending: list[_Pending] = field(default_factory=list)
    _told: list[_Told] = field(default_factory=list)
    _contacts: list[tuple[BoardTime, set[int]]] = field(default_factory=list)
    """Each of late, whether it is told, asked about or held back: their blows outlast the telling."""

    @property
    def open(self) -> bool:
        """Whether a collapse is still held back."""
        return bool(self._pending)

    def struck(self, t_us: BoardTime) -> bool:
        """Whether stones snapped together about then, so that it is their blow that the load cell shows."""
        return any(abs(t_us - when) < BLOW_US for when, _ in self._contacts)

    def touch(
        self,
        t_us: BoardTime,
        stones: set[int],
        at: Floats,
        in_hand: bool,
        doubt: Note = "",
        near: Collection[int] = (),
    ) -> None:
        """These stones have touched at t_us and `at` (3,) mm; in_hand: one of them was in a hand; doubt: why it may not
        be so, or not now (a code for Evidence.note); near: others, which their jump may have been drawn by.
        """
        self._contacts.append((t_us, set(stones)))
        known = stones & self.caught
        new = stones - known
        self.caught |= stones
        here = {*stones, *near}
        grown = [p for p in self._pending if p.stones & here]
        if not grown:
            of = self._followed(here, t_us)
            chain = bool(known) if of is None else of.chain
            self._pending.append(_Pending(t_us, set(stones), new, chain, at, in_hand, doubt, t_us, of))
            return
        first = grown[0]
        first.last_us = max(first.last_us, t_us)
        for p in grown[1:]:
            first.stones |= p.stones
            first.new |= p.new
            first.chain |= p.chain
            first.in_hand |= p.in_hand
            first.doubt = first.doubt or p.doubt
            first.last_us = max(first.last_us, p.last_us)
            first.grows = first.grows or p.grows
            self._pending.remove(p)
        if first.grows is None:  # it meets one that has been told
            first.grows = self._followed(here, t_us)
            first.chain |= first.grows is not None and first.grows.chain
        first.stones |= stones
        first.new |= new
        first.in_hand |= in_hand
        first.doubt = first.doubt or doubt
        first.sure, first.looks = False, []

    def _followed(self, stones: set[int], t_us: BoardTime) -> _Told | None:
        """The collapse that a contact of these stones belongs to, though it has been told."""
        same = [c for c in self._told if c.stones & stones and t_us - c.last_us <= FOLLOWS_US + self.apart_us]
        for c in same:
            c.last_us = max(c.last_us, t_us)
        return same[-1] if same else None

    def ripe(self, t_us: BoardTime, calm: Callable[[set[int]], bool]) -> list[set[int]]:
        """The clusters whose collapse may be reported now; calm: whether nothing moves that could still join one."""
        out = []
        for p in self._pending:
            age = t_us - p.t_us
            if age >= HOLD_US or (age >= EARLY_US and calm(p.stones)):
                out.append(set(p.stones))
        return out

    def held(self, stones: set[int], t_us: BoardTime) -> bool:
        """Whether this cluster's collapse has been held back long enough to tell it if it is likely."""
        return any(p.stones == stones and t_us - p.t_us >= HOLD_US for p in self._pending)

    def full(self, stones: set[int], t_us: BoardTime) -> bool:
        """Whether the time of this cluster's collapse is over."""
        return any(p.stones == stones and t_us - p.t_us >= LAST_US for p in self._pending)

    def look(self, stones: set[int], gain: float) -> Sequence[float]:
        """A frame was asked whether all of this cluster is there; gain: of chi squared without the stone that it misses
        least. What all looks since they touched have given.
        """
        p = next(p for p in self._pending if p.stones == stones)
        p.looks.append(gain)
        return p.looks

    def sure(self, stones: set[int], likely: float = 1.0) -> None:
        """The collapse of this cluster need not wait any longer; likely: the probability that all of it is there."""
        for p in self._pending:
            if p.stones <= stones:
                p.sure, p.p = True, likely

    def without(self, track: int) -> None:
        """This stone has touched none after all."""
        self.caught.discard(track)
        self._left({track})
        for _, touching in self._contacts:
            touching.discard(track)
        self._contacts = [c for c in self._contacts if len(c[1]) > 1]
        for p in [p for p in self._pending if track in p.stones]:
            only = p.new == {track}
            p.stones.discard(track)
            p.new.discard(track)
            if len(p.stones) < 2 or only:
                self._pending.remove(p)
                self.caught -= p.new

    def refuted(self, stones: tuple[int, ...]) -> bool:
        """These two have touched none after all. Whether a collapse of them has been told (or asked about)."""
        held = any(p.stones & set(stones) for p in self._pending)
        told = not held and self.caught.issuperset(stones)
        for track in stones:
            self.without(track)
        return told

    def fell(self, stones: tuple[int, ...]) -> None:
        """They lie on the table. Before it was sure that they stick the fall is told, the collapse is not."""
        self._left(set(stones))
        for p in [p for p in self._pending if p.stones <= set(stones)]:
            self._pending.remove(p)
            self.caught -= p.stones

    def due(self, t_us: BoardTime) -> list[TableEvent]:
        """The collapses whose follow-ups are in, or that need not wait for any; those that are doubted or unlikely as
        unsure.
        """
        out = []
        kept_us = FOLLOWS_US + self.apart_us + FORGOTTEN_US
        self._told = [c for c in self._told if t_us - c.last_us <= kept_us]
        self._contacts = [c for c in self._contacts if t_us - c[0] <= kept_us]
        for p in [p for p in self._pending if p.sure or t_us - p.t_us >= LAST_US]:
            self._pending.remove(p)
            out.append(self._event(p, t_us))
            if p.grows is not None:
                more = p.grows.asked if _asked(p) else p.grows.stones
                more |= p.stones - p.grows.stones - p.grows.asked
                p.grows.last_us = max(p.grows.last_us, p.last_us)
            elif not _asked(p):
                self._told.append(_Told(set(p.stones), p.last_us, p.chain))
        return out

    def _event(self, p: _Pending, t_us: BoardTime) -> TableEvent:
        asked = _asked(p)
        note: Note = p.doubt or ("in_hand" if p.in_hand else "")
        stones = p.stones
        if p.grows is not None:
            # What the answer to an open question will say is not told as certain.
            stones = p.grows.stones | (p.stones if asked else p.stones - p.grows.asked)
        return TableEvent(
            EventKind.UNSURE if asked else EventKind.COLLAPSE,
            p.t_us,
            tuple(sorted(stones)),
            len(stones),
            t_us,
            round(float(p.at[0]), 2),
            round(float(p.at[1]), 2),
            tuple(sorted(p.new)),
            p.chain,
            until_us=p.t_us if asked else None,
            p=round(min(p.p, DOUBTED) if p.doubt else p.p, 2),
            evidence=Evidence(note=note),
            grown=p.grows is not None and not asked,
        )

    def forget(self, tracks: tuple[int, ...]) -> None:
        """These stones have been taken away."""
        self.caught -= set(tracks)
        self._left(set(tracks))

    def _left(self, stones: set[int]) -> None:
        """They are in no collapse that may still grow; what one stone is left of grows no more."""
        for c in self._told:
            c.stones -= stones
            c.asked -= stones
        self._told = [c for c in self._told if len(c.stones) > 1]
        for p in self._pending:
            if p.grows is not None and len(p.grows.stones) < 2:
                p.grows = None


def _asked(p: _Pending) -> bool:
    """Whether it is not sure enough to be ruled."""
    return bool(p.doubt) or p.p < ASK_BELOW
