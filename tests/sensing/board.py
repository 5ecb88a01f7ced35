"""A table whose field and weight are made up, frame by frame, with all of sensing behind it."""

from typing import Any

import numpy as np

from companion.sensing.pipeline import Sensing
from companion.table import EventKind, TableEvent
from drivers.sample import LoadSample

TARE_COUNTS, GRAM = 84_000, 420.0
SECOND = 100  # frames


class Board:
    """Feeds frames to a pipeline; drift (S,) mT a second, a stone's field and grams while it lies there."""

    def __init__(self, layout: Any, frame: Any, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.sensing = Sensing(layout)
        self.drift = rng.normal(0.0, 0.02, layout.count)
        self._frame, self._rng, self.n = frame, rng, 0
        self.reports: list[Any] = []
        self.load_offset = 0.0

    def run(self, seconds: float, field: Any = 0.0, grams: float = 0.0) -> None:
        for _ in range(round(seconds * SECOND)):
            counts = TARE_COUNTS + round(self.load_offset + GRAM * grams + self._rng.normal(0.0, 20.0))
            shown = field + self.drift * self.n / SECOND
            sample = self._frame(self.n, field=shown, rng=self._rng, load=(LoadSample(self.n * 10_000, counts),))
            self.reports += self.sensing.feed(sample)
            self.n += 1

    @property
    def events(self) -> list[EventKind]:
        return [r.kind for r in self.reports if isinstance(r, TableEvent)]

    def worst(self) -> float:
        """mT: the zeros' median error now."""
        field = np.mean([self._field() for _ in range(40)], axis=0)
        return float(np.median(np.abs(field)))

    def _field(self) -> Any:
        self.run(0.01)
        reading = self.sensing.reading
        assert reading is not None
        return reading.field
