"""Sensors that cannot be trusted: saturated, dead, stuck, noisy. They are dropped and named."""

from math import erf, expm1, log, log1p, sqrt
from typing import Final

import numpy as np

from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.sensors.multiplexers import MultiplexerWatch

DEAD_FRAMES: Final = 25
"""A sensor at the end of its range for so long is dead, not saturated: nothing there can be so near for
it.
"""
_STUCK_EVIDENCE: Final = 40.0
_QUIETER: Final = 0.85  # than all together may one sensor be
_LEAST_NOISE: Final = 0.15  # counts; with less a sensor may stand still for minutes
_ALIVE_EVIDENCE: Final = 10.0
_RARER: Final = 10.0
"""A stuck sensor is well where it changes as often as noise makes any sensor change at the least, rather than that many
times more rarely, as a loose contact may (a sequential test of the two; e^10 to one).
"""
_GOOD_FRAMES: Final = 200
_NOISY_MEMORY: Final = 0.01
_NOISY_PART: Final = 0.4
_HELD_FRAMES, _HELD_COUNTS = 5, 12.0
"""A sensor that gives one count for five frames, while most of its neighbours change by more than 2 mT, all one way."""
_HELD_EVERY: Final = 3  # it is looked for in each third frame
_INSIDE: Final = 5


