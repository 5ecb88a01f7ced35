"""Whether the cables of two tiles are exchanged: each gives the other's readings from the start.

What comes, goes or is carried over the board is one stone more or less than when it lay still last. Where the right
order of the tiles explains no such change, and one with two tiles exchanged explains it well, that speaks for it; where
it is the other way round, that order is out for good. Two changes at places apart are needed: none of a collapse is
explained by one stone in any order, and a faulty sensor is at one place.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

import numpy as np

from companion.sensing.fields.stones import Population
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.cable_look import GOOD, CableLook, Order, orders

WORSE: Final = 3.0
"""Times the best order's chi squared a sensor another one must have to be refuted by a look."""

EVIDENCE: Final = 60.0
"""Of chi squared, and at least so much: odds of e^30 by noise alone."""

LEAST_LOOKS: Final = 2
APART_MM: Final = 25.0
MOST_LOOKS: Final = 300
"""Of a session: what has not been told by then is not worth the work any more."""

_EVERY: Final = 5  # frames
_FIT_EVERY: Final = 3  # of them: a fit takes half of what a frame has on a slow computer
_RECENT: Final = 10  # of those: 0.5 s
_LEAST_MT, _LEAST_SENSORS, _SPREADS = 0.6, 12, 6.0
_STILL_MT, _STILL_SPREADS = 0.05, 5.0  # between the means of two halves: a thing that moves, and noise


class Cables:
    """Watches one session, until every exchange is refuted."""

    def __init__(self, layout: TableLayout, sigma: Floats, population: Population) -> None:
        """sigma (S,) mT: noise of a reading; population: what stones are like."""
        self._layout, self._sigma = layout, sigma
        self._look = CableLook(layout, sigma, population)
        self._right, *swaps = orders(layout)
        self._left: dict[Order, list[Floats]] = {order: [] for order in swaps}
        self._against: dict[Order, list[Floats]] = {order: [] for order in swaps}
        self._looks = 0
        self._names = [layout.names[int(np.argmax(layout.tile == k))].rstrip("0123456789") for k in self._right]
        self._recent: deque[Floats] = deque(maxlen=_RECENT)
        self._valid: deque[Bools] = deque(maxlen=_RECENT)
        self._still: Floats = np.zeros(layout.count)
        self._work: Iterator[None] | None = None
        self._frame = 0
        self._told: tuple[Order, ...] = ()

    @property
    def faults(self) -> tuple[str, ...]:
        """tiles_exchanged:A/B; where the board looks the same from two sides, more such pairs."""
        return tuple("tiles_exchanged:" + "/".join(self._pair(order)) for order in self._told)

    def see(self, field: Floats, valid: Bools) -> bool:
        """One reading (S,) mT and which sensors are valid; whether two cables are exchanged.
        A fit in some frames, as long as anything is left to refute. Once told it is for a person to end."""
        if not self._left or self._told or self._looks >= MOST_LOOKS:
            return bool(self._told)
        self._frame += 1
        if self._frame % _EVERY == 0:
            self._recent.append(field)
            self._valid.append(valid)
        if self._work is not None:
            if self._frame % _FIT_EVERY == 0 and next(self._work, self) is self:
                self._work = None
        elif self._frame % _EVERY == 0 and len(self._recent) == _RECENT:
            self._begin()
        return bool(self._told)

    def _begin(self) -> None:
        valid: Bools = np.asarray(np.array(self._valid).all(axis=0))
        fields = np.array(self._recent)
        half = _RECENT // 2
        moved = np.abs(fields[:half].mean(axis=0) - fields[half:].mean(axis=0))
        noise = self._sigma * np.sqrt(2.0 / half)
        still = bool((moved < _STILL_MT + _STILL_SPREADS * noise)[valid].all())
        now = fields.mean(axis=0) if still else fields[-1]
        change = np.where(valid, now - self._still, 0.0)
        if still:
            self._still = now
        seen = np.abs(change) > _SPREADS * self._sigma
        if seen.sum() >= _LEAST_SENSORS and np.abs(change).max() > _LEAST_MT:
            self._looks += 1
            self._work = self._compare(change, valid)

    def _compare(self, change: Floats, valid: Bools) -> Iterator[None]:
        """A look, one order a step."""
        fits = {}
        for order in (self._right, *self._left):
            fits[order] = self._look.misfit(change, valid, order)
            yield
        right = fits[self._right][0]
        best = min(misfit for misfit, _ in fits.values())
        if best > GOOD:
            return
        count = int(valid.sum())
        for order in list(self._left):
            misfit, place = fits[order]
            if self._beaten(misfit, right, count):
                self._note(self._against[order], fits[self._right][1])
            elif self._beaten(right, misfit, count):
                self._note(self._left[order], place)
        for order in list(self._left):
            if len(self._against[order]) >= len(self._left[order]) + LEAST_LOOKS:
                del self._left[order]
        told = [o for o, places in self._left.items() if len(places) >= len(self._against[o]) + LEAST_LOOKS]
        self._told = tuple(told)

    @staticmethod
    def _note(places: list[Floats], place: Floats) -> None:
        """A place where a look says so; looks at one place are one."""
        if all(np.hypot(*(place - other)[:2]) > APART_MM for other in places):
            places.append(place)

    @staticmethod
    def _beaten(misfit: float, by: float, count: int) -> bool:
        return by <= GOOD and misfit > WORSE * by and (misfit - by) * count > EVIDENCE

    def _pair(self, order: Order) -> list[str]:
        return [self._names[k] for k in self._right if order[k] != k]
