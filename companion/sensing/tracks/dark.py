"""Places on the board that no sensor sees any more, because a multiplexer or a tile is lost.

What lies there stays as it was; of what comes or goes there little is known, so people are asked.
"""

from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.sensors.layout import Bools, Floats, TableLayout

SEEN_MM: Final = 22.0
"""A stone whose sensors so near, measured level, are all lost is not followed: a fit of it would follow whatever else
moves near. One that has none there, because it lies beside the mats, is fitted by what is farther away."""

_STEP_MM: Final = 0.2
_LOG_MOMENT: Final = 0.2  # of a stone that is not known well


def place_errors(model: FieldModel, body: Body, weight: Floats) -> Floats:
    """Standard deviations (3,) in mm of a body's place by what sees it, with weight (S,) 1/mT2: of place and moment,
    by the information that a reading has of them (Cramer-Rao).
    """
    steps = _STEP_MM * np.eye(3)
    fields = [[model.fields(body.shifted(by).stones).sum(0) for by in (step, -step)] for step in steps]
    slopes = [(up - down) / (2.0 * _STEP_MM) for up, down in fields]
    rows = np.array([*slopes, model.fields(body.stones).sum(0)])
    information = (rows * weight) @ rows.T + np.diag([1e-6, 1e-6, 1e-6, _LOG_MOMENT**-2])
    out: Floats = np.sqrt(np.diag(np.linalg.inv(information))[:3])
    return out


def half_blind(layout: TableLayout, place: Floats, sees: Bools) -> bool:
    """Whether half or more of the sensors by which a stone at the place (2,) mm is mostly seen cannot be used."""
    if sees.all():
        return False
    away = layout.position[:, :2] - place
    near = (away * away).sum(axis=1) < SEEN_MM**2
    return bool(near.any() and 2 * (near & sees).sum() <= near.sum())


def dark_at(layout: TableLayout, place: Floats, sees: Bools) -> bool:
    """Whether the sensors (S,) that can be used, `sees`, leave none at the place (2,) mm, where there are some."""
    if sees.all():
        return False
    away = layout.position[:, :2] - place
    near = (away * away).sum(axis=1) < SEEN_MM**2
    return bool(near.any() and not (near & sees).any())


def dark_somewhere(layout: TableLayout, sees: Bools) -> bool:
    """Whether there is such a place, at one of the sensors."""
    return any(dark_at(layout, layout.position[k, :2], sees) for k in np.flatnonzero(~sees))
