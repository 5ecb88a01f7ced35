"""From raw samples to table reports: the one object that the table process feeds."""

from dataclasses import replace

import numpy as np

from companion.sensing.apart import MISSED_US
from companion.sensing.between import Between
from companion.sensing.cables import Cables
from companion.sensing.contacts import Contacts
from companion.sensing.emptiness import CREEP_G, Emptiness
from companion.sensing.exchanged import Exchanged
from companion.sensing.grams import Grams
from companion.sensing.layout import Floats, TableLayout
from companion.sensing.life import Life
from companion.sensing.lone import Lone
from companion.sensing.memory import Memory, remembered
from companion.sensing.movers import Phase
from companion.sensing.pace import Pace, stirs
from companion.sensing.promise import Promise
from companion.sensing.reading import RawSample, Reader, Reading
from companion.sensing.recount import Recount
from companion.sensing.resting import stones_of
from companion.sensing.scene import Scene
from companion.sensing.stones import POPULATION, StoneSet
from companion.sensing.tracker import Tracker
from companion.sensing.warm import WarmStart, seat, told
from companion.sensing.weight import Scale, Weight
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
ANEW_US = 120_000_000  # so long it is told that the zeros were learned anew


class Sensing:
    """Strictly causal: the reports of a prefix are a prefix of the reports."""

    def __init__(
        self, layout: TableLayout, stones: StoneSet | None = None, memory: Memory | None = None, first_track: int = 1
    ) -> None:
        """stones: the learned set that is played with, None for the population; memory: of the session before, one of
        another table is not used; first_track: the first number of new tracks, above those that the memory may have.
        """
        self.layout, self._stones = layout, stones
        memory = memory if memory is not None and memory.fits(layout) else None
        self._first_track = first_track
        self._warm: WarmStart | None = None
        if memory is not None:
            population = POPULATION if stones is None else (*stones.moment, stones.shape)
            self._warm = WarmStart(layout, memory, population, first_track)
        self._between = Between(layout)
        self.pace = Pace()
        self._reader = Reader(layout, None if memory is None else memory.zero, at_once=memory is not None)
        self._lone = Lone(layout)
        self._reading: Reading | None = None
        self._weight = Weight()
        self._emptiness = Emptiness()
        self._emptiness.before_g = None if memory is None else memory.tare_g
        self._exchanged = Exchanged(layout)
        self._cables: Cables | None = None
        self._anew_us: BoardTime | None = None  # when the zeros were given up, as another board's
        self._recount = Recount(Grams() if stones is None else Grams(stones.grams))
        self._tracker: Tracker | None = None
        self._life: Life | None = None
        self._promise = Promise()
        self._pictured: BoardTime = -(10**9)
        self._told: BoardTime = -(10**9)

    @property
    def tracker(self) -> Tracker | None:
        """The tracks; None until the zeros are known."""
        return self._tracker

    @property
    def reading(self) -> Reading | None:
        """The newest reading; None until the zeros are known."""
        return self._reading

    @property
    def sigma(self) -> Floats:
        """Standard deviation (S,) of one reading, mT. Raises ValueError until the zeros are known."""
        return self._reader.sigma

    @property
    def faults(self) -> tuple[str, ...]:
        """Codes of what is wrong with the sensors now (companion.sensing.reading)."""
        load: tuple[str, ...] = ("load_constant",) if self._weight.constant else ()
        if self._warm is not None and self._warm.foreign:
            load += ("zeros_foreign",)
        elif self._anew_us is not None and self._promise.heard_us - self._anew_us < ANEW_US:
            load += ("zeros_anew",)
        last_us = self._promise.last_us
        if last_us is not None and self.pace.behind(last_us):
            load += ("sensing_behind",)
        if self._swapped:  # what seems to be sound or moved beside it is neither
            return self._reader.faults + self._swapped + load
        return (
            self._reader.faults
            + self._lone.faults
            + load
            + (() if self._tracker is None else self._tracker.crosstalk.faults + self._tracker.bumped.faults)
        )

    @property
    def _swapped(self) -> tuple[str, ...]:
        """Codes of the tiles whose cables are exchanged."""
        return () if self._cables is None else self._cables.faults

    @property
    def weight(self) -> Weight:
        """The load cell's state."""
        return self._weight

    @property
    def zeroed_us(self) -> BoardTime | None:
        """When the zeros were last learned, on an empty board; None before."""
        return self._reader.zeroed_us

    def grams(self, t_us: BoardTime) -> float | None:
        """What lies on the board, above what the load cell showed when it was last empty; None without a load cell, and
        while that is not known."""
        tare = self._emptiness.tare_g
        if tare is None or self._weight.tell(t_us) is Scale.ABSENT:
            return None
        return round(self._weight.last_g - tare, 2)

    def go_on_from(self, before: "Sensing") -> None:
        """In the place of another one of the same link: its tracks' numbers and its pace go on, no event is dated
        before one that it has told; the zeros are learned anew, but what lies there weighs as much as before.
        """
        self.pace = before.pace
        self._promise.last_us, self._promise.complete_us = before._promise.last_us, before._promise.complete_us
        self._emptiness.go_on_from(before._emptiness, before.layout, self.layout)
        if before._tracker is not None:
            self._first_track = before._tracker.newborn.next_track
        else:  # it had no tracks yet, but may itself have come in the place of one that had
            self._first_track = max(self._first_track, before._first_track)

    def say_empty(self) -> bool:
        """A person says that the board is empty: whatever the sensors show, unless it is clearly a field of stones,
        are their zeros. False, and nothing changes, where it is one, or the load cell shows that something lies there
        (by what it showed of the empty board in the session before, while this one does not know).
        """
        excess = self._emptiness.excess_g(self._weight, self._promise.heard_us)
        if excess is not None and excess >= CREEP_G:
            return False
        # with the plugs each tile's zeros come to another
        return self._give_up_zeros(bool(self._swapped) or (self._warm is not None and self._warm.foreign))

    def feed(self, sample: RawSample) -> list[TableReport]:
        """Take one frame; the reports that it makes, events before the Complete that passes them.

        Raises ValueError where the sample is not of this table (number of sensors).
        """
        self._promise.heard_us = sample.t_us
        frames = self._between.filled(sample)
        if self._life is not None:
            self._life.scene.collapses.apart_us = self._between.apart_us
        return [report for each, doubt in frames for report in self._frame(each, doubt)]

    def _frame(self, sample: RawSample, doubt: Floats | None) -> list[TableReport]:
        if self._swapped:
            return self._standing(self._reader.read(sample, doubt), sample.t_us)
        t = sample.t_us
        out: list[TableReport] = []
        gap_us = self._promise.since(t)
        if gap_us > GAP_US:
            self._exchanged.gap(gap_us)
            out.append(TableEvent(EventKind.UNSEEN, self._promise.date(t - gap_us), t_report_us=t, until_us=t))
            if self._tracker is not None and gap_us > BLIND_US:
                self._tracker.newborn.blind(t)
        if self._life is not None and gap_us > MISSED_US:
            self._life.scene.apart.gap(self._life.scene.tracker.movers, t)
        ready = self._reader.ready
        reading = self._reader.read(sample, doubt)
        if reading is not None and self._cables is not None and self._cables.see(reading.field, reading.valid):
            return self._standing(reading, t)
        self._promise.last_us = t
        if self._reader.ready and not ready:
            self._between.learned()
        if reading is not None and self._tracker is not None:
            reading = self._sifted(reading, self._tracker)
        self._reading = reading
        if reading is not None:
            self._weigh(reading)
            out.extend(self._events(reading))
        out.extend(self._health(t))
        if t - self._pictured >= PICTURE_US and self._warm is None:  # until then nobody knows what lies there
            self._pictured = t
            out.append(self._picture(t))
        return [*out, *self._promise.keep()]

    def _standing(self, reading: Reading | None, t_us: BoardTime) -> list[TableReport]:
        """While two tiles' cables are exchanged nothing is told or promised, as if no frame came: so the games' time
        stands still, and what happens until a person has put it right is a gap.
        """
        self._reading = reading
        if reading is not None:
            self._weigh(reading)
        return self._health(t_us)

    def _weigh(self, reading: Reading) -> None:
        for w in reading.load:
            self._weight.feed(w.t_us, w.grams)

    def _sifted(self, reading: Reading, tracker: Tracker) -> Reading:
        """Without the sensors that alone show what no stone can."""
        moving = [m.body.centre for m in tracker.movers if m.awake]
        valid = self._lone.sift(reading.field, reading.valid, tracker.expected(), tracker.sigma, moving)
        if valid is reading.valid:
            return reading
        return replace(reading, field=np.where(valid, reading.field, 0.0), valid=valid)

    def _events(self, reading: Reading) -> list[TableEvent]:
        if self._warm is not None:
            emptied = self._emptiness.by_weight(self._weight, reading.t_us)
            if self._warm.foreign and emptied and self._give_up_zeros(foreign=True):
                return self._anew(reading.t_us)
            return self._open(self._warm, reading)
        if self._tracker is None or self._life is None:
            self._tracker, self._life = self._begin()
        tracker = self._tracker
        other = self._exchanged.see(reading, self._emptiness, self._weight, tracker.sigma, tracker.population)
        if other and self._give_up_zeros(foreign=True):
            return self._anew(reading.t_us)
        fresh = self.pace.every == 1 or self.pace.solves(
            reading.t_us, stirs(self._tracker, reading.field, reading.valid)
        )
        if fresh:
            self._tracker.step(reading.t_us, reading.field, reading.valid, reading.doubt, reading.measured)
        told = self._life.step(reading.t_us, fresh, reading.measured)
        if fresh:
            self._recount.step(self._life.scene, reading)  # it adds to what is told
        shift = self._reader.empty(self._emptiness.surely(self._tracker, self._weight))
        if shift is not None:
            self._tracker.leftovers.zeroed(shift)
            self._emptiness.zeroed(self._weight)
        return self._promise.dated(told)

    def _anew(self, t_us: BoardTime) -> list[TableEvent]:
        """Nothing lies there, by its weight, and the zeros are another board's: what was tracked is nothing."""
        self._anew_us = t_us
        note: Note = "anew"
        return self._promise.dated([TableEvent(EventKind.SETTLED, t_us, count=0, evidence=Evidence(note=note))])

    def _give_up_zeros(self, foreign: bool) -> bool:
        """Whether it is done: not where what is shown now is clearly a field of stones."""
        if self._reader.stones_lie(foreign):
            return False
        if self._tracker is not None:
            self._first_track = self._tracker.newborn.next_track
        self._warm = self._tracker = self._life = self._reading = self._cables = None
        self._lone, self._exchanged = Lone(self.layout), Exchanged(self.layout)
        self._reader.relearn(True, foreign)
        return True

    def _begin(self) -> tuple[Tracker, Life]:
        tracker = Tracker(self.layout, self._between.noise * self._reader.sigma, self._stones)
        tracker.newborn.next_track = self._first_track
        self._cables = Cables(self.layout, tracker.sigma, tracker.population)
        return tracker, Life(Scene(tracker, self._weight), Contacts(tracker))

    def _open(self, warm: WarmStart, reading: Reading) -> list[TableEvent]:
        """What lies on the board when the session begins; none while that is not known."""
        opening = warm.see(reading, self._weight, self._reader.sigma)
        if opening is None:
            return []
        self._warm, self._exchanged = None, Exchanged(self.layout, armed=warm.doubted)
        t = self._promise.date(reading.t_us)
        tracker, life = self._begin()
        if not opening.found.bodies:
            self._reader.relearn()
            self._reading = None
            if not warm.memory.bodies:
                return []
        self._tracker, self._life = tracker, life
        seat(tracker, opening, t)
        tracker.newborn.next_track += len(opening.found.come)
        return told(life.scene, opening, t)

    def memory(self) -> Memory | None:
        """What to keep of the board for the next start; None while it is not at rest."""
        if self._warm is not None or self._tracker is None or self._life is None or self._promise.last_us is None:
            return None
        return remembered(self.layout, self._life.scene, self._reader, self._emptiness, self._promise.last_us)

    def _health(self, t: BoardTime) -> list[TableReport]:
        """How the sensors are, once a second."""
        if t - self._told < HEALTH_US:
            return []
        self._told = t
        state = "ok" if self._reader.ready and self._warm is None else "starting"
        return [Health(t, state, self.faults)]

    def _picture(self, t: BoardTime) -> Picture:
        movers = [] if self._tracker is None else self._tracker.movers
        names = {} if self._tracker is None else self._tracker.identity.names
        seen = [m for m in movers if m.phase is not Phase.AWAY and (m.told or m.phase is not Phase.HAND)]
        stones = tuple(s for m in seen for s in stones_of(m, m.phase is not Phase.BOARD, names))
        return Picture(t, stones, self.grams(t))

    def finish(self) -> list[TableReport]:
        """No sample will follow: everything up to the last one is complete."""
        return [*self._promise.end()]
