"""How well one stone explains a reading, were the tiles' cables plugged in each other's place.

Each order of the tiles' plugs gives another reading; the best single stone is looked for in each, and chi squared over
the same sensors says how well it is explained. Errors of gains, shapes and of a stone that moves while the sensors are
read are a part of what is measured.
"""

from itertools import combinations
from typing import Final, TypeAlias

import numpy as np

from companion.sensing.fields.births import Births
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.fields.stones import Population
from companion.sensing.sensors.layout import Bools, Floats, Ints, TableLayout

Order: TypeAlias = tuple[int, ...]
"""For each tile the tile whose cable is plugged in its place."""

GOOD: Final = 2.0
"""Chi squared a sensor up to which one stone explains a change."""

PART: Final = 0.1
"""Of the field: gains (0.03), shapes (0.06), and the few mm that a stone is carried during a scan."""

MOST: Final = 50.0
"""Of chi squared of one sensor: one that is not sound says no more."""

_HEIGHTS_MM: Final = (4.0, 16.0, 30.0, 46.0, 64.0)
_NOWHERE: Final = np.zeros((0, 3))


def orders(layout: TableLayout) -> tuple[Order, ...]:
    """The orders that are tried: first the right one, then each in which two tiles with as many sensors exchange."""
    count = len(layout.triangles)
    size = np.bincount(layout.tile, minlength=count)
    right = tuple(range(count))
    return (right, *(_swapped(right, a, b) for a, b in combinations(right, 2) if size[a] == size[b]))


def sensors(layout: TableLayout, order: Order) -> Ints:
    """For each sensor (S,) the one whose reading is its own, were the tiles plugged in this order."""
    out = np.arange(layout.count)
    for tile, other in enumerate(order):
        out[layout.tile == tile] = np.flatnonzero(layout.tile == other)
    return out


def _swapped(right: Order, a: int, b: int) -> Order:
    out = list(right)
    out[a], out[b] = b, a
    return tuple(out)


class CableLook:
    """Fits one stone to readings of one table."""

    def __init__(self, layout: TableLayout, sigma: Floats, population: Population) -> None:
        """sigma (S,) mT: noise of a reading; population: what stones are like."""
        self._layout, self._sigma = layout, sigma
        self._moment, self._log_spread, self._shape = population
        self._births = Births(layout, _HEIGHTS_MM)
        self._model = FieldModel.of(layout)

    def misfit(self, field: Floats, valid: Bools, order: Order) -> tuple[float, Floats]:
        """Chi squared a sensor of the best single stone, infinite where there is none, and its place (3,) mm; field
        (S,) mT and valid (S,): as they came.
        """
        at = sensors(self._layout, order)
        measured, sigma = np.where(valid, field, 0.0)[at], self._sigma[at]
        weight = np.where(valid[at], 1.0 / (sigma**2 + (PART * measured) ** 2), 0.0)
        damped = measured * np.minimum(1.0, np.sqrt(weight) * sigma)
        best, place = np.inf, np.zeros(3)
        for c in self._births.search(damped, float(np.median(sigma)), _NOWHERE, 0.0, most=2):
            body = Body((0,), c.magnets(self._moment, self._shape))
            prior = Prior(c.place, np.full(3, 25.0), 2.0, float(np.log(self._moment)), self._log_spread)
            body = fit(self._layout, [body], [prior], measured, weight, limit=15, window=1000.0).bodies[0]
            own = self._model.fields(body.stones).sum(0)
            variance = sigma**2 + PART**2 * np.maximum(measured**2, own**2)
            chi = float(np.minimum((measured - own) ** 2 / variance, MOST)[valid[at]].mean())
            if chi < best:
                best, place = chi, body.centre
        return best, place
