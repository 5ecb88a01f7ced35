"""Whether a field over the sensors hangs together as stones' does, or each sensor is off by itself.

What stones show at neighbouring sensors is correlated: a dipole some mm above the mats reaches several of them. Zeros
of another board are not. So the covariance of the field of stones that may lie anywhere, in any pose, is compared with
that of independent errors (a likelihood ratio of two Gaussian models; Rasmussen and Williams, Gaussian Processes,
5.4.1), at the best scale of each. No stone is looked for: a heap in which none can be told apart hangs together as
well.
"""

from functools import lru_cache
from typing import Final

import numpy as np

from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import DEFAULT_MOMENT, DEFAULT_SHAPE, Magnets
from companion.sensing.sensors.layout import Bools, Floats, TableLayout

APART_MM: Final = 12.0
"""Between places, less than the sensors' distance."""
HEIGHTS_MM: Final = (4.0, 10.0)
"""Of a stone on the mats, and of one on another."""
SHARES: Final = (0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98)
"""Of the variance that is the stones'; the rest is each sensor's own."""
LEAST_LOG_RATIO: Final = 7.0
"""Odds of 1000 to 1. Of 900 boards with errors made up as in tests/sensing/test_exchanged.py the worst reached 6.3; of
160 heaps most exceed it (median 17). Single stones often do not, as few sensors see them: fits find those."""


def hangs_together(layout: TableLayout, field: Floats, valid: Bools) -> bool:
    """Whether a field (S,), mT, is much likelier one of stones than of errors of single sensors; valid (S,)."""
    return log_ratio(layout, field, valid) >= LEAST_LOG_RATIO


def log_ratio(layout: TableLayout, field: Floats, valid: Bools) -> float:
    """Natural logarithm of the likelihood ratio; 0 where stones explain nothing better."""
    shown = field[valid]
    if not shown.any():
        return 0.0
    variance, modes = np.linalg.eigh(covariance(layout)[np.ix_(valid, valid)])
    power = (modes.T @ shown) ** 2
    plain = _log_likelihood(power, np.ones(len(power)))
    return max(0.0, *(_log_likelihood(power, share * variance + 1.0 - share) - plain for share in SHARES))


@lru_cache(maxsize=2)
def covariance(layout: TableLayout) -> Floats:
    """(S, S) of the field of one stone anywhere on the mats, its mean variance 1."""
    low, high = layout.position[:, :2].min(axis=0), layout.position[:, :2].max(axis=0)
    across, along = (np.arange(a - APART_MM, b + APART_MM, APART_MM) for a, b in zip(low, high, strict=True))
    spots = [(x, y) for x in across for y in along if float(layout.beside(np.array([x, y]))) <= APART_MM]
    place = np.array([(x, y, z) for x, y in spots for z in HEIGHTS_MM])
    n, model = len(place), FieldModel.of(layout)
    out: Floats = np.zeros((layout.count, layout.count))
    for axis, side in ((0, 1), (1, 2), (2, 0)):
        unit = np.eye(3)
        stones = Magnets(
            place,
            np.tile(unit[axis], (n, 1)),
            np.full(n, np.log(DEFAULT_MOMENT)),
            np.tile(DEFAULT_SHAPE, (n, 1)),
            np.tile(unit[side], (n, 1)),
        )
        field = model.fields(stones)
        out += field.T @ field
    scaled: Floats = out * layout.count / np.trace(out)
    return scaled


def _log_likelihood(power: Floats, variance: Floats) -> float:
    """Of modes with this power, up to a constant, at the scale that makes it the largest."""
    scale = float((power / variance).mean())
    return -0.5 * float(np.log(variance).sum() + len(power) * np.log(scale))
