"""What is known of a body that lies still, when it is solved once more on the mean of many frames."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body, joined, part, with_moments
from companion.sensing.fields.columns import STONES, Columns
from companion.sensing.fields.prior import FLAT_HEIGHT, UPRIGHT_HEIGHT, Prior
from companion.sensing.fields.solver import Fit, fit
from companion.sensing.fields.stacks import ways
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.movers import Mover

TOUCH_MM: Final = (5.2, 19.0)
LOOSER_GAIN: Final = 12.0
FEW: Final = 4
"""Of so many stones, where they are not three, every way to stick together is tried: 20 fits at the most."""


def lying_prior(m: Mover, over: bool) -> Prior:
    """What is known of a body that lies: of a single stone over a mat its usual height."""
    place, sigma = m.body.centre, np.full(3, 4.0)
    if m.single and over:
        height, spread = FLAT_HEIGHT if m.flat else UPRIGHT_HEIGHT
        place = np.array([place[0], place[1], height])
        sigma = np.array([4.0, 4.0, spread])
    first = m.single and m.rested is None
    return Prior(place, sigma, 0.5, m.log_moment, 0.2 if first else max(m.log_sigma, 0.06))


def lying_cluster(
    layout: TableLayout,
    body: Body,
    known: Mapping[int, float],
    prior: Prior,
    mean: Floats,
    weight: Floats,
    floor: float,
) -> Body:
    """How a cluster lies that has come to rest. known: log moments of the tracks that were seen alone; mean (S,) mT:
    what the cluster alone shows; weight (S,) 1/mT2; floor: of the stones' centres, mm.
    """
    if len(body.tracks) == STONES:
        return Columns(layout, mean, weight, floor).best(with_moments(body, known))
    found = fit_cluster(layout, body, prior, mean, weight, floor)
    return loosened(layout, found.bodies[0], mean, weight, found.cost, floor)


def fit_cluster(layout: TableLayout, body: Body, prior: Prior, mean: Floats, weight: Floats, floor: float) -> Fit:
    """The fit of a cluster as it is or with one of its stones stuck on elsewhere, whichever is best.

    In motion the fields melt together, and the pose in which they touched is often that of no two stones. mean (S,) mT:
    what the cluster alone shows; weight (S,) 1/mT2; floor: of the stones' centres, mm.
    """
    starts = [body]
    if len(body.tracks) <= FEW:
        for k in range(len(body.tracks)):
            others = part(body, [i for i in range(len(body.tracks)) if i != k])
            starts += ways(others, part(body, [k]))
    fits = [
        fit(layout, [start], [replace(prior, centre=start.centre)], mean, weight, limit=8, floors=[floor])
        for start in starts
    ]
    best = min(fits, key=lambda found: found.cost)
    order = [best.bodies[0].tracks.index(track) for track in body.tracks]
    return replace(best, bodies=(part(best.bodies[0], order),))


def loosened(layout: TableLayout, body: Body, mean: Floats, weight: Floats, cost: float, floor: float) -> Body:
    """A cluster with each stone fitted by itself, where that fits better than `cost` and they still touch.

    mean (S,) mT: what the cluster alone shows; weight (S,) 1/mT2; floor: of the stones' centres, mm.
    """
    alone = [part(body, [i]) for i in range(len(body.tracks))]
    priors = [Prior(b.centre, np.full(3, 3.0), 0.4, float(b.stones.log_moment[0]), 0.08) for b in alone]
    found = fit(layout, alone, priors, mean, weight, limit=10, floors=[floor] * len(alone))
    out = found.bodies[0]
    for b in found.bodies[1:]:
        d = np.sqrt(((out.stones.position - b.stones.position) ** 2).sum(1)).min()
        if not TOUCH_MM[0] < float(d) < TOUCH_MM[1]:
            return body
        out = joined(out, b)
    return out if found.cost < cost - LOOSER_GAIN else body
