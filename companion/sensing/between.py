"""The frames between two parts of a thin link, which carries every fourth scan or so.

What follows a stone counts in frames: how far a hand moves from one to the next, how many are averaged. So the scans
that were not sent are filled in once the part after them is there: straight from value to value. They say nothing new
(no sensor of them is fresh), and they carry the weighings of their time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.layout import TableLayout
from companion.sensing.load import RawLoad
from companion.sensing.reading import RawSample
from companion.table.time import BoardTime

MOST: Final = 16
"""Frames from one part to the next; what is further apart is a gap, and gaps are never filled."""

NOISE: Final = 1.3
"""Noise of a filled reading in noises of a measured one, chosen over recordings sent through the firmware's budget:
with less, ghosts are born of values that stand still; with more, a stone is seen too late to be followed in a snap."""


@dataclass(frozen=True, slots=True, eq=False)
class Filled:
    """A frame that was not sent, or the part after it with the rest of the weighings."""

    t_us: BoardTime
    sequence: int
    hall: bytes
    fresh: bytes | None
    load: tuple[RawLoad, ...]
    lost: int


class Between:
    """Makes whole frames of one session's parts, in their order; frames are passed as they are."""

    def __init__(self, layout: TableLayout) -> None:
        self._frame_us = 1e6 / layout.frame_rate
        self._last: RawSample | None = None

    @property
    def noise(self) -> float:
        """By how much what is filled in is less certain than as many frames that were measured."""
        return 1.0 if self._last is None or self._last.fresh is None else NOISE

    def filled(self, sample: RawSample) -> Sequence[RawSample]:
        """The frames since the sample before, and the sample itself."""
        last, self._last = self._last, sample
        if sample.fresh is None or sample.lost or last is None or len(last.hall) != len(sample.hall):
            return (sample,)
        steps = round((sample.t_us - last.t_us) / self._frame_us)
        if not 1 < steps <= MOST:
            return (sample,)
        before = np.frombuffer(last.hall, dtype="<u2").astype(np.float64)
        change = np.frombuffer(sample.hall, dtype="<u2") - before
        stale = bytes(len(sample.fresh))
        out: list[RawSample] = []
        loads = list(sample.load)
        for k in range(1, steps):
            t_us = last.t_us + round((sample.t_us - last.t_us) * k / steps)
            hall = np.rint(before + change * k / steps).astype("<u2").tobytes()
            due = [load for load in loads if load.t_us <= t_us]
            loads = loads[len(due) :]
            out.append(Filled(t_us, sample.sequence, hall, stale, tuple(due), 0))
        out.append(Filled(sample.t_us, sample.sequence, sample.hall, sample.fresh, tuple(loads), 0))
        return out
