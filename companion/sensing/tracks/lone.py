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

from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.leftovers import NEAR_SCAR_MM

RING_MM: Final = 32.0
LEAST_MT: Final = 1.0
"""A smaller departure makes no stone in one frame."""
SLOW_MT: Final = 0.45
"""More than is learned as drift, as a mean over a second in which nothing moves near: a sensor that drifts."""
_SLOW: Final = 0.01
_SLOW_PART: Final = 0.3
_STILL_PART: Final = 0.6  # of it is shown now too: what came for a moment and went has left a mean as large
_SPREADS: Final = 8.0
_RESTING_PART, _MOVING_PART = 0.15, 0.3
"""Of the field of a resting stone, whose pose may be off by some tenths of a mm, and of one that moves, whose shape may
be another."""
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
        # Frames in which others departed with it: a stone pushed up from beside the mats is seen by one sensor first.
        self._together = np.zeros(count, dtype=np.int64)
        self._good = np.full(count, _GOOD_FRAMES, dtype=np.int64)
        self._mean = np.zeros(count)
        self._out = np.zeros(count, dtype=np.bool_)
        self._named = np.zeros(count, dtype=np.bool_)
        self._valid = np.ones(count, dtype=np.bool_)

    @property
    def faults(self) -> tuple[str, ...]:
        """sensor_off:NAME, sensor_noisy:NAME; of valid sensors: what ails the others is told already."""
        names = self._layout.names
        return tuple(
            f"sensor_{'noisy' if self._seen[:, k].min() > 0.2 * self._seen[:, k].sum() else 'off'}:{names[k]}"
            for k in np.flatnonzero(self._named & self._valid)
        )

    def sift(self, field: Floats, valid: Bools, expected: Floats, sigma: Floats, moving: Sequence[Floats]) -> Bools:
        """Which sensors (S,) of this frame are to be used, of those that are valid. field: what they show, expected:
        what the tracks explain (with what is learned), sigma: noise, (S,) mT each; moving: centres (3,) of what moves.
        """
        self._valid = valid
        off = field - expected
        part, calm = np.full(len(off), _RESTING_PART), valid
        if moving:
            away = self._away(moving)
            part[away < MOVING_MM**2] = _MOVING_PART
            calm = valid & (away > NEAR_SCAR_MM**2)
        shown = np.abs(expected)
        limit = np.maximum(LEAST_MT, _SPREADS * sigma) + part * shown
        far = valid & (np.abs(off) > limit)
        at = np.flatnonzero(far)
        self._mean += _SLOW * np.where(calm, np.clip(off, -LEAST_MT, LEAST_MT) - self._mean, 0.0)
        drift = np.abs(self._mean)
        if float(drift.max(initial=0.0)) > SLOW_MT:
            slow = calm & (drift > SLOW_MT + _RESTING_PART * shown)
            slow &= off * np.sign(self._mean) > _STILL_PART * SLOW_MT
            if slow.any():
                self._drifted(np.flatnonzero(slow & ~self._out).tolist(), off, valid & ~self._out, sigma)
                far |= slow
        if not far.any() and not self._out.any():
            return valid
        others = valid & ~self._out
        if len(at) <= _MOST:
            for k in at.tolist():
                if self._alone(k, off, others, sigma):
                    self._seen[0 if off[k] > 0.0 else 1, k] += 1
                    self._out[k], self._good[k] = True, 0
                elif self._out[k]:
                    self._together[k] += 1
        self._good = np.where(far, 0, self._good + valid)
        self._named |= self._out & (self._seen.sum(axis=0) - self._together >= NAMED_FRAMES)
        # One that departs stays out though a stone comes near it, until it is as explained.
        self._out &= np.where(self._named, self._good < _GOOD_FRAMES, far)
        self._named &= self._out
        forgotten = self._good >= _GOOD_FRAMES
        self._seen[:, forgotten] = self._together[forgotten] = 0
        return valid & ~self._out

    def _drifted(self, at: Sequence[int], off: Floats, others: Bools, sigma: Floats) -> None:
        for k in at if len(at) <= _MOST else ():
            ring = self._ring[k]
            ring = ring[others[ring]]
            slow = len(ring) >= 3 and bool((np.abs(self._mean[ring]) < _SLOW_PART * abs(self._mean[k])).all())
            if slow and self._alone(k, off, others, sigma):  # not while something comes near
                self._out[k] = self._named[k] = True
                self._seen[0 if self._mean[k] > 0.0 else 1, k] += NAMED_FRAMES

    def _away(self, moving: Sequence[Floats]) -> Floats:
        """Square of the distance (S,) to the nearest of what moves, measured level, mm2."""
        at, places = self._layout.position, np.array(moving)
        dx, dy = at[:, 0] - places[:, 0:1], at[:, 1] - places[:, 1:2]
        out: Floats = (dx * dx + dy * dy).min(axis=0)
        return out

    def _alone(self, k: int, off: Floats, valid: Bools, sigma: Floats) -> bool:
        ring = self._ring[k]
        ring = ring[valid[ring]]
        if len(ring) < 3:
            return False
        near, noise = np.abs(off[ring]), sigma[ring]
        if float(((near / noise) ** 2).mean()) > _QUIET:
            return False
        return bool((near < _PART * abs(off[k]) + 4.0 * noise).all())
