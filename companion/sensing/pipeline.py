"""From raw samples to table reports: the one object that the table process feeds."""

from dataclasses import replace

import numpy as np

from companion.sensing.baseline.baseline import Baseline
from companion.sensing.baseline.memory import Memory
from companion.sensing.baseline.reading import RawSample, Reading
from companion.sensing.baseline.recount import Recount
from companion.sensing.between import Between
from companion.sensing.events.life import Life
from companion.sensing.events.resting import stones_of
from companion.sensing.fields.grams import Grams
from companion.sensing.fields.stones import StoneSet
from companion.sensing.pace import Pace, stirs
from companion.sensing.promise import Promise
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.apart import MISSED_US
from companion.sensing.tracks.movers import Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import (
    BoardTime,
    EventKind,
    Evidence,
    Health,
    Note,
    Picture,
    TableEvent,
    TableReport,
)

GAP_US = 300_000
BLIND_US = 1_000_000  # in a gap so long a stone may have been brought and let go
PICTURE_US = 100_000
HEALTH_US = 1_000_000


class Sensing:
    """Strictly causal: the reports of a prefix are a prefix of the reports."""

    def __init__(
        self, layout: TableLayout, stones: StoneSet | None = None, memory: Memory | None = None, first_track: int = 1
    ) -> None:
        """stones: the learned set that is played with, None for the population; memory: of the session before, one of
        another table is not used; first_track: the first number of new tracks, above those that the memory may have.
        """
        self.layout = layout
        self._between = Between(layout)
        self.pace = Pace()
        self._base = Baseline(layout, stones, memory, first_track)
        self._recount = Recount(Grams() if stones is None else Grams(stones.grams))
        self._promise = Promise()
        self._whole: Reading | None = None
        self._pictured: BoardTime = -(10**9)
        self._told: BoardTime = -(10**9)

    @property
    def tracker(self) -> Tracker | None:
        """The tracks; None until the zeros are known."""
        return self._base.tracker

    @property
    def reading(self) -> Reading | None:
        """The newest reading; None until the zeros are known."""
        return self._base.reading

    @property
    def whole(self) -> Reading | None:
        """The newest reading with those sensors too that are left out because no stone explains them."""
        return self._whole

    @property
    def sigma(self) -> Floats:
        """Standard deviation (S,) of one reading, mT. Raises ValueError until the zeros are known."""
        return self._base.reader.sigma

    @property
    def faults(self) -> tuple[str, ...]:
        """Codes of what is wrong with the sensors now (companion.sensing.baseline.reading)."""
        base, last_us = self._base, self._promise.last_us
        other: tuple[str, ...] = ("load_constant",) if base.weight.constant else ()
        other += base.faults(self._promise.heard_us)
        if last_us is not None and self.pace.behind(last_us):
            other += ("sensing_behind",)
        if base.swapped:  # what seems to be sound or moved beside it is neither
            return base.reader.faults + base.swapped + other
        tracker = base.tracker
        # What bleeds into its neighbour shifts each tile's stones by as much: none of them has moved.
        seen = () if tracker is None else tracker.crosstalk.faults or tracker.bumped.faults
        return base.reader.faults + base.lone.faults + other + seen

    @property
    def weight(self) -> Weight:
        """The load cell's state."""
        return self._base.weight

    @property
    def zeroed_us(self) -> BoardTime | None:
        """When the zeros were last learned, on an empty board; None before."""
        return self._base.reader.zeroed_us

    def grams(self, t_us: BoardTime) -> float | None:
        """What lies on the board, above what the load cell showed when it was last empty; None without a load cell, and
        while that is not known."""
        return self._base.grams(t_us)

    def go_on_from(self, before: "Sensing") -> None:
        """In the place of another one of the same link: its tracks' numbers and its pace go on, no event is dated
        before one that it has told; the zeros are learned anew, but what lies there weighs as much as before.
        """
        self.pace = before.pace
        self._promise.last_us, self._promise.complete_us = before._promise.last_us, before._promise.complete_us
        self._base.go_on_from(before._base)

    def say_empty(self) -> bool:
        """A person says that the board is empty: whatever the sensors show, unless it is clearly a field of stones,
        are their zeros. False, and nothing changes, where it is one, or the load cell shows that something lies there
        (by what it showed of the empty board in the session before, while this one does not know).
        """
        return self._base.said_empty(self._promise.heard_us)

    def feed(self, sample: RawSample) -> list[TableReport]:
        """Take one frame; the reports that it makes, events before the Complete that passes them.

        Raises ValueError where the sample is not of this table (number of sensors).
        """
        self._promise.heard_us = sample.t_us
        frames = self._between.filled(sample)
        if self._base.life is not None:
            self._base.life.scene.collapses.apart_us = self._between.apart_us
        return [report for each, doubt in frames for report in self._frame(each, doubt)]

    def _frame(self, sample: RawSample, doubt: Floats | None) -> list[TableReport]:
        base, t = self._base, sample.t_us
        if base.swapped:
            return self._standing(base.reader.read(sample, doubt), t)
        out: list[TableReport] = self._missed(t)
        ready = base.reader.ready
        reading = self._whole = base.reader.read(sample, doubt)
        if reading is not None and base.crossed(reading):
            return self._standing(reading, t)
        self._promise.last_us = t
        if base.reader.ready and not ready:
            self._between.learned()
        if reading is not None and base.tracker is not None:
            reading = self._sifted(reading, base.tracker)
        base.reading = reading
        if reading is not None:
            self._weigh(reading)
            out.extend(self._events(reading))
        out.extend(self._health(t))
        if t - self._pictured >= PICTURE_US and not base.starting:  # until then nobody knows what lies there
            self._pictured = t
            out.append(self._picture(t))
        return [*out, *self._promise.keep()]

    def _missed(self, t: BoardTime) -> list[TableReport]:
        """Of the frames that did not come before the one at t."""
        gap_us, life = self._promise.since(t), self._base.life
        if life is not None and gap_us > MISSED_US:
            life.scene.apart.gap(life.scene.tracker.movers, t)
        if gap_us <= GAP_US:
            return []
        self._base.gap(gap_us)
        if life is not None and gap_us > BLIND_US:
            life.scene.tracker.blind(t)
        return [TableEvent(EventKind.UNSEEN, self._promise.date(t - gap_us), t_report_us=t, until_us=t)]

    def _standing(self, reading: Reading | None, t_us: BoardTime) -> list[TableReport]:
        """While two tiles' cables are exchanged nothing is told or promised, as if no frame came: so the games' time
        stands still, and what happens until a person has put it right is a gap.
        """
        self._base.reading = self._whole = reading
        if reading is not None:
            self._weigh(reading)
        return self._health(t_us)

    def _weigh(self, reading: Reading) -> None:
        for w in reading.load:
            self._base.weight.feed(w.t_us, w.grams)

    def _sifted(self, reading: Reading, tracker: Tracker) -> Reading:
        """Without the sensors that alone show what no stone can."""
        moving = [m.body.centre for m in tracker.movers if m.awake]
        valid = self._base.lone.sift(reading.field, reading.valid, tracker.expected(), tracker.sigma, moving)
        if valid is reading.valid:
            return reading
        return replace(reading, field=np.where(valid, reading.field, 0.0), valid=valid)

    def _events(self, reading: Reading) -> list[TableEvent]:
        base, noise = self._base, self._between.noise
        if base.given_up(reading, noise):
            return self._anew(reading.t_us)
        if base.starting:
            return base.opened(reading, self._promise.date(reading.t_us), noise)
        return [] if base.life is None else self._lived(base.life, reading)

    def _lived(self, life: Life, reading: Reading) -> list[TableEvent]:
        tracker = life.scene.tracker
        fresh = self.pace.every == 1 or self.pace.solves(reading.t_us, stirs(tracker, reading.field, reading.valid))
        if fresh:
            tracker.step(reading.t_us, reading.field, reading.valid, reading.doubt, reading.measured)
        told = life.step(reading.t_us, fresh, reading.measured)
        if fresh:
            self._recount.step(life.scene, reading)  # it adds to what is told
        self._base.renew(tracker)
        return self._promise.dated(told)

    def _anew(self, t_us: BoardTime) -> list[TableEvent]:
        """Nothing lies there, by its weight, and the zeros are another board's: what was tracked is nothing."""
        note: Note = "anew"
        return self._promise.dated([TableEvent(EventKind.SETTLED, t_us, count=0, evidence=Evidence(note=note))])

    def memory(self) -> Memory | None:
        """What to keep of the board for the next start; None while it is not at rest."""
        return self._base.memory(self._promise.last_us)

    def _health(self, t: BoardTime) -> list[TableReport]:
        """How the sensors are, once a second."""
        if t - self._told < HEALTH_US:
            return []
        self._told = t
        state = "ok" if self._base.reader.ready and not self._base.starting else "starting"
        return [Health(t, state, self.faults)]

    def _picture(self, t: BoardTime) -> Picture:
        tracker = self._base.tracker
        movers = [] if tracker is None else tracker.movers
        names = {} if tracker is None else tracker.identity.names
        seen = [m for m in movers if m.phase is not Phase.AWAY and (m.told or m.phase is not Phase.HAND)]
        stones = tuple(s for m in seen for s in stones_of(m, m.phase is not Phase.BOARD, names))
        return Picture(t, stones, self.grams(t))

    def finish(self) -> list[TableReport]:
        """No sample will follow: everything up to the last one is complete."""
        return [*self._promise.end()]
