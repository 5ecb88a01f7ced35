"""Movers of what sticks together: one of two that have touched, and a stone that was none of a cluster after all."""

from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.bodies import part as part_of
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import BoardTime

PARTED_SIGMA: Final = 0.1
"""Of the logarithm of a moment that was known before the stone stuck to others."""


def join(tracker: Tracker, a: Mover, b: Mover, body: Body, t_us: BoardTime) -> Mover:
    """One mover of two that touch, posed as `body`; it is carried if either is."""
    carried = [m for m in (a, b) if m.carried]
    m = Mover(body, Phase.LIFTED if carried else Phase.BOARD, min(a.born_us, b.born_us))
    m.smooth = m.anchor = body.centre
    m.still_us, m.told = t_us, True
    held = [o for o in (a, b) if o.held]
    m.held = bool(held)
    if all(o.placed_us is not None for o in held):
        m.placed_us = max((o.placed_us for o in (a, b) if o.placed_us is not None), default=None)
    m.log_moment, m.log_sigma = float(np.log(body.moment)), 0.08
    m.evidence = 300.0
    m.rested = next((o.rested for o in (a, b) if o.rested is not None), None)
    for o in (a, b):
        if o.single:
            tracker.known[o.body.tracks[0]] = o.log_moment
        if o.rested is not None:
            tracker.leftovers.forget(o)
        tracker.movers.remove(o)
    tracker.movers.append(m)
    m.kept = tracker.model.fields(m.body.stones).sum(0)
    tracker.own()
    return m


def parted(tracker: Tracker, stone: Body, phase: Phase, born_us: BoardTime) -> Mover:
    """A mover of one stone that was thought to stick to others, not among the tracker's yet: as strong as when it was
    last single, or else as it is in the cluster (never as strong as that).
    """
    m = Mover(stone, phase, born_us, told=True)
    m.smooth = m.anchor = m.born_at = stone.centre
    m.log_moment, m.log_sigma = tracker.known.get(stone.tracks[0], stone.log_moment), PARTED_SIGMA
    return m


def part(tracker: Tracker, m: Mover, track: int, rest: Body) -> Mover:
    """The stone `track` was none of the cluster m: a mover of it alone, where it was last thought to be, and not among
    the tracker's; m is `rest` from now on.
    """
    alone = parted(tracker, part_of(m.body, [m.body.tracks.index(track)]), m.phase, m.born_us)
    m.body = rest
    if m.single:
        m.log_moment, m.log_sigma = tracker.known.get(rest.tracks[0], float(np.log(rest.moment))), 0.08
    else:
        m.log_moment = float(np.log(rest.moment))
    m.smooth = m.body.centre
    m.kept = tracker.model.fields(m.body.stones).sum(0)
    tracker.newborn.again()
    return alone
