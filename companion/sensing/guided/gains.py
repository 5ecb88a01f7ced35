"""Guided step: one stone put on marked points, one after the other, gives the gain of each sensor."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from companion.sensing.fields.prior import FLAT_HEIGHT
from companion.sensing.guided.sight import Lone, Sight
from companion.sensing.guided.step import Average, Clearing, RefusedError, Stage, magnets, restless, together, trouble
from companion.sensing.learning.calibration import LEAST_POINTS, KnownPoint, fit_gains
from companion.sensing.learning.still import Still
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.table import SECOND

NEAR_MM: Final = 4.0
"""A stone that the table sees so near to a point lies on it: a person sets it down to 0.5 mm, a tile lies to 1 or 2."""
SPAN_US: Final = round(0.35 * SECOND)
_PITCH_MM: Final = 45.0
_HIGH_MM: Final = 1.5
"""Further from its resting height the stone is held; a hand that still touches one that rests does no harm."""


def marked(layout: TableLayout) -> list[int]:
    """Sensors, about _PITCH_MM apart on each tile, that are to be marked on the mats (hardware/template.py
    prints them): their crosses are where the stone is put.
    """
    chosen: list[int] = []
    for tile in range(len(layout.triangles)):
        own = np.flatnonzero(layout.tile == tile)
        kept: list[int] = []
        for k in own.tolist():
            away = [float(np.hypot(*(layout.position[k, :2] - layout.position[j, :2]))) for j in kept]
            if all(d > _PITCH_MM - 1.0 for d in away):
                kept.append(k)
        chosen += kept
    return chosen


class GainsStep:
    """The points in any order, with the same stone, turned the same way."""

    name = "gains"

    def __init__(self, layout: TableLayout, points: Floats | None = None, height: float = FLAT_HEIGHT[0]) -> None:
        """points (n, 2) mm; height: of the stone's centre above the mats, mm."""
        self.stage: Stage = Stage.CLEAR
        self.trouble: Mapping[str, float | str] | None = None
        self._layout = layout
        chosen = marked(layout)
        self.points = layout.position[chosen, :2] if points is None else points
        self._names = [layout.names[k] for k in chosen] if points is None else [str(k) for k in range(len(points))]
        self._height = height
        self._clearing, self._average = Clearing(), Average(SPAN_US)
        self._done: dict[int, tuple[KnownPoint, Still]] = {}

    def tell(self, order: Mapping[str, Any]) -> None:
        raise RefusedError("not_now")

    def see(self, sight: Sight) -> None:
        if self.stage is Stage.CLEAR:
            self.trouble = magnets(sight)
            if self._clearing.see(sight):
                self.stage = Stage.PUT
            return
        lone = sight.lone
        if sight.stones > 1:
            self.trouble = trouble("one_magnet", n=sight.stones)
            self._average.begin()
        elif lone is None or not sight.steady or abs(lone.z - self._height) > _HIGH_MM:
            self._average.begin()
        else:
            self._lies(sight, lone)

    def _lies(self, sight: Sight, lone: Lone) -> None:
        away = np.hypot(*(self.points - [lone.x, lone.y]).T)
        k = int(away.argmin())
        self.trouble = None
        if not lone.flat:
            self.trouble = trouble("lie_flat")
        elif away[k] > NEAR_MM:
            if lone.still_s > 1.0:
                self.trouble = trouble("off_point", n=round(float(away[k])))
        elif k not in self._done:
            seen = self._average.add(sight, self._clearing.grams)
            if seen is not None and not restless(seen):
                x, y = self.points[k].tolist()
                self._done[k] = KnownPoint(sight.t_us - SPAN_US, sight.t_us, x, y, self._height, lone.pole), seen
                if len(self._done) == len(self.points):
                    self.stage = Stage.ENOUGH
            return
        self._average.begin()

    def shown(self) -> dict[str, Any]:
        """names, points: what each is called, and its x, y in a row; did: the numbers of those done; next: that of the
        one to be done now.
        """
        left = [k for k in range(len(self.points)) if k not in self._done]
        return {
            "done": len(self._done),
            "wanted": len(self.points),
            "least": LEAST_POINTS,
            "names": self._names,
            "points": self.points.round(1).ravel().tolist(),
            "did": sorted(self._done),
            "next": left[0] if left else None,
        }

    def found(self) -> dict[str, Any]:
        if len(self._done) < LEAST_POINTS:
            raise RefusedError("few_points", n=LEAST_POINTS)
        points, seen = zip(*self._done.values(), strict=True)
        return {"gains": fit_gains(self._layout, together(seen), points)}
