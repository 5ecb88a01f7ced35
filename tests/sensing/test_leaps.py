"""A stone that leapt up to a hand's stone which is seen no more: told where the field is of two, not of one."""

import numpy as np
import pytest

from companion.sensing.events.leaps import LOOKS, LOST_US, Leaps
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import magnet
from companion.sensing.fields.stacks import STACK_MM
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker

FRAME_US = 10_000
UP = (0.0, 0.0, 1.0)
SIGMA = 0.25  # mT: noisier than any table's


def body(track: int, x: float, y: float, z: float) -> Body:
    return Body((track,), magnet((x, y, z), UP, 0.29))


@pytest.mark.rule("Y10")
@pytest.mark.parametrize(
    ("two", "told", "lost_us", "rose_mm", "touched"),
    [
        (True, True, 0, 9.0, True),
        (False, True, 0, 9.0, False),  # a hand lifts it, and the other one has gone
        (True, False, 0, 9.0, False),  # the hand's track was none that had told of a hand
        (True, True, LOST_US, 9.0, False),
        (True, True, 0, 2.0, False),  # it lies
    ],
)
def test_a_stone_that_hangs_as_two_would_has_snapped_to_the_hands_that_was_lost_there(
    layout: TableLayout, two: bool, told: bool, lost_us: int, rose_mm: float, touched: bool
) -> None:
    rng = np.random.default_rng(3)
    tracker = Tracker(layout, np.full(layout.count, SIGMA))
    tracker.sharp = tracker.weight = np.full(layout.count, SIGMA**-2)
    x, y = (float(v) for v in layout.triangles[0].mean(axis=0))
    m = Mover(body(1, x, y, 3.4 + rose_mm), Phase.BOARD, 0, evidence=300.0, told=True, log_moment=float(np.log(0.29)))
    m.rested = np.array([x - 12.0, y, 3.4])
    m.trail.extend(m.body.centre - np.array([12.0, 0.0, rose_mm]) * (1.0 - k / 9.0) for k in range(10))
    upon = body(2, x, y, 3.4 + rose_mm + STACK_MM)
    hand = Mover(body(2, x + 8.0, y, 3.4 + rose_mm + 14.0), Phase.HAND, 0, told=told, log_moment=float(np.log(0.29)))
    tracker.movers.append(m)
    tracker.newborn.parked.append((0, hand))
    m.kept = tracker.model.fields(m.body.stones).sum(0)
    shown = m.kept + (tracker.model.fields(upon.stones).sum(0) if two else 0.0)
    leaps, found = Leaps(), []
    for k in range(2 * LOOKS):
        tracker.residual = shown - m.kept + rng.normal(0.0, SIGMA, layout.count)
        found = leaps.step(tracker, lost_us + k * FRAME_US)
        if found:
            break
    assert bool(found) is touched
    if found:
        assert k >= LOOKS - 1  # not before it has been so for as long as a contact lasts
        assert {*found[0].a.body.tracks, *found[0].b.body.tracks} == {1, 2}
        assert found[0].t_us == 0
        assert hand in tracker.movers
        assert not tracker.newborn.parked
