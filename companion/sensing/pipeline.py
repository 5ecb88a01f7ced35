"""From raw samples to table reports: the one object that the table process feeds.

`Complete(t)` trails the newest sample by COMPLETE_LAG_US; what is decided later than that is dated just after the last
Complete, so no event ever comes dated before one already sent.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from companion.sensing.contacts import Contacts
from companion.sensing.layout import TableLayout
from companion.sensing.life import Life, stones_of
from companion.sensing.movers import Phase
from companion.sensing.tracker import Tracker
from companion.sensing.weight import Scale, Weight
from companion.table import BoardTime, Complete, EventKind, Picture, TableEvent, TableReport

COMPLETE_LAG_US = 380_000
GAP_US = 300_000
PICTURE_US = 100_000
START_FRAMES = 30


class LoadConversion(Protocol):
    """One conversion of the load cell (drivers.sample.LoadSample)."""

    @property
    def t_us(self) -> int: ...
    @property
    def counts(self) -> int | None: ...


class RawSample(Protocol):
    """One frame of raw counts (drivers.sample.Sample)."""

    @property
    def t_us(self) -> int: ...
    @property
    def hall(self) -> bytes: ...
    @property
    def load(self) -> Sequence[LoadConversion]: ...


class Sensing:
    """Strictly causal: the reports of a prefix are a prefix of the reports."""

    def __init__(self, layout: TableLayout) -> None:
        self.layout = layout
        self.weight = Weight(layout.load_gain or 1.0, layout.load_offset)
        self.tracker = Tracker(layout, np.full(layout.count, 0.09))
        self.life = Life(self.tracker, self.weight, Contacts(self.tracker))
        self._start: list[np.ndarray[tuple[int], np.dtype[np.float64]]] = []
        self._complete: BoardTime = -1
        self._last: BoardTime | None = None
        self._pictured: BoardTime = -(10**9)

    def feed(self, sample: RawSample) -> list[TableReport]:
        """Take one frame; the reports that it makes, events before the Complete that passes them."""
        t = sample.t_us
        out: list[TableReport] = []
        if self._last is not None and t - self._last > GAP_US:
            out.append(TableEvent(EventKind.UNSEEN, max(self._last, self._complete + 1), t_report_us=t, until_us=t))
        self._last = t
        for c in sample.load:
            self.weight.feed(c.t_us, c.counts)
        counts = np.frombuffer(sample.hall, dtype="<u2").astype(np.float64)
        field = (counts - self.layout.offset) / self.layout.gain
        valid = (counts > 4) & (counts < self.layout.full_scale - 4)
        if len(self._start) < START_FRAMES:
            self._start.append(field)
            if len(self._start) == START_FRAMES:
                mean = np.mean(self._start, axis=0)
                self.tracker.bare = np.where(np.abs(mean) < 3.0, mean, 0.0)
        else:
            self.tracker.step(t, field, valid)
            for e in self.life.step(t):
                out.append(replace(e, t_us=max(e.t_us, self._complete + 1), t_report_us=t))
        if t - self._pictured >= PICTURE_US:
            self._pictured = t
            stones = tuple(
                s for m in self.tracker.movers if m.told or m.phase is not Phase.HAND for s in stones_of(m, m.phase is not Phase.BOARD)
            )
            weight = None if self.weight.tell(t) is Scale.ABSENT else round(self.weight.last_g, 2)
            out.append(Picture(t, stones, weight))
        done = t - COMPLETE_LAG_US
        if done > self._complete and done >= 0:
            self._complete = done
            out.append(Complete(done))
        return out

    def finish(self) -> list[TableReport]:
        """No sample will follow: everything up to the last one is complete."""
        if self._last is None or self._last <= self._complete:
            return []
        self._complete = self._last
        return [Complete(self._last)]
