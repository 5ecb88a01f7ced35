"""The frames between two parts of a thin link, each of which carries the means of four scans or so.

What follows a stone counts in frames: how far a hand moves from one to the next, how many are averaged. So the scans
that were not sent are filled in once the part after them is there: straight from mean to mean. They say nothing new (no
sensor of them is fresh), what changes much from one mean to the next is doubtful in between, and they carry the
weighings of their time.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from statistics import median_low
from typing import Final

import numpy as np

from companion.sensing.baseline.reading import RawSample
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.sensors.load import RawLoad
from companion.table.time import BoardTime

FINER: Final = 16
"""Steps of a filled value in one of a part's: rounding must not be seen as noise."""

MOST: Final = 16
"""Frames from one part to the next; what is further apart is a gap, and gaps are never filled."""

NOISE: Final = 0.8
"""Noise of a filled frame in that of a scan as it is learned from filled frames: these show the slow part of the noise,
which single scans hide, and by which nothing else here is weighed."""

DOUBT: Final = 0.5
"""Half of what a value changes between two parts may be wrong in the middle: a field that moves on is no mean
of where it was and where it will be."""

MEAN_DOUBT: Final = 0.05
"""Of what a value changes between two parts, in a part itself: the mean of a field over a part's scans is not the
field of a stone in the middle of its way. Where it goes a third of its distance, as it does when it snaps, that is a
twentieth: f'' / 24 beside f', of a dipole's field. Without it two stones that come together within a part fit neither
as two nor as one, and a third is drawn away from them; with twice as much a stone that snaps out of a hand is missed.
"""

LATELY: Final = 50
"""Parts, two seconds: the usual step of them is that of the noise that is learned of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """A frame that was not sent, or the part after it with the rest of the weighings."""

    t_us: BoardTime
    sequence: int
    hall: bytes
    fresh: bytes | None
    load: tuple[RawLoad, ...]
    lost: int
    unit: int
    scans: int
    step: int


class Between:
    """Makes whole frames of one session's parts, in their order; frames are passed as they are."""

    def __init__(self, layout: TableLayout) -> None:
        self._frame_us = 1e6 / layout.frame_rate
        self._last: RawSample | None = None
        self._apart_us: BoardTime = 0
        self._steps: deque[int] = deque(maxlen=LATELY)
        self._learned = 1

    def learned(self) -> None:
        """The noise has just been learned of the frames of late: how coarse they were is in it, and stays so. A noise
        of another session is taken to be that of the finest parts."""
        self._learned = median_low(self._steps) if self._steps else 1

    @property
    def noise(self) -> float:
        """By how much a frame of what is filled in is less certain than one that was measured."""
        return 1.0 if self._last is None or self._last.fresh is None else NOISE

    @property
    def apart_us(self) -> BoardTime:
        """From one part to the next; 0 where every frame is measured."""
        return self._apart_us

    def filled(self, sample: RawSample) -> Sequence[tuple[RawSample, Floats | None]]:
        """The frames since the sample before, and the sample itself; of each how many counts (S,) it may be wrong by
        (rms) besides the noise, None for not at all."""
        last, self._last = self._last, sample
        if sample.fresh is None:
            return ((sample, None),)
        self._steps.append(sample.step)
        if sample.lost or last is None or last.fresh is None:
            return ((sample, self._alone(sample)),)
        steps = round((sample.t_us - last.t_us) / self._frame_us)
        if not 1 < steps <= MOST or len(last.hall) != len(sample.hall):
            return ((sample, self._alone(sample)),)
        self._apart_us = sample.t_us - last.t_us
        before = np.frombuffer(last.hall, dtype="<u2").astype(np.float64)
        change = np.frombuffer(sample.hall, dtype="<u2") - before
        stale = bytes(len(sample.fresh))
        rough_before, rough = self._rough(last), self._rough(sample)
        out: list[tuple[RawSample, Floats | None]] = []
        loads = list(sample.load)
        for k in range(1, steps):
            t_us = last.t_us + round((sample.t_us - last.t_us) * k / steps)
            hall = np.rint(FINER * (before + change * k / steps)).astype("<u2").tobytes()
            due = [load for load in loads if load.t_us <= t_us]
            loads = loads[len(due) :]
            fine = FINER * sample.unit
            frame = Filled(t_us, sample.sequence, hall, stale, tuple(due), 0, fine, sample.scans, sample.step)
            bend = 2.0 * np.sqrt(k * (steps - k)) / steps  # nought at both ends, one in the middle
            lines = hypot((1 - k / steps) * rough_before, k / steps * rough)
            out.append((frame, np.hypot(DOUBT * bend / sample.unit * change, lines)))
        hall, fresh, unit = sample.hall, sample.fresh, sample.unit
        part = Filled(sample.t_us, sample.sequence, hall, fresh, tuple(loads), 0, unit, sample.scans, sample.step)
        out.append((part, np.hypot(MEAN_DOUBT / sample.unit * change, rough)))
        return out

    def _alone(self, sample: RawSample) -> Floats | None:
        """The doubt of a part before which nothing is filled in."""
        rough = self._rough(sample)
        return np.full(len(sample.hall) // 2, rough) if rough > 0.0 else None

    def _rough(self, sample: RawSample) -> float:
        """Counts (rms) by which rounding to a coarser step than the noise was learned with makes a part wrong; what
        that does is in the noise. Of halves, each rounded by itself, every second value is off by a quarter. What is
        left over of coarser ones is made up for in the next part: so each is off by two roundings, which comes to the
        same.
        """
        return sqrt(max(sample.step**2 - self._learned**2, 0) / 6.0) / sample.unit
