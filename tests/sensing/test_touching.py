"""What counts as put down on the board."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.events.scene import Scene
from companion.sensing.events.touching import released, touched
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import EventKind
from tests.sensing.board import Board

UP = (0.0, 0.0, 1.0)


@pytest.mark.failure("E6", "F3")
@pytest.mark.parametrize("moment", [0.15, 0.3])
def test_what_lies_beside_the_mats_and_lower_than_their_top_is_not_placed(
    layout: Any, frame: Any, moment: float
) -> None:
    board = Board(layout, frame, 7)
    board.drift = np.zeros(layout.count)
    model = FieldModel.of(layout)
    board.run(4.0)
    for z in np.linspace(20.0, -6.0, 60):
        board.run(0.01, model.fields(magnet((-35.0, -94.0, z), UP, moment))[0])
    low = model.fields(magnet((-35.0, -94.0, -6.0), UP, moment))[0]
    board.run(2.0, low)
    board.run(2.0, low, grams=4.0)  # something else lands, as a coin may
    assert EventKind.PLACED not in board.events


def test_a_stone_that_lies_is_placed_once(layout: Any, frame: Any) -> None:
    board = Board(layout, frame, 8)
    board.drift = np.zeros(layout.count)
    model = FieldModel.of(layout)
    board.run(4.0)
    for z in np.linspace(80.0, 3.4, 60):
        board.run(0.01, model.fields(magnet((31.0, 12.0, z), UP, 0.25))[0])
    lying = model.fields(magnet((31.0, 12.0, 3.4), UP, 0.25))[0]
    board.run(0.3, lying, grams=30.0)
    board.run(3.0, lying, grams=6.0)
    assert board.events == [EventKind.APPROACH, EventKind.PLACED, EventKind.RELEASED, EventKind.SETTLED]


def held_low(layout: Any) -> tuple[Scene, Mover]:
    """A hand holds its stone still, low over the mats."""
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight())
    m = Mover(Body((1,), magnet((31.0, 12.0, 5.0), UP, 0.25)), Phase.HAND, 0, told=True, evidence=300.0, low_us=1)
    m.smooth, m.still_us = m.body.centre, 1_500_000
    scene.tracker.movers.append(m)
    return scene, m


@pytest.mark.rule("Y10")
@pytest.mark.parametrize(("snapped_us", "blow"), [(1_510_000, True), (1_200_000, False)])
def test_the_blow_of_stones_that_snap_together_is_no_touch_of_a_stone_held_low(
    layout: Any, snapped_us: int, blow: bool
) -> None:
    """A hand pushes stones from afar with its own, low over the mats; they snap together out of its reach."""
    scene, m = held_low(layout)
    for k in range(140):
        scene.weight.feed(k * 12_500, 20.0 if k < 120 else 5.0 + 40.0 * (k % 2))
    scene.collapses.touch(snapped_us, {8, 9}, np.array([-90.0, 12.0, 4.0]), False)
    assert touched(scene, m, 1_600_000) == (None if blow else 1_500_000)


@pytest.mark.rule("Y11")
@pytest.mark.parametrize(("fell_us", "fall"), [(1_560_000, True), (1_200_000, False), (-1, False)])
def test_the_weight_that_a_falling_stone_takes_off_is_no_touch_of_the_one_that_pushed_it(
    layout: Any, fell_us: int, fall: bool
) -> None:
    """A hand pushes a stone over the edge with its own, low over the mats: as it slides and falls the board rings."""
    scene, m = held_low(layout)
    for k in range(140):
        scene.weight.feed(k * 12_500, 20.0 if k < 120 else 15.8 + 12.0 * (k % 2))
    if fell_us >= 0:
        gone = Mover(Body((2,), magnet((70.0, 12.0, -8.0), UP, 0.25)), Phase.TABLE, 0)
        scene.say(EventKind.FELL_OFF, fell_us, gone)
    assert touched(scene, m, 1_600_000) == (None if fall else 1_500_000)


@pytest.mark.failure("B7")
@pytest.mark.rule("Y13")
@pytest.mark.parametrize("felt", [True, False])
def test_a_load_cell_that_has_not_changed_since_a_stone_came_says_nothing_of_its_hand(layout: Any, felt: bool) -> None:
    """One that felt the stone waits for its hand to go; one that hangs would have the turn wait for ever."""
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight())
    m = Mover(Body((1,), magnet((31.0, 12.0, 3.4), UP, 0.25)), Phase.BOARD, 0, told=True, placed_us=1_500_000)
    m.smooth, m.still_us = m.body.centre, 1_500_000
    scene.tracker.movers.append(m)
    scene.placed[1] = 1_500_000
    for k in range(170):
        scene.weight.feed(k * 12_500, 25.0 if felt and k >= 120 else 20.0)
    scene.weight.steps.clear()
    released(scene, 2_100_000)
    assert [e.kind for e in scene.events] == ([] if felt else [EventKind.RELEASED])
