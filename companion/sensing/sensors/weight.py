"""What the load cell says: plateaus, steps between them, and when something first touched.

An HX711 at 80 SPS on a platform that rings at some 30 Hz: a touch, a press or a landing shows within one
conversion (12.5 ms), the new level only when the ringing has died. Absolute weight drifts by grams (creep,
warming), and a magnet held above pulls by up to a gram; so the level is followed slowly and only steps count.
"""

from collections import deque
from dataclasses import dataclass
from enum import Enum
from statistics import median

from companion.table import BoardTime

QUIET_COUNT = 9  # conversions that must agree before a level counts (about 0.11 s)
FOLLOW = 0.06  # share of a quiet conversion's deviation that the level takes over
KEPT_STEPS = 64
FLOOR_G = 0.9  # a deviation below this is never a touch
CREEP_G = 0.05 / 80.0  # a conversion: 3 g in a minute; what changes faster is no creep, nor warming
NO_CREEP_G = 0.6  # so much ahead of that it was something else
PRESSED_G = 15.0  # no stone weighs more (companion.sensing.events.touching): a finger, a hand
PRESSED_US = 10_000_000  # no finger bears on the board for so long: it is something that was put there
VARIED = 800  # conversions of which no eight in a row were alike: this cell's noise is larger than a count
ALIKE = 8
HELD = 40  # of such a cell, alike: half a second; no weight is so still
SWINGS = 5  # conversions of a blow, whose median is no longer a swing (less than a third of it)


class Scale(Enum):
    """The load cell's state."""

    ABSENT = "absent"  # no conversion for half a second, or none at all
    QUIET = "quiet"
    DISTURBED = "disturbed"  # a hand presses, something lands, or the platform still rings


@dataclass(frozen=True, slots=True)
class Step:
    """From one plateau to the next. t_us: first touch; quiet_us: begin of the new plateau; grams: difference.

    peak_g: largest deviation in between (a hand presses tens of grams, a landing stone rings by some).
    """

    t_us: BoardTime
    quiet_us: BoardTime
    grams: float
    peak_g: float


