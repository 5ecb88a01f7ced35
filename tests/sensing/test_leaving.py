"""A hand's stone that goes home, and one that is put down beside the mats."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.bodies import Body
from companion.sensing.dipole import FieldModel, magnet
from companion.sensing.leaving import left
from companion.sensing.movers import Mover, Phase
from companion.sensing.scene import Scene
from companion.sensing.tracker import Tracker
from companion.sensing.weight import Weight
from companion.table import EventKind
from tests.sensing.board import Board

UP = (0.0, 0.0, 1.0)


@pytest.mark.rule("Y28")
@pytest.mark.parametrize("beside", [(-35.0, -106.0, -13.0), (35.0, -108.0, -14.0)])
def test_a_stone_put_down_beside_the_mats_is_in_no_hand_and_the_next_one_is_told(
    layout: Any, frame: Any, beside: Any
) -> None:
    """So faintly seen its track trembles all the time; it must not be what the next hand's stone is taken for."""
    board = Board(layout, frame, 9)
    board.drift = np.zeros(layout.count)
    model = FieldModel.of(layout)
    board.run(4.0)
    over = np.array([beside[0], -60.0, 20.0])
    for z in np.linspace(90.0, 20.0, 40):
        board.run(0.01, model.fields(magnet((over[0], over[1], z), UP, 0.25))[0])
    for way in np.linspace(0.0, 1.0, 40):
        board.run(0.01, model.fields(magnet(tuple(over + way * (np.array(beside) - over)), UP, 0.25))[0])
    lying = model.fields(magnet(beside, UP, 0.25))[0]
    board.run(3.0, lying)
    assert board.events == [EventKind.APPROACH, EventKind.WITHDRAWN]
    tracker = board.sensing.tracker
    assert tracker is not None
    assert [m.phase for m in tracker.movers] == [Phase.TABLE]
    for z in np.linspace(90.0, 20.0, 40):
        board.run(0.01, lying + model.fields(magnet((31.0, 30.0, z), UP, 0.25))[0])
    assert board.events[2:] == [EventKind.APPROACH]


@pytest.mark.rule("Y35")
@pytest.mark.parametrize(("y", "kinds"), [(-112.0, [EventKind.REMOVED]), (-30.0, [])])
def test_what_stays_faintly_beside_the_mats_is_a_leftover_of_stones_that_were_carried_off(
    layout: Any, y: float, kinds: list[EventKind]
) -> None:
    """Over the board a hand may hold them high; beside it they would be carried on."""
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight())
    at = (-35.0, y, 27.0)
    m = Mover(Body((1,), magnet(at, UP, 0.29)), Phase.LIFTED, 0, evidence=45.0, rested=np.array(at))
    m.smooth = np.array(at)
    scene.tracker.movers.append(m)
    for t_us in range(0, 3_000_000, 10_000):
        if left(scene, m, t_us):
            break
    assert [e.kind for e in scene.events] == kinds
    assert (m in scene.tracker.movers) is (kinds == [])
