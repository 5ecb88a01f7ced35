"""How much a sensor shows of the one scanned just before it (arduino/Arduino#5646: known failure E1).

A stone's fit takes most of it for a shift, so that what it leaves over tells little. Instead each stone that has come
to rest is fitted again with some crosstalk taken off the reading; the sums of chi squared over many stones, as a
parabola, have their least value at the part that there is.
"""

from collections.abc import Callable
from typing import Final

import numpy as np

from companion.sensing.sensors.layout import Bools, Floats, TableLayout

TRIED: Final = (0.0, 0.05, 0.1)
LEAST_STONES: Final = 5
MOST_STONES: Final = 40
"""After so many it is known, and no more fits are spent on it."""

LARGEST: Final = 0.03
"""Above it the settling time of the multiplexers should be looked at."""

_EVIDENCE: Final = 30.0  # of chi squared


class Crosstalk:
    """part: what was measured, as a part of the difference to the sensor before."""

    def __init__(self, layout: TableLayout) -> None:
        self._same = np.concatenate([[False], layout.tile[1:] == layout.tile[:-1]])
        self._stones = 0
        self._costs = np.zeros(len(TRIED))

    @property
    def part(self) -> float:
        """0 before enough stones have lain there."""
        if self._stones < LEAST_STONES:
            return 0.0
        square, slope, _ = np.polyfit(TRIED, self._costs, 2)
        return float(np.clip(-slope / (2.0 * square), 0.0, 0.5)) if square > 0.0 else 0.0

    @property
    def faults(self) -> tuple[str, ...]:
        """The code "crosstalk" where there is too much of it."""
        sure = self._costs[0] - self._costs.min() > _EVIDENCE
        return ("crosstalk",) if sure and self.part > LARGEST else ()

    def lain(self, measured: Floats, valid: Bools, cost: Callable[[Floats], float]) -> None:
        """A stone has come to rest: mean field (S,) mT, valid (S,), chi squared of its fit to another field."""
        if self._stones >= MOST_STONES:
            return
        self._stones += 1
        before = np.roll(measured, 1)
        both = self._same & valid & np.roll(valid, 1)
        for k, part in enumerate(TRIED):
            self._costs[k] += cost(np.where(both, (measured - part * before) / (1.0 - part), measured))
