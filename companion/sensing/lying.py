"""One stone at rest, fitted with its long side turned several ways.

Of a stone that lies flat the field shows the long side only as the second correction to a dipole: from a wrong start
the fit stays in a minimum about a quarter turn off, mm beside the place. So the best of several turns about
the moment is the start, and the fit found is tried once more from a quarter turn off.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from companion.sensing.bodies import Body
from companion.sensing.dipole import FieldModel, turned
from companion.sensing.layout import Floats, TableLayout
from companion.sensing.prior import Prior
from companion.sensing.solver import WINDOW_MM, Fit, fit

STARTS: Final = 4


def rolled(body: Body, angle: float) -> Body:
    """The body of one stone turned about its moment, rad."""
    s = body.stones
    return Body(body.tracks, replace(s, side=turned(s.side, angle * s.axis)))


def fit_lying(
    layout: TableLayout, body: Body, prior: Prior, measured: Floats, weight: Floats, floor: float, limit: int = 8
) -> Fit:
    """The fit of a body of one stone alone; arguments as for companion.sensing.solver.fit."""

    def solved(start: Body) -> Fit:
        return fit(layout, [start], [prior], measured, weight, limit=limit, floors=[floor])

    if not body.stones.shape[0, 2]:
        return solved(body)
    d = layout.position[:, :2] - body.centre[:2]
    rows = np.flatnonzero(((d * d).sum(axis=1) < WINDOW_MM**2) & (weight > 0.0))
    starts = [rolled(body, np.pi * k / STARTS) for k in range(STARTS)]
    fields = FieldModel.of(layout, rows).fields(starts[0].stones.joined(*(b.stones for b in starts[1:])))
    costs = (weight[rows] * (measured[rows] - fields) ** 2).sum(axis=1)
    best = solved(starts[int(costs.argmin())])
    other = solved(rolled(best.bodies[0], np.pi / 2.0))
    return other if other.cost < best.cost else best
