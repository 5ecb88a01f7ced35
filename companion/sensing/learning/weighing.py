"""Counts per gram of the load cell, learned from known weights put on the empty board one after the other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.baseline.reading import RawSample
from companion.sensing.learning.still import CalibrationRefusedError, still
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.table.time import SECOND, BoardTime

LEAST_WEIGHTS: Final = 2
_LARGEST_MISFIT: Final = 0.02
WIDEST: Final = 2.0
"""What the load cell shows may be so many times what was told, or as many times less."""
_BEFORE_US: Final = 3 * SECOND
_EDGE_US: Final = SECOND // 5  # the platform still rings


@dataclass(frozen=True, slots=True)
class KnownWeight:
    """So many grams stood still on the board from t0_us to t1_us."""

    t0_us: BoardTime
    t1_us: BoardTime
    grams: float


@dataclass(frozen=True, slots=True)
class LoadGain:
    """gain: counts/g. misfit: the largest deviation of one weight from it, as a part. weights: how many."""

    gain: float
    misfit: float
    weights: int


def learn_load(layout: TableLayout, samples: Iterable[RawSample], weights: Sequence[KnownWeight]) -> LoadGain:
    """Raises CalibrationRefusedError where too few weights were seen, or they do not lie on one line."""
    if not layout.load_gain:
        raise CalibrationRefusedError("the table has no load cell to weigh with", "no_load_cell")
    spans = [(w.t0_us + _EDGE_US, w.t1_us - _EDGE_US // 2) for w in weights]
    seen = still(layout, samples, spans, _BEFORE_US)
    return fit_load(layout, np.array([w.grams for w in weights]), seen.grams - seen.empty)


def fit_load(layout: TableLayout, told: Floats, step: Floats) -> LoadGain:
    """From the grams told (n,) and those that the load cell showed (n,) by the layout's load gain, NaN where none.

    Raises CalibrationRefusedError where there are too few, or they do not lie on one line.
    """
    known = ~np.isnan(step)
    n = int(known.sum())
    if n < LEAST_WEIGHTS:
        raise CalibrationRefusedError(f"it has {n} weights, {LEAST_WEIGHTS} are needed", "few_weights", n=LEAST_WEIGHTS)
    told, step = told[known], step[known]
    part = float((step * told).sum() / (told * told).sum())
    if not 1.0 / WIDEST < part < WIDEST:
        raise CalibrationRefusedError(
            f"the load cell showed {part:.2f} times the weights told", "weight_ratio", part=round(part, 2)
        )
    misfit = float(np.abs(step / (part * told) - 1.0).max())
    if misfit > _LARGEST_MISFIT:
        raise CalibrationRefusedError(
            f"the weights disagree by {100 * misfit:.0f} %: not still, or not as told",
            "weights_disagree",
            percent=round(100 * misfit),
        )
    return LoadGain(layout.load_gain * part, misfit, n)
