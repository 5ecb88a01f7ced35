"""Rival fits of one reading, compared over the same sensors.

The chi squared of a fit is of the sensors near the place where it began (solver.WINDOW_MM). Of two fits that put the
stones elsewhere each then leaves out what the other has to explain: a stack posed away from a stone that lies still
would have nothing to say of that stone's field, and would cost nothing there. Likelihoods are compared over one and the
same data.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.solver import HUBER, Fit
from companion.sensing.sensors.layout import Floats

EXPLAINS: Final = 2.2
"""Chi squared a row with which a fit explains the reading at all."""


def shared_rows(fits: Sequence[Fit]) -> npt.NDArray[np.int64]:
    """The sensors (U,) that any of these fits has used, rising."""
    return np.unique(np.concatenate([found.rows for found in fits]))


def cost_over(
    rows: npt.NDArray[np.int64], found: Fit, model: FieldModel, measured: Floats, weight: Floats, huber: float = HUBER
) -> float:
    """The chi squared of a fit, its priors' included, over these rows and its own.

    measured (S,) mT and weight (S,) 1/mT2 as the fit had them; huber: deviations from which on a row counts linearly.
    """
    besides = np.zeros(len(measured), dtype=np.bool_)
    besides[rows] = True
    besides[found.rows] = False
    more = np.flatnonzero(besides)
    if not len(more):
        return found.cost
    own = sum((model.fields(body.stones).sum(0)[more] for body in found.bodies), np.zeros(len(more)))
    size = np.abs(measured[more] - own) * np.sqrt(weight[more])
    return found.cost + float(np.where(size <= huber, size * size, huber * (2.0 * size - huber)).sum())


def costs_of(fits: Sequence[Fit], model: FieldModel, measured: Floats, weight: Floats) -> tuple[int, list[float]]:
    """How many sensors these rivals have used together, and what each costs over those (cost_over)."""
    rows = shared_rows(fits)
    return len(rows), [cost_over(rows, found, model, measured, weight) for found in fits]
