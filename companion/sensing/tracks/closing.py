"""Which pairs of tracks cannot have touched, by how they came to where they are: what snaps is seen, and closes in."""

from math import sqrt
from typing import Final

import numpy as np

from companion.sensing.fields.magnets import length
from companion.sensing.tracks.movers import NEAR_MATS_MM, Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import BoardTime

UNCLEAR_US: Final = 120_000
"""A stone in a hand so low over the mats had an evidence of 140 and more in all contacts looked at, and when its track
loses it that is as long as a snap; what is left over where a cluster has been taken away had 37 to 87."""
CLOSED_MM: Final = 6.0
"""A snap brings stones together from 15 mm and more; a place trembles by less than half of this."""


def left_over(tracker: Tracker, m: Mover, t_us: BoardTime) -> bool:
    """Nearer to the mats than a stone in a hand can be without being clearly seen, since before any snap began."""
    low = m.phase is Phase.HAND and float(m.body.centre[2]) < NEAR_MATS_MM and tracker.beside(m) <= 0.0
    return low and t_us - m.clear_us > UNCLEAR_US


def apart_all_along(a: Mover, b: Mover) -> bool:
    """A hand's stone and one that lies, both of them seen, and neither has come nearer to the other for as long as
    tracks remember: found as near as they are, or pushed away. Stones that stick together have closed in.
    """
    if not (a.single and b.single) or Phase.HAND not in (a.phase, b.phase):
        return False
    if a.weak_us is not None or b.weak_us is not None:
        return False  # a track has lost its stone, and may not have followed it
    return not any(_closed(m, o) > CLOSED_MM for m, o in ((a, b), (b, a)))


def _closed(m: Mover, o: Mover) -> float:
    """mm by which m has come nearer to where o is now."""
    if not m.trail:
        return 0.0
    way = np.concatenate(m.trail).reshape(-1, 3) - o.body.centre
    return sqrt(float((way * way).sum(axis=1).max())) - length(m.body.centre - o.body.centre)
