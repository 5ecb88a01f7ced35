"""Two stones that are followed as one body, and what the reading shows of them."""

from collections.abc import Sequence

import numpy as np

from companion.sensing.events.collapses import LAST_US
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import EventKind

TOUCHED_US = 1_000_000
LATER_US = TOUCHED_US + LAST_US


def stone(track: int, place: Sequence[float] | Floats) -> Body:
    return Body((track,), magnet(tuple(place), (0.0, 0.0, 1.0), 0.29))


def taken_for_a_pair(layout: TableLayout, body: Body, shown: Sequence[Body], told: bool = True) -> tuple[Scene, Mover]:
    """Stone 1 lay on the board; 2, which came in a hand, is taken to stick to it, both posed as body. shown: the field
    is of these; told: their collapse has been told.
    """
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    tracker.weight = np.full(layout.count, 1.0 / 0.15**2)
    scene = Scene(tracker, Weight(), lain={1})
    m = Mover(body, Phase.LIFTED, 0, told=True, log_moment=float(np.log(0.58)))
    m.kept = tracker.model.fields(body.stones).sum(0)
    tracker.movers.append(m)
    noise = np.random.default_rng(3).normal(0.0, 0.1, layout.count)
    tracker.residual = sum((tracker.model.fields(b.stones).sum(0) for b in shown), noise) - m.kept
    scene.collapses.touch(TOUCHED_US, {1, 2}, body.centre, True)
    if told:
        (event,) = scene.collapses.due(LATER_US)
        assert event.kind is EventKind.COLLAPSE
    return scene, m