class SensorWatch:
    """Looks at the raw counts of each frame.

    Saturated: at 0, at full scale or beyond the sensor's range; not valid in that frame, "sensor_dead" after
    DEAD_FRAMES. Stuck: the same count for so long that the sensors' noise (log of the chance to stay) rules it out.
    Over a thin link that chance is still that of a whole count though means are finer: there a stuck sensor is found
    late by its noise (with 0.3 counts after half a minute, with 0.2 hardly ever), or once its neighbours change.
    Noisy: jumps between frames, far beyond its noise, again and again while its neighbours do not. A fault
    ends after 200 good frames, that of a stuck one not before its changes are those of noise: a quiet sound
    sensor gives the same count twice all the time.
    """

    def __init__(self, layout: TableLayout) -> None:
        self._layout = layout
        count = layout.count
        reach = np.abs(layout.gain) * layout.range_mt
        self._low = np.maximum(layout.offset - reach, 0.0)
        self._high = np.minimum(layout.offset + reach, float(layout.full_scale))
        self._last = np.full(count, -1.0)
        self._before = np.full(count, -1.0)
        self._seen = np.zeros(count, dtype=np.bool_)
        self._at_end = np.zeros(count, dtype=np.int64)
        self._good = np.full(count, _GOOD_FRAMES, dtype=np.int64)
        self._dead = np.zeros(count, dtype=np.bool_)
        self._stuck = np.zeros(count, dtype=np.bool_)
        self._noisy = np.zeros(count, dtype=np.bool_)
        self._faulty = False  # any of them is dead, stuck or noisy
        self._same = np.zeros(count, dtype=np.int64)
        self._alive = np.zeros(count)
        self._stay = 0.0
        self._jump = np.full(count, np.inf)
        self._jumps = np.zeros(count)
        self._multiplexers = MultiplexerWatch(layout)
        most = max(len(near) for near in layout.neighbours)
        # At an edge the neighbours say little: there a sensor is beside itself only.
        near_by = [near if len(near) >= _INSIDE else np.array([k]) for k, near in enumerate(layout.neighbours)]
        self._beside = np.array([np.resize(near, most) for near in near_by])
        self._then = np.zeros(self._beside.shape)
        self._frame = 0
        self._near = np.zeros((count, count))
        for k, near in enumerate(layout.neighbours):
            self._near[k, near] = 1.0 / max(len(near), 1)

    def faults(self, off: Bools | None = None, parts: Bools | None = None) -> tuple[str, ...]:
        """Codes with the sensors' names, in the order of the sensors; off (S,): those without a zero; parts (S,): those
        of a part that is told already.
        """
        told = np.zeros(self._layout.count, dtype=np.bool_) if parts is None else parts
        out = list(self._multiplexers.faults(told))
        bad = self._dead | self._stuck | self._noisy | (False if off is None else off)
        for k in np.flatnonzero(bad & ~self._multiplexers.joined & ~told):
            kind = "dead" if self._dead[k] else "stuck" if self._stuck[k] else "noisy" if self._noisy[k] else "off"
            out.append(f"sensor_{kind}:{self._layout.names[k]}")
        return tuple(out)

    def noise_known(self, noise: Floats, zero: Floats | None = None) -> None:
        """Noise (S,) of the sensors in counts, quantisation included; stuck and noisy are looked for from
        now on. zero (S,): their counts without a stone; where those differ, sensors of a multiplexer that all show the
        same are found.

        How long one stays at a count by chance hangs on its noise before rounding, which its own variance does not
        tell: with 0.27 counts one whose mean is in the middle of a count shows a variance of 0.06, one between two
        counts 0.25, as 0.41 in the middle would. Over all the sensors' means the variance is that of the noise and 1/12
        (Sheppard's correction; Widrow and Kollar, Quantization Noise, 2008), so it is taken of all together.
        """
        usual = float(np.median(noise))
        variance = float(np.mean(np.minimum(noise, 2.0 * usual) ** 2)) - 1.0 / 12.0
        before = _QUIETER * float(np.sqrt(max(variance, 0.0)))
        # The chance that a reading rounds to the same count, at best: the mean in the middle of a count.
        self._stay = -log(erf(0.5 / (before * sqrt(2.0)))) if before > _LEAST_NOISE else 0.0
        # A sensor is noisy beside the others, also where it was so from the start.
        self._jump = 4.0 * np.sqrt(6.0) * np.clip(noise, usual, 2.0 * usual) + 2.0

        if zero is not None:
            self._multiplexers.zeros_known(zero)

    def suspect(self, stuck: Bools) -> None:
        """Sensors (S,) that gave one count only, from the start: stuck until they give another one."""
        self._stuck |= stuck
        self._faulty = self._faulty or bool(stuck.any())

    def update(self, counts: Floats, fresh: Bools | None = None) -> Bools:
        """Counts (S,) of the next frame and which of them were measured; returns which are valid, (S,)."""
        measured: Bools | bool = True if fresh is None else fresh
        self._seen |= measured
        at_end = (counts <= self._low) | (counts >= self._high)
        self._at_end = np.where(at_end, self._at_end + measured, 0)
        same = counts == self._last
        self._same = np.where(same, self._same + measured, 0)
        # A stone that trembles in a hand makes jumps too, in proportion to its field.
        least = self._jump + 0.1 * np.abs(counts - self._layout.offset)
        bend = np.abs(counts - 2.0 * self._last + self._before) > least
        self._jumps += _NOISY_MEMORY * ((bend & (self._before >= 0.0)) - self._jumps)
        dead = self._at_end >= DEAD_FRAMES
        stuck = ~at_end & (self._same * self._stay > _STUCK_EVIDENCE)
        noisy = self._jumps > _NOISY_PART
        if noisy.any():
            noisy &= self._near @ self._jumps < 0.3 * self._jumps
        self._frame += 1
        if self._frame % _HELD_EVERY == 0:
            stuck |= ~at_end & (self._same >= _HELD_FRAMES) & self._left_behind(counts)
        if self._faulty:
            lives = self._alive + measured * self._liveliness(same | at_end)
            self._alive = np.where(stuck | ~self._stuck, 0.0, np.clip(lives, 0.0, 2.0 * _ALIVE_EVIDENCE))
        else:
            self._alive[:] = 0.0
        bad = dead | stuck | noisy
        self._good = np.where(bad | at_end, 0, self._good + measured)
        if self._faulty or bad.any():
            keep = self._good < _GOOD_FRAMES
            self._dead = dead | (self._dead & keep)
            self._stuck = stuck | (self._stuck & (keep | (self._alive < _ALIVE_EVIDENCE)))
            self._noisy = noisy | (self._noisy & keep)
            bad = self._dead | self._stuck | self._noisy
            self._faulty = bool(bad.any())
        if fresh is None:
            self._before, self._last = self._last, counts.copy()
        else:
            self._before = np.where(fresh, self._last, self._before)
            self._last = np.where(fresh, counts, self._last)
        return self._seen & ~(at_end | bad | self._multiplexers.update(counts))

    def _liveliness(self, same: Bools) -> Floats:
        """What a frame (S,) says for a sensor's being alive: log of the ratio of the chances."""
        change = -expm1(-self._stay)
        out: Floats = np.where(same, -self._stay - log1p(-change / _RARER), log(_RARER))
        return out

    def _left_behind(self, counts: Floats) -> Bools:
        """Sensors (S,) most of whose neighbours have changed since they themselves gave another count."""
        now = counts[self._beside]
        self._then = np.where((self._same >= _HELD_EVERY)[:, None], self._then, now)
        change, half = now - self._then, now.shape[1] // 2
        out: Bools = ((change > _HELD_COUNTS).sum(axis=1) > half) | ((change < -_HELD_COUNTS).sum(axis=1) > half)
        return out
