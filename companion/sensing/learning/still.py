"""What the sensors and the load cell showed while something lay still: means over spans of board time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from companion.sensing.baseline.reading import RawSample, Reader
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.table.time import SECOND, BoardTime

LEAST_FRAMES: Final = 10
LEAST_WEIGHINGS: Final = 8
UNSETTLED_MT: Final = 0.25
"""More change from one half of a span to the other is no stone that lies still."""

Span: TypeAlias = tuple[BoardTime, BoardTime]


class CalibrationRefusedError(ValueError):
    """The samples do not give values that can be trusted; one clause that says why. code, values: the same for pages
    that speak several languages."""

    def __init__(self, clause: str, code: str = "", **values: float | str) -> None:
        super().__init__(clause)
        self.code, self.values = code, values


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """field (P, S): mean of each span, mT; valid (P, S): where enough frames could be trusted; unrest (P, S): change
    of the mean from the span's first half to its second, mT; sigma (S,): noise of one reading, mT; grams (P,):
    median weight, as the layout's load gain gives it, NaN without enough weighings; frames (P,): frames in each span;
    empty (P,): median weight over the second before each span in which it was lowest, NaN likewise.
    """

    field: Floats
    valid: Bools
    unrest: Floats
    sigma: Floats
    grams: Floats
    empty: Floats
    frames: Floats


def still(layout: TableLayout, samples: Iterable[RawSample], spans: Sequence[Span], before_us: BoardTime = 0) -> Still:
    """Means of a session that began with an empty board. before_us: how long before a span the load cell may
    have stood empty.

    Raises CalibrationRefusedError where the zeros cannot be learned, ValueError where a sample is of another table.
    """
    reader = Reader(layout)
    shape = (len(spans), layout.count)
    total, first, number, early = np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape)
    frames = np.zeros(len(spans))
    weights: list[tuple[BoardTime, float]] = []
    for sample in samples:
        reading = reader.read(sample)
        if reading is None:
            continue
        weights += [(w.t_us, w.grams) for w in reading.load]
        for k, (start, end) in enumerate(spans):
            if start <= reading.t_us <= end:
                total[k] += reading.field
                number[k] += reading.valid
                frames[k] += 1
                if 2 * reading.t_us <= start + end:
                    first[k] += reading.field
                    early[k] += reading.valid
    if not reader.ready:
        raise CalibrationRefusedError(_why_no_zero(reader.faults), "no_zero")
    late = number - early
    second = (total - first) / np.maximum(late, 1.0)
    unrest = np.where((early > 4) & (late > 4), np.abs(second - first / np.maximum(early, 1.0)), 0.0)
    t, grams = np.array([w[0] for w in weights]), np.array([w[1] for w in weights])
    return Still(
        total / np.maximum(number, 1.0),
        number >= LEAST_FRAMES,
        unrest,
        reader.sigma,
        np.array([_median(grams[(t >= a) & (t <= b)]) for a, b in spans]),
        np.array([_lowest(t, grams, a - before_us, a) for a, _ in spans]),
        frames,
    )


def _why_no_zero(faults: Sequence[str]) -> str:
    for fault in faults:
        code, _, where = fault.partition(":")
        if code == "zero_refused":
            return f"a stone lay on the board at its beginning, near sensor {where}"
        if code == "zero_unsettled":
            return "the board was not at rest at its beginning"
    return "its beginning shows no empty board at rest"


def _median(grams: Floats) -> float:
    return float(np.median(grams)) if len(grams) >= LEAST_WEIGHINGS else float("nan")


def _lowest(t: Floats, grams: Floats, start: BoardTime, end: BoardTime) -> float:
    """The lowest median of a stretch of 0.4 s: the board without the stone and without the hand."""
    medians = [
        _median(grams[(t >= a) & (t < a + 2 * SECOND // 5)])
        for a in range(max(start, 0), end - 2 * SECOND // 5 + 1, SECOND // 5)
    ]
    known = [m for m in medians if not np.isnan(m)]
    return min(known, default=float("nan"))