class Weight:
    """Follows the load cell, conversion by conversion; strictly causal."""

    def __init__(self) -> None:
        self._recent: deque[tuple[BoardTime, float]] = deque(maxlen=QUIET_COUNT)
        self.state = Scale.ABSENT
        self.level: float | None = None
        self.touch_us: BoardTime | None = None
        self.last_us: BoardTime | None = None
        self.last_g = 0.0
        self._noise = 0.1
        self.peak_g = 0.0
        self._odd: tuple[BoardTime, float] | None = None
        self.steps: list[Step] = []
        self.changed_us: BoardTime | None = None  # when a conversion last differed from the one before
        self.crept_g = 0.0  # by how much the level has crept so far; steps are no part of it
        self._ahead_g = 0.0  # of what has been taken for creep
        self._pressed_g = 0.0  # what came onto the board at once, heavier than a stone, and has not gone again
        self._pressed_us: BoardTime = 0  # since when
        # Stones came and went and it did not notice, or all its noise is gone: it is not used until it changes.
        self.constant = False
        self._varied = self._alike = 0  # conversions: without a run of equal ones; equal to the one before

    def feed(self, t_us: BoardTime, grams: float) -> None:
        """One weighing (companion.sensing.sensors.load has thrown away what is none)."""
        if self.last_us is not None and t_us - self.last_us > 500_000:
            self._restart()
        if self.last_us is None or grams != self.last_g:
            self._varied = 0 if self._alike >= ALIKE and not self.constant else self._varied + 1
            self.changed_us, self.constant, self._alike = t_us, False, 0
        else:
            self._alike += 1
            self.constant = self.constant or (self._varied >= VARIED and self._alike >= HELD)
        self.last_us, self.last_g = t_us, grams
        if self.level is None:
            self._recent.append((t_us, grams))
            if self._agree():
                self.level, self.state = self._mean(), Scale.QUIET
            return
        off = grams - self.level
        if self.state is Scale.QUIET:
            self._quiet(t_us, grams, off)
        else:
            self._disturbed(t_us, grams, off)

    def tell(self, now_us: BoardTime) -> Scale:
        """The state at a board time: ABSENT when conversions have stopped, or are always the same."""
        if self.constant or self.last_us is None or now_us - self.last_us > 500_000:
            return Scale.ABSENT
        return self.state

    def mute(self, since_us: BoardTime) -> bool:
        """Whether no conversion has differed from the one before since then: nothing that it tells is of what came."""
        return self.changed_us is not None and self.changed_us < since_us

    def borne(self, now_us: BoardTime, lately_us: BoardTime) -> float:
        """The largest change of plateau (g, without sign) of the last lately_us, one that has only begun as well, or
        what has been pressing since an earlier one: what a finger bears on the board with, or no longer does. The
        swings of a blow are none; 0 without a load cell.
        """
        state = self.tell(now_us)
        if state is Scale.ABSENT:
            return 0.0
        changes = [abs(s.grams) for s in self.steps if s.quiet_us >= now_us - lately_us]
        if state is Scale.DISTURBED and self.level is not None and len(self._recent) >= SWINGS:
            changes.append(abs(float(median(g for _, g in self._recent)) - self.level))
        if now_us - self._pressed_us < PRESSED_US:
            changes.append(self._pressed_g)
        return max(changes, default=0.0)

    def _quiet(self, t_us: BoardTime, grams: float, off: float) -> None:
        assert self.level is not None
        limit = max(FLOOR_G, 8.0 * self._noise)
        if abs(off) <= limit:
            self._odd = None
            self.level += FOLLOW * off
            self._creep(FOLLOW * off)
            self._noise += 0.01 * (min(abs(off), 5.0 * self._noise) * 1.25 - self._noise)
            self._noise = max(self._noise, 0.01)
            return
        if self._odd is None:  # one odd conversion may be made up; a touch is dated by its first one
            self._odd = (t_us, off)
            return
        self.state, self.touch_us = Scale.DISTURBED, self._odd[0]
        self.peak_g = max(abs(self._odd[1]), abs(off))
        self._odd = None
        self._recent.clear()
        self._recent.append((t_us, grams))

    def _creep(self, by_g: float) -> None:
        """The level has changed by so much with nothing that touched."""
        self._ahead_g += by_g
        if abs(self._ahead_g) > NO_CREEP_G:
            self._ahead_g = 0.0
        part = min(max(self._ahead_g, -CREEP_G), CREEP_G)
        self.crept_g += part
        self._ahead_g -= part

    def _disturbed(self, t_us: BoardTime, grams: float, off: float) -> None:
        assert self.level is not None
        assert self.touch_us is not None
        self.peak_g = max(self.peak_g, abs(off))
        self._recent.append((t_us, grams))
        if self._agree():
            mean = self._mean()
            self.steps.append(Step(self.touch_us, self._recent[0][0], mean - self.level, self.peak_g))
            del self.steps[:-KEPT_STEPS]
            self._press(self.steps[-1])
            self.level, self.state, self.touch_us = mean, Scale.QUIET, None

    def _press(self, step: Step) -> None:
        """A finger comes down with one step and goes with another; a stone that it leaves there is none."""
        if step.grams > PRESSED_G:
            self._pressed_g, self._pressed_us = self._pressed_g + step.grams, step.quiet_us
        elif step.grams < 0.0:
            left = self._pressed_g + step.grams
            self._pressed_g = left if left > PRESSED_G else 0.0

    def _agree(self) -> bool:
        if len(self._recent) < QUIET_COUNT:
            return False
        values = sorted(g for _, g in self._recent)
        return values[-1] - values[0] < max(1.4, 14.0 * self._noise)

    def _mean(self) -> float:
        values = sorted(g for _, g in self._recent)[1:-1]
        return sum(values) / len(values)

    def _restart(self) -> None:
        self.state, self.level, self.touch_us, self._odd = Scale.ABSENT, None, None, None
        self._pressed_g = 0.0
        self._recent.clear()
