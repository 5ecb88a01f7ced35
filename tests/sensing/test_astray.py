"""A track that the reading does not bear out tells of no fall: its body is looked for."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.events.contacts import Contacts
from companion.sensing.events.leaving import PARK_US, left, parked
from companion.sensing.events.life import ELSEWHERE, Life
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.apart import AFTER_US
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import EventKind

T_US = 5_000_000
UP = (0.0, 0.0, 1.0)


@pytest.mark.failure("D11", "F3")
@pytest.mark.parametrize(("misfit", "fell"), [(0.6, True), (ELSEWHERE + 1.0, False)])
def test_only_a_body_that_explains_the_reading_has_fallen(layout: Any, misfit: float, fell: bool) -> None:
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    m = Mover(Body((1,), magnet((-35.0, -110.0, -6.0), UP, 0.3)), Phase.BOARD, 0, misfit=misfit)
    m.smooth, m.kept, m.still_us = m.body.centre, np.zeros(layout.count), T_US
    assert tracker.beside(m) > 4.0
    tracker.movers.append(m)
    life = Life(Scene(tracker, Weight()), Contacts(tracker))
    told = [event.kind for event in life.step(T_US)]
    assert (EventKind.FELL_OFF in told) is fell
    assert (m.phase is Phase.TABLE) is fell
    assert [body for _, body in tracker.newborn.parked] == ([] if fell else [m])


@pytest.mark.failure("D11")
@pytest.mark.parametrize(
    ("evidence", "since_gap_us", "removed"), [(30.0, 50_000, False), (30.0, AFTER_US, True), (250.0, 50_000, True)]
)
def test_a_lifted_body_whose_track_runs_off_just_after_a_gap_may_come_again(
    layout: Any, evidence: float, since_gap_us: int, removed: bool
) -> None:
    """Only what was seen to leave the zone, or was not found again in time, has been taken away."""
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    scene = Scene(tracker, Weight())
    m = Mover(Body((1,), magnet((7.0, 300.0, 60.0), UP, 0.3)), Phase.LIFTED, 0, evidence=evidence, frames=30)
    m.smooth, m.kept = m.body.centre, np.zeros(layout.count)
    tracker.movers.append(m)
    scene.apart.gap([], T_US - since_gap_us)
    assert left(scene, m, T_US)
    assert [event.kind for event in scene.events] == ([EventKind.REMOVED] if removed else [])
    assert [body for _, body in tracker.newborn.parked] == ([] if removed else [m])
    parked(scene, T_US + 2 * PARK_US)
    assert [event.kind for event in scene.events] == [EventKind.REMOVED]
