"""How sure the place of a body is, from the slopes of its field and the weight of each row."""

from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.sensors.layout import Floats, TableLayout

_PRIOR: Final = np.array([20.0, 20.0, 5.0, 0.5, 0.5, 1.0, 0.2])
"""Spreads of what is known beforehand of the unknowns of a stone, so that a faint one has an ellipse too."""

_WINDOW_MM: Final = 70.0


def place_covariance(layout: TableLayout, body: Body, weight: Floats) -> Floats:
    """Covariance (2, 2), mm2, of a body's x and y. weight (S,): 1/mT2, 0 where a sensor is not trusted."""
    d = layout.position[:, :2] - body.centre[:2]
    rows = np.flatnonzero(((d * d).sum(axis=1) < _WINDOW_MM**2) & (weight > 0.0))
    normal = np.diag(_PRIOR**-2.0)
    if len(rows):
        _, slopes = FieldModel.of(layout, rows).jacobian(body.stones)
        whole = slopes.sum(axis=1)
        normal = normal + (whole * weight[rows]) @ whole.T
    out: Floats = np.asarray(np.linalg.inv(normal), dtype=np.float64)[:2, :2]
    return out
