"""Two bodies near each other: does the reading show both as they are followed, or one that they have become?

Both as one body, stone on stone, the two as they are, and either of them gone: each is fitted, and judged over the same
sensors (companion.sensing.fields.rivals).
"""

from dataclasses import replace
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.rivals import EXPLAINS, cost_over, shared_rows
from companion.sensing.fields.solver import Fit, fit
from companion.sensing.fields.stacks import ways
from companion.sensing.sensors.layout import Floats
from companion.sensing.tracks.movers import Mover
from companion.sensing.tracks.tracker import Tracker

MOMENT_SIGMA: Final = 0.08
KEEP_MOMENT: Final = 5.0 * MOMENT_SIGMA
"""No two magnets that stick together are together so much weaker or stronger than they were, in the logarithm: one of
them is a ghost, whose field and the other's make up for something else. All 47 true contacts of two games and two deals
of gains were within 0.18."""
_PLACE_MM: Final = np.full(3, 12.0)  # of both as one, from where they would stick
TWO_SIGMA: Final = 0.12
"""At most, of the moment of each where both are as they are followed."""


def stuck(tracker: Tracker, a: Body, b: Body, target: Floats, log_moment: float, sigma: float, limit: int) -> list[Fit]:
    """Both as one body in each way in which they could stick, fitted to what both show, target (S,) mT; log_moment,
    with the standard deviation sigma: of both together.
    """
    return [
        fit(tracker.layout, [start], [of_both(start, log_moment, sigma)], target, tracker.sharp, limit=limit)
        for start in ways(a, b)
    ]


def of_both(body: Body, log_moment: float, sigma: float) -> Prior:
    """What is known of both as one body; log_moment: of both together, with its standard deviation sigma."""
    return Prior(body.centre, _PLACE_MM, 0.7, log_moment, sigma)


def compared(
    tracker: Tracker, a: Mover, b: Mover, slack: float, missed: float, closed: bool
) -> tuple[Body, bool, float]:
    """Both as one body, and whether that explains the reading best: better than the two as they are, but for the slack,
    and one of them alone worse by more than `missed` of chi squared; and by how much so, or than the two. closed: that
    and the best way to stick together are asked for even if none does.
    """
    target = tracker.residual + a.kept + b.kept
    log_moment = float(np.log(np.exp(a.log_moment) + np.exp(b.log_moment)))
    ones = stuck(tracker, _remembered(a), _remembered(b), target, log_moment, MOMENT_SIGMA, 5)
    if not closed and not any(_explains(one) for one in ones):
        return ones[0].bodies[0], False, 0.0
    priors, floors = [_firm(tracker, m, TWO_SIGMA) for m in (a, b)], [tracker.floor(m) for m in (a, b)]
    two = fit(tracker.layout, [a.body, b.body], priors, target, tracker.sharp, limit=3, floors=floors)
    rows = shared_rows([two, *ones])

    def cost(found: Fit) -> float:
        return cost_over(rows, found, tracker.model, target, tracker.sharp)

    costs = [cost(one) for one in ones]
    least = min(costs)
    best = ones[costs.index(least)]
    if abs(best.bodies[0].log_moment - log_moment) > KEEP_MOMENT:
        return best.bodies[0], False, 0.0
    apart = cost(two)
    wins = _explains(best) and least < apart + slack
    gone = 0.0
    if wins or closed:
        both = least if wins else min(least, apart)
        gone = min(cost(_alone(tracker, m, target)) for m in (a, b)) - both
    return best.bodies[0], wins and gone > missed, gone


def _alone(tracker: Tracker, m: Mover, target: Floats) -> Fit:
    """If the other one has simply gone."""
    prior, floor = _firm(tracker, m, MOMENT_SIGMA), tracker.floor(m)
    return fit(tracker.layout, [m.body], [prior], target, tracker.sharp, floors=[floor])


def _explains(one: Fit) -> bool:
    return one.cost < EXPLAINS * len(one.rows)


def _firm(tracker: Tracker, m: Mover, log_sigma: float) -> Prior:
    p = tracker.prior(m)
    return Prior(p.centre, p.sigma, p.turn_sigma, m.log_moment, min(m.log_sigma, log_sigma))


def _remembered(m: Mover) -> Body:
    """The body with the moments it had before the fields melted together."""
    s = m.body.stones
    change = m.log_moment - m.body.log_moment
    return Body(m.body.tracks, replace(s, log_moment=s.log_moment + change))
