"""What all readings are told above: the zeros of the field, the weight of the empty board, and the tracks that stand on
them. Zeros are learned, or known from the session before; where they prove to be another board's they are given up,
and the tracks with them.
"""

from typing import Final

from companion.sensing.baseline.emptiness import CREEP_G, Emptiness
from companion.sensing.baseline.exchanged import Exchanged
from companion.sensing.baseline.memory import Memory, remembered
from companion.sensing.baseline.reading import Reader, Reading
from companion.sensing.baseline.warm import WarmStart, seat, told
from companion.sensing.events.contacts import Contacts
from companion.sensing.events.life import Life
from companion.sensing.events.scene import Scene
from companion.sensing.fields.stones import POPULATION, StoneSet
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.sensors.weight import Scale, Weight
from companion.sensing.tracks.cables import Cables
from companion.sensing.tracks.lone import Lone
from companion.sensing.tracks.tracker import Tracker
from companion.table import BoardTime, TableEvent

ANEW_US: Final = 120_000_000
"""So long it is told that the zeros were learned anew."""


class Baseline:
    """Of one session. life: the tracks and what becomes of them, None until the zeros are known; reading: the newest,
    likewise; starting: what lies there is being recovered from the memory of the session before.
    """

    def __init__(
        self, layout: TableLayout, stones: StoneSet | None = None, memory: Memory | None = None, first_track: int = 1
    ) -> None:
        """As for companion.sensing.pipeline.Sensing."""
        self.layout, self._stones = layout, stones
        memory = memory if memory is not None and memory.fits(layout) else None
        self._first_track = first_track
        self._warm: WarmStart | None = None
        if memory is not None:
            population = POPULATION if stones is None else (*stones.moment, stones.shape)
            self._warm = WarmStart(layout, memory, population, first_track)
        self.reader = Reader(layout, None if memory is None else memory.zero, at_once=memory is not None)
        self.reading: Reading | None = None
        self.lone = Lone(layout)
        self.weight = Weight()
        self._emptiness = Emptiness()
        self._emptiness.before_g = None if memory is None else memory.tare_g
        self._exchanged = Exchanged(layout)
        self._cables: Cables | None = None
        self._anew_us: BoardTime | None = None  # when the zeros were given up, as another board's
        self.life: Life | None = None

    @property
    def tracker(self) -> Tracker | None:
        """The tracks alone."""
        return None if self.life is None else self.life.scene.tracker

    @property
    def starting(self) -> bool:
        """Nobody knows yet what lies there."""
        return self._warm is not None

    @property
    def swapped(self) -> tuple[str, ...]:
        """Codes of the tiles whose cables are exchanged."""
        return () if self._cables is None else self._cables.faults

    def faults(self, t_us: BoardTime) -> tuple[str, ...]:
        """Codes of whose zeros they are, at t_us."""
        if self._warm is not None and self._warm.foreign:
            return ("zeros_foreign",)
        return ("zeros_anew",) if self._anew_us is not None and t_us - self._anew_us < ANEW_US else ()

    def grams(self, t_us: BoardTime) -> float | None:
        """What lies on the board, above what the load cell showed when it was last empty; None without a load cell, and
        while that is not known."""
        tare = self._emptiness.tare_g
        if tare is None or self.weight.tell(t_us) is Scale.ABSENT:
            return None
        return round(self.weight.last_g - tare, 2)

    def go_on_from(self, before: "Baseline") -> None:
        """In the place of another one of the same link: its tracks' numbers go on; the zeros are learned anew, but what
        lies there weighs as much as before."""
        self._emptiness.go_on_from(before._emptiness, before.layout, self.layout)
        if before.tracker is not None:
            self._first_track = before.tracker.newborn.next_track
        else:  # it had no tracks yet, but may itself have come in the place of one that had
            self._first_track = max(self._first_track, before._first_track)

    def gap(self, missed_us: BoardTime) -> None:
        """So long no frame came."""
        self._exchanged.gap(missed_us)

    def crossed(self, reading: Reading) -> bool:
        """Take one reading; whether two tiles' cables are exchanged."""
        return self._cables is not None and self._cables.see(reading.field, reading.valid)

    def said_empty(self, t_us: BoardTime) -> bool:
        """A person says that the board is empty: whatever the sensors show, unless it is clearly a field of stones,
        are their zeros. False, and nothing changes, where it is one, or the load cell shows that something lies there
        (by what it showed of the empty board in the session before, while this one does not know).
        """
        excess = self._emptiness.excess_g(self.weight, t_us)
        if excess is not None and excess >= CREEP_G:
            return False
        # with the plugs each tile's zeros come to another
        return self._give_up(bool(self.swapped) or (self._warm is not None and self._warm.foreign))

    def opened(self, reading: Reading, t_us: BoardTime, noise: float) -> list[TableEvent]:
        """What lies on the board when the session begins, told at t_us; none while that is not known. noise: of a
        reading, in that of a scan."""
        warm = self._warm
        opening = None if warm is None else warm.see(reading, self.weight, self.reader.sigma)
        if warm is None or opening is None:
            return []
        self._warm, self._exchanged = None, Exchanged(self.layout, armed=warm.doubted)
        life = self._begin(noise)
        if not opening.found.bodies:
            self.reader.relearn()
            self.reading = None
            if not warm.memory.bodies:
                return []
        self.life = life
        tracker = life.scene.tracker
        seat(tracker, opening, t_us)
        tracker.newborn.next_track += len(opening.found.come)
        return told(life.scene, opening, t_us)

    def given_up(self, reading: Reading, noise: float) -> bool:
        """Take one reading, with which the tracks begin where they have not; whether the zeros were another board's, as
        nothing lies there by its weight. noise as in opened.
        """
        if self._warm is not None:
            emptied = self._emptiness.by_weight(self.weight, reading.t_us)
            other = self._warm.foreign and emptied
        else:
            if self.life is None:
                self.life = self._begin(noise)
            tracker = self.life.scene.tracker
            other = self._exchanged.see(reading, self._emptiness, self.weight, tracker.sigma, tracker.population)
        if not other or not self._give_up(foreign=True):
            return False
        self._anew_us = reading.t_us
        return True

    def renew(self, tracker: Tracker) -> None:
        """Learn the zeros again while the board is surely empty."""
        shift = self.reader.empty(self._emptiness.surely(tracker, self.weight))
        if shift is not None:
            tracker.leftovers.zeroed(shift)
            self._emptiness.zeroed(self.weight)

    def memory(self, t_us: BoardTime | None) -> Memory | None:
        """What to keep of the board at t_us for the next start; None while it is not at rest."""
        if self._warm is not None or self.life is None or t_us is None:
            return None
        return remembered(self.layout, self.life.scene, self.reader, self._emptiness, t_us)

    def _begin(self, noise: float) -> Life:
        tracker = Tracker(self.layout, noise * self.reader.sigma, self._stones)
        tracker.newborn.next_track = self._first_track
        self._cables = Cables(self.layout, tracker.sigma, tracker.population)
        return Life(Scene(tracker, self.weight), Contacts(tracker))

    def _give_up(self, foreign: bool) -> bool:
        """Whether it is done: not where what is shown now is clearly a field of stones."""
        if self.reader.stones_lie(foreign):
            return False
        if self.tracker is not None:
            self._first_track = self.tracker.newborn.next_track
        self._warm = self.life = self.reading = self._cables = None
        self.lone, self._exchanged = Lone(self.layout), Exchanged(self.layout)
        self.reader.relearn(True, foreign)
        return True
