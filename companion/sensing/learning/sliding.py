"""Follows one stone that is slid flat over the seams, and keeps the frames in which both tiles see it."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.baseline.reading import Reading
from companion.sensing.fields.births import LYING_MM, Births
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.lying import fit_lying
from companion.sensing.fields.magnets import Magnets
from companion.sensing.fields.prior import FLAT_HEIGHT, Prior
from companion.sensing.fields.stones import POPULATION, LearnedStone
from companion.sensing.sensors.layout import Floats, Ints, TableLayout

EVERY: Final = 3
"""Of so many frames one is used."""
APART_MM: Final = 1.0
"""A frame in which the stone has moved less since the last one that was kept shows nothing new."""
FLOOR_MT: Final = 0.08
_WINDOW_MM: Final = 55.0
_LEAST_ROWS: Final = 4  # of each tile, with the stone within _NEAR_MM
_NEAR_MM: Final = 26.0
_FLAT: Final = 0.98  # upright part of its axis


@dataclass(slots=True, eq=False)
class SlideFrame:
    """field (S,) mT and the rows (R,) of it that count; stone: as it was fitted; speed (3,): mm a microsecond, so far
    as the neighbouring frames tell; tiles: the two whose seam it crosses; height: of its centre when it lies flat, mm.
    """

    field: Floats
    rows: Ints
    stone: Magnets
    speed: Floats
    t_us: int
    tiles: tuple[int, int]
    height: float


class Follower:
    """frames: those that count, in order. stone: the one that is slid, where it is known; most: frames of each two
    tiles, None for any number.
    """

    def __init__(self, layout: TableLayout, stone: LearnedStone | None, most: int | None = None) -> None:
        self.frames: list[SlideFrame] = []
        self._most, self._kept = most, Counter[tuple[int, int]]()
        self._newest: Floats | None = None  # where the stone was in the newest of the frames
        self._layout, self._births = layout, Births(layout, LYING_MM)
        self._moment, self._spread, self._shape = (stone.moment, 0.05, stone.shape) if stone else POPULATION
        self._height, self._high = (stone.thickness / 2, 0.3) if stone else FLAT_HEIGHT
        self._last: Body | None = None
        self._before: tuple[int, Floats] | None = None

    def lift(self) -> None:
        """The stone is off the board, or another seam's turn has come: it is looked for anew."""
        self._last = self._before = None

    def add(self, reading: Reading, sigma: Floats, tiles: tuple[int, int] | None = None) -> tuple[int, int] | None:
        """One reading with its noise (S,) mT. tiles: the two whose seam is crossed, None for the two that see most of
        the stone. Those whose frame was kept, None where it was not.
        """
        last = self._last
        if last is None:
            found = self._births.search(reading.field, float(np.median(sigma)), np.zeros((0, 3)), 0.0, most=1)
            if not found:
                return None
            last = Body((1,), found[0].magnets(self._moment, self._shape))
        weight = np.where(reading.valid, 1.0 / (FLOOR_MT**2 + (0.05 * reading.field) ** 2), 0.0)
        spread = np.array([20.0, 20.0, self._high])
        prior = Prior(
            np.array([*last.centre[:2], self._height]), spread, 0.3, float(np.log(self._moment)), self._spread
        )
        last = self._last = fit_lying(self._layout, last, prior, reading.field, weight, 2.0).bodies[0]
        place, before = last.centre, self._before
        speed = np.zeros(3) if before is None else (place - before[1]) / (reading.t_us - before[0])
        if before is not None and self.frames and self.frames[-1].t_us == before[0]:
            newest = self.frames[-1]
            newest.speed = 0.5 * (newest.speed + speed) if newest.speed.any() else speed
        self._before = (reading.t_us, place.copy())
        away = np.hypot(*(self._layout.position[:, :2] - place[:2]).T)
        seen = (away < _NEAR_MM) & reading.valid
        near = np.bincount(self._layout.tile[seen], minlength=len(self._layout.triangles))
        if tiles is None:
            first, second = sorted(np.argsort(near, kind="stable")[-2:].tolist())
            tiles = (first, second)
        if min(near[list(tiles)]) < _LEAST_ROWS or abs(float(last.stones.axis[0, 2])) < _FLAT:
            return None
        if self._newest is not None and np.hypot(*(place - self._newest)[:2]) < APART_MM:
            return None
        if self._most is not None and self._kept[tiles] >= self._most:
            return None
        self._kept[tiles] += 1
        self._newest = place.copy()
        rows = np.flatnonzero((away < _WINDOW_MM) & reading.valid)
        self.frames.append(SlideFrame(reading.field, rows, last.stones, speed, reading.t_us, tiles, self._height))
        return tiles
