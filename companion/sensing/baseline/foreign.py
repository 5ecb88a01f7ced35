"""Whether what many sensors show is a field of stones, or what another board's zeros look like.

Each sensor has a zero of its own, some counts from the next one's. Under another board's, or where sensors were
soldered anew, many are off, each by itself, and the fits make of it stones that nobody has: their moments are no
stone's, and what is round them does not fit. Of stones that lie apart, most of what is found clearest is as a stone
should be, or nothing is left over; of heaps that is not always so (tests/sensing/test_exchanged.py).

Whether a field hangs together as stones' does needs no fit (covariance.py): that keeps a heap, where fits fail as well,
from being taken for another board. Whether the board is empty only the load cell tells, or a person.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.baseline.restart import MISFIT, Recovered, Recovery
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.covariance import hangs_together
from companion.sensing.fields.stones import POPULATION, Population
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.movers import MOMENT_SPREADS

OFF_MT: Final = 0.6
"""Of a mean: five times what zeros of an earlier session may be off by (companion.sensing.baseline.restart)."""
LEAST_OFF: Final = 8
"""Fewer sensors are each at fault by itself."""
LOOKED_AT: Final = 8
"""Stones that are looked for, the clearest first: in half of them the two differ."""
LEAST_FOUND: Final = 3
STRANGE, STRANGE_AT_THE_END = 4, 8
"""Sensors that no body explains: with others still to be looked for, and where nothing more is found."""
NEVER_MT: Final = 15.0
"""No sound sensor's zero is so far from the middle (DRV5055: 2.8 mT at 5 V); right under a stone the field is more."""
AT_FAULT: Final = 3
EVERYWHERE_MT: Final = 0.45
"""Most sensors show more: no stones reach so many (a heap of nine on four tiles: 0.2 in the median), but another
board's zeros do, which differ by 1 mT rms."""
_NEAR_MM: Final = 22.0


def off(field: Floats, valid: Bools) -> bool:
    """Whether many sensors (S,) show something; field: mT, mean of a quiet stretch."""
    return int((np.abs(field[valid]) > OFF_MT).sum()) >= LEAST_OFF


def foreign(
    recovery: Recovery,
    field: Floats,
    valid: Bools,
    population: Population,
    remembered: Sequence[Body] = (),
    doubted: bool = False,
) -> bool:
    """Whether stones, those remembered among them, do not explain what so many sensors (S,) show; field: mT, mean of a
    quiet stretch; doubted: there is reason to think so (the load cell shows an empty board, or they did not just now),
    and only stones that clearly explain it speak against that.
    """
    if not off(field, valid):
        return False
    found = recovery.recover(field, valid, remembered, most=len(remembered) + LOOKED_AT)
    number, as_stones = len(found.bodies), _likely(found, population)
    if doubted and number > 0 and 4 * as_stones < 3 * number:
        return True
    if number < len(remembered) + LOOKED_AT and found.strange >= STRANGE_AT_THE_END:
        return True
    return number >= LEAST_FOUND and found.strange >= STRANGE and 2 * as_stones < number


def everywhere(field: Floats, valid: Bools) -> bool:
    """Whether more than half of all sensors (S,) are off; field: mT, mean of a quiet stretch."""
    return bool(valid.any()) and float(np.median(np.abs(field[valid]))) > EVERYWHERE_MT


def stones_lie(layout: TableLayout, sigma: Floats, field: Floats, valid: Bools, foreign: bool = False) -> bool:
    """Whether what a board shows that is said to be empty can hardly be anything but stones. field (S,): mT above the
    table's nominal zeros; sigma (S,): spread of the true zeros about those, mT; foreign: fits explain it badly, beside
    earlier zeros (`foreign`), so that what one may still find says nothing.
    """
    shown = np.where(valid, field, 0.0)
    if int((np.abs(shown) > NEVER_MT).sum()) > AT_FAULT or hangs_together(layout, shown, valid):
        return True
    if foreign:
        return False
    # A mean's error is taken for half a reading's noise.
    found = Recovery(layout, 2.0 * sigma, POPULATION, 0).recover(shown, valid, (), most=LOOKED_AT)
    if 2 * _likely(found, POPULATION) < len(found.bodies):
        return False
    return any(_wide(layout, sigma, shown, b) for b in found.bodies)


def _wide(layout: TableLayout, sigma: Floats, shown: Floats, body: Body) -> bool:
    """Whether more than one sensor sees the body, or it is right over one as only a stone can be."""
    near = np.hypot(*(layout.position[:, :2] - body.centre[:2]).T) < _NEAR_MM
    seen = np.abs(shown[near])
    return int((seen > 3.0 * sigma[near]).sum()) > 1 or float(seen.max(initial=0.0)) > NEVER_MT


def _likely(found: Recovered, population: Population) -> int:
    """How many of the bodies found are as a stone should be; a cluster that was remembered too."""
    mean, spread = float(np.log(population[0])), MOMENT_SPREADS * population[1]
    return sum(
        misfit <= MISFIT and (len(b.tracks) > 1 or abs(float(np.log(b.moment)) - mean) <= spread)
        for b, misfit in zip(found.bodies, found.misfit, strict=True)
    )
