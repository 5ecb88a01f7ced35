"""The first second of a session that begins with a memory: readings are gathered until they are quiet, the board is
recovered from them (companion.sensing.baseline.restart), and what is found is told with how sure it is.

Nothing found: the board is empty, and the session goes on as any other, with zeros that it learns itself.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.baseline.foreign import everywhere, foreign
from companion.sensing.baseline.memory import Memory
from companion.sensing.baseline.reading import Reading
from companion.sensing.baseline.restart import DRIFT_MT, Recovered, Recovery
from companion.sensing.events.resting import stones_of
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.covariance import hangs_together
from companion.sensing.fields.stones import Population
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.sensors.weight import Scale, Weight
from companion.sensing.tracks.movers import MOMENT_SPREADS, Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import SECOND, BoardTime, EventKind, Evidence, Note, TableEvent

FRAMES: Final = 40
PATIENCE_US: Final = 5 * SECOND
"""A board that is not quiet by then is taken as it is, and doubted."""
UNREST_MT: Final = 0.35
MASS_G: Final = (6.5, 3.0)
"""Of a stone that was never weighed, and its spread."""
LIGHTEST_G, HEAVIEST_G = 2.0, 15.0
CREEP_G: Final = 1.5
"""The load cell may have crept by so much since the memory was kept."""
SURE, COME, GONE, UNKNOWN_WEIGHT, DOUBT = 0.98, 0.95, 0.9, 0.97, 0.4
"""Factors of the confidence: all as it was; for each stone found, and gone or moved; without a weight; and for each
doubt."""
STRANGE_SENSORS: Final = 4
ASK_BELOW: Final = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Opening:
    """What a session begins with. p: confidence; note: "warm" or "cold"; off_g: grams by which the weight differs
    from what the stones explain, None where not known; doubts: codes.
    """

    found: Recovered
    mean: Floats
    valid: Bools
    p: float
    note: Note
    off_g: float | None
    doubts: tuple[Note, ...]


class WarmStart:
    """One start with a memory of this table. first_track: of the stones that are found."""

    def __init__(self, layout: TableLayout, memory: Memory, population: Population, first_track: int) -> None:
        self._layout, self.memory, self._population = layout, memory, population
        self._first_track = first_track
        self._recent: deque[Reading] = deque(maxlen=FRAMES)
        self._since: BoardTime | None = None
        self._looked_us: BoardTime | None = None
        self.foreign = False
        """Many sensors show what no stones can: nothing is begun until the board is said to be empty."""
        self.doubted = False
        """The fits say so, but the weight or the field as a whole speak of stones: a heap. It is begun with a doubt."""

    def see(self, reading: Reading, weight: Weight, sigma: Floats) -> Opening | None:
        """Take one reading; the opening when the readings are quiet, None while they are not."""
        self._since = reading.t_us if self._since is None else self._since
        self._recent.append(reading)
        late = reading.t_us - self._since > PATIENCE_US
        if len(self._recent) < FRAMES:
            return None
        field = np.array([r.field for r in self._recent])
        valid: Bools = np.asarray(np.array([r.valid for r in self._recent]).all(axis=0))
        half = FRAMES // 2
        moved = np.abs(field[:half].mean(axis=0) - field[half:].mean(axis=0))[valid]
        noise = 3.0 * np.sqrt(4.0 / FRAMES) * sigma[valid]
        restless = bool((moved > np.maximum(UNREST_MT, noise)).any()) or weight.tell(reading.t_us) is Scale.DISTURBED
        if restless and not late:
            return None
        mean = np.where(valid, field.mean(axis=0), 0.0)
        if self._other_board(reading.t_us, mean, valid, sigma, weight.level):
            return None
        recovery = Recovery(self._layout, sigma, self._population, self._first_track)
        found = recovery.recover(mean, valid, self.memory.bodies)
        return self._judged(found, mean, valid, weight.level, restless)

    def _other_board(self, t_us: BoardTime, mean: Floats, valid: Bools, sigma: Floats, level_g: float | None) -> bool:
        tare_g = self.memory.tare_g
        weightless = tare_g is not None and level_g is not None and abs(level_g - tare_g) < CREEP_G
        if self._looked_us is None or t_us - self._looked_us >= SECOND:
            self._looked_us = t_us
            recovery = Recovery(self._layout, sigma, self._population, self._first_track)
            unlike = foreign(recovery, mean, valid, self._population, self.memory.bodies, weightless)
            heavy = tare_g is not None and level_g is not None and level_g - tare_g >= LIGHTEST_G
            self.doubted = unlike and not everywhere(mean, valid)
            self.doubted = self.doubted and (heavy or hangs_together(self._layout, mean, valid))
            self.foreign = unlike and not self.doubted
        return self.foreign

    def _judged(self, found: Recovered, mean: Floats, valid: Bools, level_g: float | None, restless: bool) -> Opening:
        off_g = self._off(found, level_g)
        named: dict[Note, bool] = {
            "restless": restless,
            "residual": self.doubted or bool(found.doubtful) or found.strange >= STRANGE_SENSORS or self._odd(found),
            "weight": off_g is not None and not _possible(off_g, len(found.come), len(found.gone)),
        }
        doubts = [code for code, holds in named.items() if holds]
        p = SURE * COME ** len(found.come) * GONE ** (len(found.gone) + len(found.moved)) * DOUBT ** len(doubts)
        if off_g is None:
            p *= UNKNOWN_WEIGHT ** max(1, found.count)
        note: Note = "warm" if self.memory.bodies else "cold"
        return Opening(found, mean, valid, round(p, 3), note, off_g, tuple(doubts))

    def _odd(self, found: Recovered) -> bool:
        """A stone that has come has a moment that no stone has: it is a phone, or two stones."""
        mean, spread = float(np.log(self._population[0])), MOMENT_SPREADS * self._population[1]
        new = [b for b in found.bodies if not set(b.tracks).isdisjoint({*found.come, *found.moved})]
        return any(abs(float(np.log(b.moment)) - mean) > spread for b in new)

    def _off(self, found: Recovered, level_g: float | None) -> float | None:
        """Grams that the load cell shows beyond what it should."""
        if level_g is None:
            return None
        by = MASS_G[0] * (len(found.come) - len(found.gone))
        if self.memory.level_g is not None:
            return level_g - self.memory.level_g - by
        return None if self.memory.tare_g is None or self.memory.bodies else level_g - self.memory.tare_g - by


def _possible(off_g: float, come: int, gone: int) -> bool:
    """Whether stones of which so many have come and gone can weigh so much more than MASS_G each."""
    low = LIGHTEST_G * come - HEAVIEST_G * gone
    high = HEAVIEST_G * come - LIGHTEST_G * gone
    change = off_g + MASS_G[0] * (come - gone)
    usual = 2.0 * MASS_G[1] * float(np.sqrt(come + gone))
    return low - CREEP_G < change < high + CREEP_G and abs(off_g) < usual + CREEP_G


def seat(tracker: Tracker, opening: Opening, t_us: BoardTime) -> None:
    """The bodies found become the tracker's, at rest; what they leave over is learned at once."""
    tracker.movers += [seated(tracker, body, t_us) for body in opening.found.bodies]
    if not tracker.movers:
        return  # zeros are learned next
    tracker.leftovers.own(tracker.movers)
    for m in tracker.movers:
        tracker.leftovers.rest(m, opening.found.left, opening.valid)
    bare = (tracker.leftovers.owner < 0) & opening.valid
    limit = 3.0 * DRIFT_MT
    tracker.leftovers.bare[bare] = np.clip(opening.found.left[bare], -limit, limit)


