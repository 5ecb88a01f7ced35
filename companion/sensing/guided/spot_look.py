"""One stone that lies still, as a part of the sensors sees it: where, how well it explains them, which of them are odd.

For a person who has put it where the table told: no tracks and no order of the cables are taken for granted.
"""

from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.fields.stones import Population
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.cable_look import MOST, PART

ODD_PART: Final = 0.1
"""Of the sensors, the worst, that a misfit leaves out: they may be deaf or upside down, and are named by themselves."""
CLEAR_MT: Final = 2.5
"""Of the stone's field at a sensor, whose sign and size are then beyond doubt (gains differ by 3 %, shapes by 15 %)."""
_STARTS: Final = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))  # where its long side points
_LIES: Final = (8.0, 8.0, 2.0)  # mm, of a stone that lies near where it is begun
_ANYWHERE: Final = (25.0, 25.0, 25.0)
_LYING_MM, _HELD_MM = 3.6, 30.0
_SEEING: Final = 55
_PASSES, _LEFT_OUT = 2, 2


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """place (3,) mm, table frame; misfit: chi squared a sensor without the oddest tenth; pole: 1 or -1; own (S,) mT:
    the stone's field at all sensors.
    """

    place: Floats
    misfit: float
    pole: int
    own: Floats


class SpotLook:
    """Fits one stone to the readings of one table."""

    def __init__(self, layout: TableLayout, sigma: Floats, population: Population) -> None:
        """sigma (S,) mT: noise of what is looked at; population: what stones are like."""
        self._layout, self._sigma = layout, sigma
        self._moment, self._log_spread, self._shape = population
        self._model = FieldModel.of(layout)

    def look(self, field: Floats, rows: Bools, near: Floats | None = None, held: bool = False) -> Look | None:
        """The best stone by the sensors rows (S,) alone, of field (S,) mT; near (2,) mm: where it is begun, else at the
        strongest of them; held: it may be in a hand too. None where fewer than six are left.
        """
        if rows.sum() < 6:
            return None
        measured = np.where(rows, field, 0.0)
        peak = int(np.abs(measured).argmax())
        x, y = self._layout.position[peak, :2] if near is None else near
        up = 1.0 if measured[peak] >= 0.0 else -1.0
        best: Look | None = None
        for side, high in product(_STARTS, (_LYING_MM, _HELD_MM) if held else (_LYING_MM,)):
            stone = magnet((x, y, high), (0.0, 0.0, up), self._moment, self._shape, side)
            prior = Prior(stone.position[0], np.array(_ANYWHERE if held else _LIES), 2.0, *self._usual)
            body, own, used = Body((0,), stone), np.zeros(len(field)), rows
            for _ in range(_PASSES):
                variance = self._sigma**2 + PART**2 * np.maximum(measured**2, own**2)
                weight = np.where(used, 1.0 / variance, 0.0)
                body = fit(self._layout, [body], [prior], measured, weight, limit=15, window=1000.0).bodies[0]
                own = self._model.fields(body.stones).sum(axis=0)
                # A deaf sensor has the least variance until it is known what it should show.
                used = rows.copy()
                used[np.argsort(-np.where(rows, (measured - own) ** 2 * weight, 0.0))[:_LEFT_OUT]] = False
            misfit = self._misfit(field, own, rows)
            if best is None or misfit < best.misfit:
                best = Look(body.centre, misfit, 1 if body.stones.axis[0, 2] > 0.0 else -1, own)
        return best

    @property
    def _usual(self) -> tuple[float, float]:
        return float(np.log(self._moment)), self._log_spread

    def _misfit(self, field: Floats, own: Floats, rows: Bools) -> float:
        size = np.maximum(np.abs(field), np.abs(own))
        # Those that see nothing agree with anything.
        at = np.flatnonzero(rows)[np.argsort(-size[rows], kind="stable")[:_SEEING]]
        variance = self._sigma[at] ** 2 + (PART * size[at]) ** 2
        each = np.sort(np.minimum((field[at] - own[at]) ** 2 / variance, MOST))
        return float(each[: len(each) - max(1, round(ODD_PART * len(each)))].mean())
