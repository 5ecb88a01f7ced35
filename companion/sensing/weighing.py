"""Counts per gram of the load cell, learned from known weights put on the empty board one after the other."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.layout import TableLayout
from companion.sensing.reading import RawSample
from companion.sensing.still import CalibrationRefusedError, still
from companion.table.time import SECOND, BoardTime

LEAST_WEIGHTS: Final = 2
_LARGEST_MISFIT: Final = 0.02
_WIDEST: Final = 2.0
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
        raise CalibrationRefusedError("the table has no load cell to weigh with")
    spans = [(w.t0_us + _EDGE_US, w.t1_us - _EDGE_US // 2) for w in weights]
    seen = still(layout, samples, spans, _BEFORE_US)
    step = seen.grams - seen.empty
    known = ~np.isnan(step)
    if int(known.sum()) < LEAST_WEIGHTS:
        raise CalibrationRefusedError(f"it has {int(known.sum())} weights, {LEAST_WEIGHTS} are needed")
    told, step = np.array([w.grams for w in weights])[known], step[known]
    part = float((step * told).sum() / (told * told).sum())
    if not 1.0 / _WIDEST < part < _WIDEST:
        raise CalibrationRefusedError(f"the load cell showed {part:.2f} times the weights told")
    misfit = float(np.abs(step / (part * told) - 1.0).max())
    if misfit > _LARGEST_MISFIT:
        raise CalibrationRefusedError(f"the weights disagree by {100 * misfit:.0f} %: not still, or not as told")
    return LoadGain(layout.load_gain * part, misfit, int(known.sum()))
