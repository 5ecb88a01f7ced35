"""Near a stone that lies on the table one seems to be born: what is there of the two."""

from enum import Enum
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.fallen import LIES_GAIN
from companion.sensing.tracks.movers import Mover

TWO_GAIN: Final = 100.0
"""In chi squared, by assuming another stone beside one that lies there."""
ELSEWHERE_MM: Final = 40.0
"""In the few frames that are looked at a hand takes it no farther."""
RISEN_MM: Final = 20.0
_TURN: Final = 2.0


class Seen(Enum):
    """Of a stone on the table and one that seems to be born near it."""

    BOTH = "both"
    LIES = "lies"  # the first alone, which was fitted badly
    RISEN = "risen"  # the first alone, taken away or on its way


def seen_beside(layout: TableLayout, m: Mover, new: Body, prior: Prior, shown: Floats, weight: Floats) -> Seen:
    """What is there of a stone m that lies on the table and of one that seems to be born near it. prior: of the new
    one; shown (S,) mT: by both of them, with weight (S,) 1/mT2.

    Where a stone has been taken away its field is missed, and what is missed has the shape of a stone with its poles
    turned: the two together explain very well that nothing is there.
    """
    floor = 2.0 - layout.table_below
    here = Prior(m.body.centre, np.full(3, 6.0), 0.5, m.log_moment, 0.1)
    moved = Prior(m.body.centre, np.full(3, ELSEWHERE_MM), _TURN, m.log_moment, max(m.log_sigma, 0.2))
    model = FieldModel.of(layout)

    def cost(bodies: tuple[Body, ...]) -> float:
        left = shown - sum((model.fields(b.stones).sum(0) for b in bodies), np.zeros(layout.count))
        return float(weight @ (left * left))

    def found(bodies: list[Body], priors: list[Prior]) -> tuple[Body, ...]:
        return fit(layout, bodies, priors, shown, weight, limit=8, floors=[floor] * len(bodies)).bodies

    both = cost(found([m.body, new], [here, prior]))
    one = min((found([new], [prior]), found([m.body], [moved])), key=cost)
    alone, none = cost(one), cost(())
    if min(alone, none) - both > TWO_GAIN:
        return Seen.BOTH
    if none - alone < LIES_GAIN or float(np.linalg.norm(one[0].centre - m.body.centre)) > RISEN_MM:
        return Seen.RISEN
    return Seen.LIES
