"""A session whose zeros are known, and are another board's: the load cell shows an empty board, nothing moves, and many
sensors show what no stones can (companion.sensing.foreign)."""

from collections import deque
from typing import Final

import numpy as np

from companion.sensing.emptiness import Emptiness
from companion.sensing.foreign import foreign, off
from companion.sensing.layout import Bools, Floats, TableLayout
from companion.sensing.reading import Reading
from companion.sensing.restart import Recovery
from companion.sensing.stones import Population
from companion.sensing.weight import Weight
from companion.table import SECOND, BoardTime

FRAMES: Final = 40
UNREST_MT: Final = 0.25
AGAIN_US: Final = 10 * SECOND
"""A look takes as long as some dozens of frames."""


class Exchanged:
    """Watches one session."""

    def __init__(self, layout: TableLayout) -> None:
        self._layout = layout
        self._recent: deque[Reading] = deque(maxlen=FRAMES)
        self._looked_us: BoardTime | None = None

    def see(
        self, reading: Reading, emptiness: Emptiness, weight: Weight, sigma: Floats, population: Population
    ) -> bool:
        """Take one reading; whether the zeros must be learned anew. sigma (S,): noise of a reading, mT."""
        self._recent.append(reading)
        t_us = reading.t_us
        soon = self._looked_us is not None and t_us - self._looked_us < AGAIN_US
        if not emptiness.by_weight(weight, t_us) or soon or len(self._recent) < FRAMES:
            return False
        if not off(reading.field, reading.valid):  # with the noise of a single frame they are more, not fewer
            return False
        field = np.array([r.field for r in self._recent])
        valid: Bools = np.asarray(np.array([r.valid for r in self._recent]).all(axis=0))
        half = FRAMES // 2
        moved = np.abs(field[:half].mean(axis=0) - field[half:].mean(axis=0))[valid]
        if bool((moved > UNREST_MT).any()):
            return False
        self._looked_us = t_us
        mean = np.where(valid, field.mean(axis=0), 0.0)
        return foreign(Recovery(self._layout, sigma, population, 0), mean, valid, population, doubted=True)
