"""Sensors that alone show what no stone can: off, drifted, restless now and then. They are left out at once, and named
when they go on.

A stone's field is wide: of the smallest that lies right over a sensor its neighbours show a hundredth, as many times
their noise, and anything that comes or goes has been seen by more of them on its way. So a sensor that departs from
what the tracks explain, while everything round it is as explained, is at fault. What it shows is not used in that very
frame: a sensor less hardly matters, one more stone does.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.layout import Bools, Floats, TableLayout

RING_MM: Final = 32.0
LEAST_MT: Final = 1.0
"""A smaller departure makes no stone, and is learned as drift."""
_SPREADS: Final = 8.0
_RESTING_PART, _MOVING_PART = 0.06, 0.3
"""Of the field of a resting stone, whose leftovers are learned, and of one that moves, whose shape may be another."""
MOVING_MM: Final = 45.0
_QUIET: Final = 2.5  # mean of chi squared round it
_PART: Final = 0.1  # of its own departure, at any of those round it
_MOST: Final = 24  # more at once are no sensors' faults
NAMED_FRAMES: Final = 25
_GOOD_FRAMES: Final = 1000
"""A joint that is restless for half a second is so again some seconds later."""


class Lone:
    """Looks at what each frame shows beyond the tracks."""

    def __init__(self, layout: TableLayout) -> None:
        self._layout = layout
        at = layout.position[:, :2]
        away = np.sqrt(((at[:, None] - at[None]) ** 2).sum(axis=2))
        self._ring = [np.flatnonzero((row < RING_MM) & (row > 0.0)) for row in away]
        count = layout.count
        self._seen = np.zeros((2, count), dtype=np.int64)  # frames, above and below what was expected
        self._good = np.full(count, _GOOD_FRAMES, dtype=np.int64)
        self._out = np.zeros(count, dtype=np.bool_)
        self._named = np.zeros(count, dtype=np.bool_)

    @property
    def faults(self) -> tuple[str, ...]:
        """sensor_off:NAME, sensor_noisy:NAME."""
        names = self._layout.names
        return tuple(
            f"sensor_{'noisy' if self._seen[:, k].min() > 0.2 * self._seen[:, k].sum() else 'off'}:{names[k]}"
            for k in np.flatnonzero(self._named)
        )

    def sift(self, field: Floats, valid: Bools, expected: Floats, sigma: Floats, moving: Sequence[Floats]) -> Bools:
        """Which sensors (S,) of this frame are to be used, of those that are valid. field: what they show, expected:
        what the tracks explain (with what is learned), sigma: noise, (S,) mT each; moving: centres (3,) of what moves.
        """
        off = field - expected
        part = np.full(len(off), _RESTING_PART)
        for centre in moving:
            part[np.hypot(*(self._layout.position[:, :2] - centre[:2]).T) < MOVING_MM] = _MOVING_PART
        limit = np.maximum(LEAST_MT, _SPREADS * sigma) + part * np.abs(expected)
        far = valid & (np.abs(off) > limit)
        if not far.any() and not self._out.any():
            return valid
        at = np.flatnonzero(far)
        others = valid & ~self._out
        if len(at) <= _MOST:
            for k in at.tolist():
                if self._alone(k, off, others, sigma):
                    self._seen[0 if off[k] > 0.0 else 1, k] += 1
                    self._out[k], self._good[k] = True, 0
        self._good = np.where(far, 0, self._good + valid)
        self._named |= self._out & (self._seen.sum(axis=0) >= NAMED_FRAMES)
        # One that departs stays out though a stone comes near it, until it is as explained.
        self._out &= np.where(self._named, self._good < _GOOD_FRAMES, far)
        self._named &= self._out
        forgotten = self._good >= _GOOD_FRAMES
        self._seen[:, forgotten] = 0
        return valid & ~self._out

    def _alone(self, k: int, off: Floats, valid: Bools, sigma: Floats) -> bool:
        ring = self._ring[k]
        ring = ring[valid[ring]]
        if len(ring) < 3:
            return False
        near, noise = np.abs(off[ring]), sigma[ring]
        if float(((near / noise) ** 2).mean()) > _QUIET:
            return False
        return bool((near < _PART * abs(off[k]) + 4.0 * noise).all())
