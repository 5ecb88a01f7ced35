"""A board's stone that rises beside the next player's, whose hand was not seen."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from companion.sensing.events.raised import LASTS_US, Raised
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import EventKind

SINCE_US = 5_000_000


def raised(layout: Any, misfit: float) -> tuple[Scene, Mover]:
    """A stone that lay on the board is 13 mm over it."""
    place = np.array([-20.0, 10.0, 13.0])
    m = Mover(Body((1,), magnet(tuple(place), (0.0, 0.0, 1.0), 0.29)), Phase.LIFTED, 0)
    m.smooth, m.misfit = place, misfit
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight())
    scene.tracker.movers.append(m)
    return scene, m


def step_on(looks: Raised, scene: Scene, lasts_us: int) -> None:
    for t_us in range(SINCE_US, SINCE_US + lasts_us, 10_000):
        looks.step(scene, t_us)


@pytest.mark.rule("Y14")
@pytest.mark.parametrize(("misfit", "told"), [(17.0, True), (3.0, False)])
def test_what_rises_and_is_not_of_one_stone_tells_of_the_hand_that_has_come(
    layout: Any, misfit: float, told: bool
) -> None:
    """A stone in fingers shows what one stone shows; nobody brings another by lifting it."""
    scene, _ = raised(layout, misfit)
    looks = Raised()
    for t_us in range(SINCE_US, SINCE_US + LASTS_US + 10_000, 10_000):
        assert not scene.events
        looks.step(scene, t_us)
    assert [e.kind for e in scene.events] == ([EventKind.APPROACH] if told else [])


@pytest.mark.rule("Y14")
def test_it_is_told_once(layout: Any) -> None:
    scene, _ = raised(layout, 17.0)
    step_on(Raised(), scene, 3 * LASTS_US)
    (told,) = scene.events
    assert told.kind is EventKind.APPROACH
    hands = [m for _, m in scene.tracker.newborn.parked]
    assert [m.told for m in hands] == [True]
    assert told.stones == hands[0].body.tracks


def known_hand(scene: Scene, m: Mover) -> None:
    hand = Mover(Body((2,), m.body.stones), Phase.HAND, 0, told=True)
    scene.tracker.newborn.parked.append((SINCE_US, hand))


def stone_just_placed(scene: Scene, m: Mover) -> None:
    scene.placed[7] = SINCE_US


def collapse_held_back(scene: Scene, m: Mover) -> None:
    scene.collapses.touch(SINCE_US, {3, 4}, np.zeros(3), in_hand=False)
    assert scene.collapses.open


@pytest.mark.rule("Y14")
@pytest.mark.parametrize("known", [known_hand, stone_just_placed, collapse_held_back])
def test_it_is_not_told_where_something_else_accounts_for_it(
    layout: Any, known: Callable[[Scene, Mover], None]
) -> None:
    scene, m = raised(layout, 17.0)
    known(scene, m)
    step_on(Raised(), scene, 3 * LASTS_US)
    assert not scene.events


def test_a_moment_of_a_snap_is_none(layout: Any) -> None:
    scene, m = raised(layout, 17.0)
    looks = Raised()
    for k in range(40):
        m.misfit = 17.0 if k % 9 else 1.0  # 80 ms at a time
        looks.step(scene, SINCE_US + k * 10_000)
    assert not scene.events