def seated(tracker: Tracker, body: Body, t_us: BoardTime) -> Mover:
    """A mover of a body that lies there."""
    m = Mover(body, Phase.BOARD, t_us, born_at=body.centre, told=True, awake=False, evidence=300.0)
    m.smooth = m.anchor = m.rested = body.centre
    m.lain = body if m.single else None
    m.still_us = m.low_us = m.placed_us = t_us - SECOND
    m.log_moment, m.log_sigma = float(np.log(body.moment)), 0.06
    m.kept = tracker.model.fields(body.stones).sum(axis=0)
    return m


def told(scene: Scene, opening: Opening, t_us: BoardTime) -> list[TableEvent]:
    """settled, with what lies there; and before it unsure, where that is to be doubted."""
    found = opening.found
    scene.lain |= {k for b in found.bodies for k in b.tracks}
    names = scene.tracker.identity.names
    rest = tuple(s for m in scene.tracker.movers for s in stones_of(m, False, names))
    off_g = None if opening.off_g is None else round(opening.off_g, 2)
    misfit = round(float(np.sqrt(max(found.misfit, default=0.0))), 2)
    evidence = Evidence(weight_step_g=off_g, residual=misfit, note=" ".join((opening.note, *opening.doubts)))
    settled = TableEvent(
        EventKind.SETTLED, t_us, count=len(rest), t_report_us=t_us, rest=rest, p=opening.p, evidence=evidence
    )
    if opening.p >= ASK_BELOW:
        return [settled]
    stones = tuple(sorted({*found.doubtful, *found.gone, *found.come, *found.moved}))
    unsure = TableEvent(
        EventKind.UNSURE, t_us, stones, len(rest), t_us, rest=rest, until_us=t_us, p=opening.p, evidence=evidence
    )
    return [unsure, settled]
