"""A session whose zeros are known, and are another board's: frames were missing for as long as a person needs to
exchange it, the load cell shows an empty board, nothing moves, and many sensors show what no stones can
(companion.sensing.baseline.foreign). Without such a gap it is not asked: a heap would now and then look so as well.
"""

from collections import deque
from typing import Final

import numpy as np

from companion.sensing.baseline.emptiness import Emptiness
from companion.sensing.baseline.foreign import foreign, off
from companion.sensing.baseline.reading import SHOWN, Reading
from companion.sensing.baseline.restart import Recovery
from companion.sensing.baseline.warm import UNREST_MT
from companion.sensing.fields.stones import Population
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.sensors.weight import Weight
from companion.table import SECOND, BoardTime

EXCHANGE_US: Final = 3 * SECOND
"""A plug is pulled, another put in, and its board begins: nobody is faster."""


class Exchanged:
    """Watches one session. armed: the board may have been exchanged, and nobody has looked yet."""

    def __init__(self, layout: TableLayout, armed: bool = False) -> None:
        self._layout, self._armed = layout, armed
        self._recent: deque[Reading] = deque(maxlen=SHOWN)

    def gap(self, missed_us: BoardTime) -> None:
        """So long no frame came."""
        if missed_us >= EXCHANGE_US:
            self._armed = True
            self._recent.clear()

    def see(
        self, reading: Reading, emptiness: Emptiness, weight: Weight, sigma: Floats, population: Population
    ) -> bool:
        """Take one reading; whether the zeros are another board's. Looks once a gap, which takes as long as some dozens
        of frames. sigma (S,): noise of a reading, mT.
        """
        self._recent.append(reading)
        empty = emptiness.by_weight(weight, reading.t_us)
        if not self._armed or not empty or len(self._recent) < SHOWN:
            return False
        field = np.array([r.field for r in self._recent])
        valid: Bools = np.asarray(np.array([r.valid for r in self._recent]).all(axis=0))
        half = SHOWN // 2
        moved = np.abs(field[:half].mean(axis=0) - field[half:].mean(axis=0))[valid]
        if bool((moved > UNREST_MT).any()):
            return False
        self._armed = False
        mean = np.where(valid, field.mean(axis=0), 0.0)
        if not off(mean, valid):
            return False
        return foreign(Recovery(self._layout, sigma, population, 0), mean, valid, population, doubted=True)
