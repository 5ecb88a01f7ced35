"""What is told of the board at rest, and of which time."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.events.resting import settled
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker

MS = 1_000


def lying(track: int, x: float, phase: Phase) -> Mover:
    at = np.array([x, 10.0, 3.4])
    return Mover(Body((track,), magnet(tuple(at), (0.0, 0.0, 1.0), 0.29)), phase, 0, smooth=at)


@pytest.mark.rule("Y21", "Y35")
@pytest.mark.parametrize(
    ("phase", "dated_us"),
    [
        (Phase.LIFTED, 5_900 * MS),  # it lay there until the hand took it, and is not counted any more
        (Phase.HAND, 5_650 * MS),  # it was never on the board
    ],
)
def test_a_rest_without_what_a_hand_has_taken_is_not_dated_before(layout: Any, phase: Phase, dated_us: int) -> None:
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight(), disturbed=True)
    scene.tracker.movers.append(lying(1, -20.0, Phase.BOARD))
    scene.tracker.newborn.parked.append((5_900 * MS, lying(2, 40.0, phase)))
    settled(scene, 6_000 * MS)
    (rest,) = scene.events
    assert (rest.count, rest.t_us) == (1, dated_us)


@pytest.mark.rule("Y12")
@pytest.mark.parametrize(("phase", "rests"), [(Phase.LIFTED, 0), (Phase.AWAY, 0), (Phase.TABLE, 1)])
def test_the_board_is_not_at_rest_while_a_hand_carries_off_what_lay_there(
    layout: Any, phase: Phase, rests: int
) -> None:
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight(), disturbed=True)
    scene.tracker.movers += [lying(1, -20.0, Phase.BOARD), lying(2, 40.0, phase)]
    settled(scene, 6_000 * MS)
    assert len(scene.events) == rests
