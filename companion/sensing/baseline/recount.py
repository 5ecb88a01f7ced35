"""Where the load cell disagrees with the tracks at rest, the stones are counted again by their field.

The weight is only the reason to look: a coin, or a hand that leans on the board, is no stone. Each body is taken away
in thought and what is left over is searched (restart.py), from the mean of the last quiet frames.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from companion.sensing.baseline.reading import Reading
from companion.sensing.baseline.restart import Recovered, Recovery
from companion.sensing.baseline.warm import seated
from companion.sensing.events.scene import Scene
from companion.sensing.fields.grams import Grams
from companion.sensing.sensors.layout import Floats
from companion.sensing.sensors.weight import Scale, Weight
from companion.sensing.tracks.dark import dark_somewhere
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import SECOND, BoardTime, EventKind, Evidence, Note, TableEvent

FRAMES: Final = 24
EVERY: Final = 10
AGREES_US: Final = 6 * SECOND // 10
"""The weight has to differ for so long: it is read with a hand on the board too."""
APART_MM: Final = 30.0
HOVER_MM: Final = 40.0
"""A stone carried higher touches nothing, and its field is taken off."""
WORSE: Final = 1.4
"""So much more chi squared is no reason against stones that the weight agrees with."""
LESS_G: Final = 2.0
LEANS_G: Final = 60.0
"""More than that is no stone."""


@dataclass(slots=True)
class Recount:
    """off_g: what the weight shows beyond the tracks, 0 while it agrees; changed: stones that a recount dropped and
    found, so far.
    """

    grams: Grams
    off_g: float = 0.0
    changed: int = 0
    _recent: deque[tuple[Floats, Floats]] = field(default_factory=lambda: deque(maxlen=FRAMES))
    _frame: int = 0
    _since_us: BoardTime | None = None
    _tracks: frozenset[int] = frozenset()  # when it was looked at last
    _lain: tuple[frozenset[int], BoardTime] | None = None  # the tracks, and since when

    def step(self, scene: Scene, reading: Reading) -> None:
        """Take one reading, after the tracks have."""
        tracker, t_us = scene.tracker, reading.t_us
        others = [m.kept for m in tracker.movers if m.phase is not Phase.BOARD]  # carried, or fallen to the table
        field = reading.field - sum(others, np.zeros(len(reading.field)))
        self._recent.append((field, np.asarray(reading.valid, dtype=np.float64)))
        self._frame += 1
        if self._frame % EVERY:
            return
        level = scene.weight.level
        if level is None or scene.weight.tell(t_us) is Scale.ABSENT:
            self.grams.forget()
            self.off_g, self._since_us = 0.0, None
            return
        board = [m for m in tracker.movers if m.phase is Phase.BOARD]
        tracks = frozenset(k for m in board for k in m.body.tracks)
        same, self._tracks = tracks == self._tracks, tracks
        if not same or scene.weight.tell(t_us) is not Scale.QUIET or _held(scene):
            self._since_us = None
            return
        if self._stuck(scene.weight, tracks):
            return
        self.off_g = self.grams.rests(tracks, level)
        if not self.off_g or abs(self.off_g) > LEANS_G:
            self._since_us = None
            return
        self._since_us = self._since_us or t_us
        if t_us - self._since_us < AGREES_US or len(self._recent) < FRAMES:
            return
        self._since_us = None
        off_g, found = self.off_g, self._count(scene, board, t_us)
        if found is not None:
            scene.events.append(_unsure(found.gone, found.come, found.count, off_g, t_us, "recount"))
        elif dark_somewhere(scene.tracker.layout, self._recent[-1][1] > 0.0):
            scene.events.append(_unsure((), (), abs(self.grams.stones(off_g)) or 1, off_g, t_us, "dark"))
        self.grams.begin((k for m in tracker.movers if m.phase is Phase.BOARD for k in m.body.tracks), level)

    def _stuck(self, weight: Weight, tracks: frozenset[int]) -> bool:
        """Stones came or went, and not one conversion differed (known failure B7): the load cell is told and not
        used."""
        assert weight.last_us is not None
        before, since_us = self._lain = self._lain or (tracks, weight.last_us)
        if tracks == before:
            return False
        weight.constant = weight.changed_us is not None and weight.changed_us < since_us
        if not weight.constant:
            self._lain = tracks, weight.last_us
        return weight.constant

    def _count(self, scene: Scene, board: list[Mover], t_us: BoardTime) -> Recovered | None:
        """What was found, where that is other than the tracks and fits the weight better."""
        tracker = scene.tracker
        valid = np.array([v for _, v in self._recent]).min(axis=0) > 0.0
        mean = np.mean([f for f, _ in self._recent], axis=0) - tracker.leftovers.bare - tracker.leftovers.background
        mean = np.where(valid, mean, 0.0)
        bodies = [m.body for m in board]
        recovery = Recovery(tracker.layout, tracker.sigma, tracker.population, tracker.newborn.next_track)
        # A cluster can stand for fewer or more stones than it says: those are doubted first, then everything.
        clusters = [b for b in bodies if len(b.tracks) > 1]
        doubts = [[], *([clusters] if clusters else []), bodies]
        ways = [recovery.recover(mean, valid, bodies, each) for each in doubts]
        least = min(each.cost for each in ways)
        possible = [each for each in ways if each.cost <= WORSE * least]
        found = min(possible, key=lambda each: abs(self._off(each)))
        if abs(self._off(found)) > abs(self.off_g) - LESS_G or not (found.gone or found.come):
            return None
        apply(scene, found, t_us)
        tracker.newborn.next_track = recovery.next_track
        self.changed += len(found.gone) + len(found.come)
        return found

    def _off(self, found: Recovered) -> float:
        """What the weight would show beyond these."""
        usual, of = self.grams.usual[0], self.grams.of
        gone = sum(of.get(k, usual) for k in found.gone)
        return self.off_g + gone - usual * len(found.come)


def apply(scene: Scene, found: Recovered, t_us: BoardTime) -> None:
    """Drop what is not there, and seat what is: the next settled lists it."""
    tracker = scene.tracker
    here = {b.tracks: b for b in found.bodies}
    for m in [m for m in tracker.movers if m.phase is Phase.BOARD and m.body.tracks not in here]:
        tracker.drop(m)
    for m in [m for m in tracker.movers if m.phase is Phase.HAND and not m.told]:
        if any(float(np.linalg.norm(b.centre - m.body.centre)) < APART_MM for b in found.bodies):
            tracker.drop(m)  # the same stone, about to be seen coming
    known = {m.body.tracks for m in tracker.movers}
    for tracks, body in here.items():
        if tracks not in known:
            tracker.movers.append(seated(tracker, body, t_us))
            scene.lain |= set(tracks)
    tracker.leftovers.own([m for m in tracker.movers if m.rested is not None and not m.awake])
    tracker.newborn.again()
    scene.disturbed = True


def _unsure(
    gone: Sequence[int], come: Sequence[int], count: int, off_g: float, t_us: BoardTime, note: Note
) -> TableEvent:
    """What was told of these stones before may be wrong: people are asked."""
    evidence = Evidence(weight_step_g=round(off_g, 2), note=note)
    stones = tuple(sorted({*gone, *come}))
    return TableEvent(EventKind.UNSURE, t_us, stones, count, t_us, until_us=t_us, p=0.5, evidence=evidence)


def _held(scene: Scene) -> bool:
    """A stone is in a hand, or something is not decided. Ghosts never lie still: whether tracks move says nothing. One
    where no sensor sees any more may have been put down.
    """
    tracker = scene.tracker
    if scene.placed or scene.collapses.open or tracker.newborn.parked:
        return True
    return any(
        m.carried
        and not tracker.dark(m)
        and (m.phase is not Phase.HAND or (m.told and float(m.body.centre[2]) < HOVER_MM))
        for m in tracker.movers
    )
