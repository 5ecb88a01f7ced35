"""What is told of a stone in a hand, and what is only left over."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.approaching import comes
from companion.sensing.bodies import Body
from companion.sensing.dipole import magnet
from companion.sensing.movers import Mover, Phase
from companion.sensing.scene import Scene
from companion.sensing.tracker import Tracker
from companion.sensing.weight import Weight


@pytest.mark.parametrize(("misfit", "told"), [(1.0, True), (2.1, False)])
def test_what_no_stone_explains_is_not_told_on_thin_evidence(layout: Any, misfit: float, told: bool) -> None:
    """Its place trembles by as much as a hand moves, for as long as it is left over."""
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    place = np.array([-20.0, 10.0, 60.0])
    m = Mover(Body((1,), magnet(tuple(place), (0.0, 0.0, 1.0), 0.29)), Phase.HAND, 0, born_at=place - (15.0, 0.0, 0.0))
    m.smooth, m.frames, m.evidence, m.misfit = place, 10, 40.0, misfit
    assert comes(Scene(tracker, Weight()), m) is told
