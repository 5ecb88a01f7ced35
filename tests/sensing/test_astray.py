"""A track that the reading does not bear out tells of no fall: its body is looked for."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.bodies import Body
from companion.sensing.contacts import Contacts
from companion.sensing.dipole import magnet
from companion.sensing.life import ASTRAY, Life
from companion.sensing.movers import Mover, Phase
from companion.sensing.scene import Scene
from companion.sensing.tracker import Tracker
from companion.sensing.weight import Weight
from companion.table import EventKind

T_US = 5_000_000


@pytest.mark.failure("D11", "F3")
@pytest.mark.parametrize(("misfit", "fell"), [(0.6, True), (ASTRAY + 1.0, False)])
def test_only_a_body_that_explains_the_reading_has_fallen(layout: Any, misfit: float, fell: bool) -> None:
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    m = Mover(Body((1,), magnet((-35.0, -110.0, -6.0), (0.0, 0.0, 1.0), 0.3)), Phase.BOARD, 0, misfit=misfit)
    m.smooth, m.kept, m.still_us = m.body.centre, np.zeros(layout.count), T_US
    assert tracker.beside(m) > 4.0
    tracker.movers.append(m)
    life = Life(Scene(tracker, Weight()), Contacts(tracker))
    told = [event.kind for event in life.step(T_US)]
    assert (EventKind.FELL_OFF in told) is fell
    assert (m.phase is Phase.TABLE) is fell
    assert [parked for _, parked in tracker.newborn.parked] == ([] if fell else [m])
