"""What is told of a stone in a hand, and what is only left over."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.events.approaching import comes, pushed
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.weight import Scale, Weight
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import EventKind

T_US = 9_000_000


def hovering(layout: Any) -> tuple[Scene, Mover]:
    """A stone seen on thin evidence, 15 mm from where it was found."""
    place = np.array([-20.0, 10.0, 60.0])
    m = Mover(Body((1,), magnet(tuple(place), (0.0, 0.0, 1.0), 0.29)), Phase.HAND, 0, born_at=place - (15.0, 0.0, 0.0))
    m.smooth, m.frames, m.evidence = place, 10, 40.0
    return Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight()), m


@pytest.mark.parametrize(("misfit", "told"), [(1.0, True), (2.1, False)])
def test_what_no_stone_explains_is_not_told_on_thin_evidence(layout: Any, misfit: float, told: bool) -> None:
    """Its place trembles by as much as a hand moves, for as long as it is left over."""
    scene, m = hovering(layout)
    m.misfit = misfit
    assert comes(scene, m, T_US) is told


@pytest.mark.parametrize(("jumped", "calm", "told"), [(0, 3, True), (3, 3, False), (25, 3, False), (25, 12, True)])
def test_after_a_jump_a_track_moves_as_a_hand_moves_for_a_while(
    layout: Any, jumped: int, calm: int, told: bool
) -> None:
    scene, m = hovering(layout)
    m.jumped, m.calm = jumped, calm
    assert comes(scene, m, T_US) is told


def test_the_way_of_a_track_that_jumped_counts_from_where_it_came_to(layout: Any) -> None:
    _, m = hovering(layout)
    before = m.body.centre
    m.follow(m.body.shifted(np.array([20.0, 0.0, 0.0])), 10_000)
    assert (m.born_at == m.body.centre).all()
    assert m.calm == 0
    m.follow(m.body.shifted(np.array([5.0, 0.0, 0.0])), 20_000)
    assert np.allclose(m.born_at - before, [20.0, 0.0, 0.0])
    assert m.calm == 1


def test_what_trembles_goes_nowhere_however_far_its_worst_frame_is(layout: Any) -> None:
    """A jump counts its way from where it came to; that is far from the mean, or it would be none."""
    scene, m = hovering(layout)
    place = m.born_at = m.smooth = m.body.centre
    rng = np.random.default_rng(3)
    for k in range(200):
        worst = {0: 16.0, 1: 8.0}.get(k % 25, 0.0)
        off = rng.normal((worst, 0.0, 0.0), 1.0)
        m.follow(m.body.shifted(place + off - m.body.centre), 10_000 * k)
        assert not comes(scene, m, 10_000 * k)
    assert m.jumped
    for k in range(200, 240):
        m.follow(m.body.shifted(np.array([1.0, 0.0, 0.0])), 10_000 * k)
    assert comes(scene, m, 2_400_000)


@pytest.mark.parametrize(
    ("evidence", "way", "jumped", "since_us", "told"),
    [
        (20.0, 35.0, 0, 3_000_000, True),
        (20.0, 20.0, 0, 3_000_000, False),
        (12.0, 35.0, 0, 3_000_000, False),  # by noise alone, now and then
        (20.0, 35.0, 30, 3_000_000, False),
        (20.0, 35.0, 0, 500_000, False),  # what has just been carried off travels too
        (40.0, 35.0, 0, 500_000, True),
    ],
)
def test_what_travels_far_is_told_on_thinner_evidence(
    layout: Any, evidence: float, way: float, jumped: int, since_us: int, told: bool
) -> None:
    scene, m = hovering(layout)
    m.born_at = m.smooth - (way, 0.0, 0.0)
    m.evidence, m.jumped, m.calm = evidence, jumped, 20
    scene.left_us = T_US - since_us
    assert comes(scene, m, T_US) is told


@pytest.mark.parametrize(("height", "clear", "told"), [(14.0, 0, False), (14.0, 5, True), (30.0, 0, True)])
def test_low_over_the_mats_a_stone_is_clearly_seen_or_none(layout: Any, height: float, clear: int, told: bool) -> None:
    """What is left over where a cluster has been carried off seems to lie there, and goes as it fades."""
    scene, m = hovering(layout)
    m.body = m.body.shifted(np.array([0.0, 0.0, height - 60.0]))
    m.clear, m.evidence = clear, 116.0
    assert comes(scene, m, T_US) is told


def shoved(layout: Any, mm: float) -> Scene:
    """A stone has gone so far along the board, and goes on."""
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight())
    lay = np.array([-20.0, 10.0, 3.4])
    m = Mover(Body((1,), magnet(tuple(lay), (0.0, 0.0, 1.0), 0.29)), Phase.BOARD, 0, rested=lay)
    m.trail.extend(lay + way * np.array([mm, 0.0, 0.0]) for way in np.linspace(0.0, 1.0, 20))
    scene.tracker.movers.append(m)
    return scene


@pytest.mark.rule("Y14")
@pytest.mark.parametrize(
    ("mm", "standing", "changed_us", "knocked", "told"),
    [
        (12.0, False, 0, False, True),
        (3.0, False, 0, False, False),  # it was only fitted better
        (12.0, True, 0, False, False),  # it topples by itself
        (12.0, False, 4_500_000, False, False),  # just after a stone was let go they may draw each other
        (12.0, False, 0, True, False),  # a blow may have sent it there
        (20.0, False, 0, True, True),
    ],
)
def test_a_stone_pushed_by_nobody_who_is_seen_tells_of_a_hand(
    layout: Any, mm: float, standing: bool, changed_us: int, knocked: bool, told: bool
) -> None:
    """Its track is that of what is seen there next; until then nobody knows where it is."""
    scene = shoved(layout, mm)
    scene.changed_us = changed_us
    for k in range(400):
        scene.weight.feed(k * 12_500, 5.0 + 0.01 * (k % 3) + (4.0 * (-1) ** k if knocked and k > 390 else 0.0))
    pushed(scene, 5_000_000, {1} if standing else ())
    assert [e.kind for e in scene.events] == ([EventKind.APPROACH] if told else [])
    assert [o.phase for _, o in scene.tracker.newborn.parked] == ([Phase.HAND] if told else [])


@pytest.mark.parametrize("why", ["relaid", "dark"])
def test_a_stone_that_trembles_where_it_was_put_down_is_pushed_by_nobody(layout: Any, why: str) -> None:
    """Where it lay before a hand took it says nothing of that; nor does its place where no sensor sees any more."""
    scene = shoved(layout, 20.0)
    (m,) = scene.tracker.movers
    assert m.rested is not None
    near = np.hypot(*(layout.position[:, :2] - m.rested[:2]).T) < 30.0
    scene.tracker.weight = np.where(near & (why == "dark"), 0.0, 1.0)
    m.relaid = why == "relaid"
    pushed(scene, 5_000_000, ())
    assert scene.events == []
    m.relaid, scene.tracker.weight = False, np.ones(layout.count)
    pushed(scene, 5_000_000, ())
    assert [e.kind for e in scene.events] == [EventKind.APPROACH]


def test_on_a_noisy_table_what_trembles_is_pushed_by_nobody(layout: Any) -> None:
    """It lies 7 mm from where it lay; its place differs by 0.8 mm from frame to frame."""
    scene = shoved(layout, 7.0)
    (m,) = scene.tracker.movers
    assert m.rested is not None
    rng = np.random.default_rng(5)
    m.trail.clear()
    lies, along = m.rested + np.array([7.0, 0.0, 0.0]), np.array([1.0, 0.0, 0.0])
    for t_us in range(5_000_000, 7_000_000, 10_000):
        m.trail.append(lies + rng.normal(0.0, 0.8, 3))
        pushed(scene, t_us, ())
    assert scene.events == []
    for k in range(20):  # a hand's push at 0.1 m/s is seen all the same
        m.trail.append(lies + k * along + rng.normal(0.0, 0.8, 3))
        pushed(scene, 7_000_000 + 10_000 * k, ())
    assert [e.kind for e in scene.events] == [EventKind.APPROACH]


@pytest.mark.parametrize("down_us", [500_000, 990_000, 1_250_000, 2_500_000])
def test_a_stone_pushed_by_a_finger_tells_of_no_stone(layout: Any, down_us: int) -> None:
    """It bears on the board with more than a magnet that hovers does, however long before it pushes."""
    scene = shoved(layout, 20.0)
    for k in range(400):
        scene.weight.feed(k * 12_500, 5.0 + 0.01 * (k % 3) + (40.0 if k * 12_500 > 5_000_000 - down_us else 0.0))
    pushed(scene, 5_000_000, ())
    assert scene.events == []


@pytest.mark.parametrize(("silent_us", "mm", "told"), [(0, 12.0, False), (600_000, 12.0, True), (600_000, 20.0, True)])
def test_a_load_cell_that_fell_silent_while_disturbed_hides_no_push(
    layout: Any, silent_us: int, mm: float, told: bool
) -> None:
    scene = shoved(layout, mm)
    for k in range(400):
        scene.weight.feed(k * 12_500, 5.0 + 0.01 * (k % 3) + (40.0 + 5.0 * (k % 2) if k > 380 else 0.0))
    assert scene.weight.state is Scale.DISTURBED
    pushed(scene, 5_000_000 + silent_us, ())
    assert bool(scene.events) is told
