"""Whether a stone that seems to be carried is needed beside the stones that lie near it.

Its evidence is what the reading would miss without it while all others stay as they are posed now. Beside a stone that
is awake that says little: a ghost and the stone, each a little off, explain together what the stone alone explains as
it lay. So those that lie near are fitted once more without it, and what they still miss is what it is worth: the ratio
of the two likelihoods, each at its best (profile likelihood).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import length
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.groups import fields, gains
from companion.sensing.tracks.movers import FAINT, Mover, Phase
from companion.table import BoardTime

NEAR_MM: Final = 55.0
"""Farther off, the fields of two stones are too unlike for the one to stand for the other."""
LAIN_MM: Final = 6.0
"""A track whose stone lies still is no farther from where that lay."""
PLACE_MM, TURN = 2.0, 0.2
"""From the place where a stone lay, and from how it is turned now: at rest only its place was kept."""
_PLACE: Final = np.full(3, PLACE_MM)
MOMENT_SIGMA: Final = 0.1
COMES_FRAMES: Final = 30
"""A stone that comes down on one that lies pushes or draws it: for so long it may be that one that is seen to move."""
JUMPS_US: Final = 400_000
"""No jump is so long."""


def needed(
    layout: TableLayout, model: FieldModel, active: Sequence[Mover], left: Floats, weight: Floats, t_us: BoardTime
) -> list[float]:
    """Gain in chi squared by assuming each of the bodies that are solved. model: of all the table's sensors; left (S,)
    mT: what all of them leave over, with weight (S,) 1/mT2.
    """
    out = gains(active, left, weight)
    for k, m in enumerate(active):
        near = lying_near(m, active, t_us)
        if near:
            out[k] = min(out[k], worth(layout, model, m, near, left, weight))
    return out


def lying_near(m: Mover, movers: Sequence[Mover], t_us: BoardTime) -> list[Mover]:
    """The stones at rest, and solved in each frame, that a track m which seems to be carried may be a ghost of. One
    that is held as it lay before m came makes up for nothing; how one lies that came to rest since hangs on m.
    """
    comes = m.frames < COMES_FRAMES and not m.jumped
    if not m.single or m.evidence >= FAINT or comes or not _seems_carried(m, t_us):
        return []
    at = m.body.centre
    loose = [o for o in movers if o.awake and not (o.pinned and o.lain_us < m.born_us) and _lies(o)]
    return [o for o in loose if length(o.body.centre - at) < NEAR_MM]


def _seems_carried(m: Mover, t_us: BoardTime) -> bool:
    """A stone that jumps is lifted for a moment too, but those near it will lie as they lay no longer."""
    if m.phase is Phase.LIFTED:
        return m.faint_us is not None and t_us - m.faint_us > JUMPS_US
    return m.phase is Phase.HAND


def _lies(m: Mover) -> bool:
    if m.phase is not Phase.BOARD or not m.single or m.rested is None or m.runs:
        return False
    return length(m.rested - m.body.centre) < LAIN_MM


def worth(
    layout: TableLayout, model: FieldModel, m: Mover, near: Sequence[Mover], left: Floats, weight: Floats
) -> float:
    """Gain in chi squared by assuming m beside those that lie near it."""
    target = left + m.kept + sum((o.kept for o in near), np.zeros(len(left)))
    bodies, priors = [], []
    for o in near:
        assert o.rested is not None
        bodies.append(o.body.shifted(o.rested - o.body.centre))
        priors.append(Prior(o.rested, _PLACE, TURN, o.log_moment, MOMENT_SIGMA))
    found = fit(layout, bodies, priors, target, weight, limit=4)
    without = target - fields(model, found.bodies).sum(axis=0)
    return float(weight @ (without * without - left * left))
