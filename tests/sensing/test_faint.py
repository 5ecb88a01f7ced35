"""A stone in a hand that no single frame shows: found by what changes within half a second, and by nothing else."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from companion.sensing.events.approaching import glimpsed
from companion.sensing.events.leaving import parked
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.fields.stones import POPULATION
from companion.sensing.sensors.layout import Floats
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.faint import Faint
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.strangers import Strangers
from companion.sensing.tracks.tracker import Tracker
from companion.table import EventKind

NOISE = 0.2  # mT, of a hard table: 66 mm over the mats a usual stone is worth nine of chi squared a frame
UP = (0.0, 0.0, 1.0)
GLIMPSED = Body((0,), magnet((-30.0, 5.0, 66.0), UP, 0.29))


def seen(
    layout: Any,
    shows: Callable[[int], Floats],
    frames: int = 300,
    movers: Any = (),
    noise: float = NOISE,
    rate: float = 0.0,
) -> tuple[int, Body] | None:
    """The first frame that tells of a stone, with it; shows: the field (S,) mT of each frame but for the noise; rate:
    so much a frame of what is left over is learned.
    """
    sigma = np.full(layout.count, noise)
    faint, rng = Faint(layout, sigma, Strangers(layout, sigma, POPULATION)), np.random.default_rng(7)
    valid = np.ones(layout.count, dtype=np.bool_)
    learned = np.zeros(layout.count)
    for k in range(frames):
        left = shows(k) + rng.normal(0.0, noise, layout.count) - learned
        body = faint.see(movers, left, learned, valid)
        learned = learned + rate * left
        if body is not None:
            return k, body
    return None


def with_a_glimpse(layout: Any) -> Scene:
    """A frame has shown a stone in a hand; the next track would be the fifth."""
    scene = Scene(Tracker(layout, np.full(layout.count, NOISE)), Weight())
    scene.tracker.newborn.next_track = 5
    scene.tracker.glimpsed = GLIMPSED
    return scene


def hand(layout: Any, height: float, since: int) -> Callable[[int], Floats]:
    """A stone that hovers from that frame on, and goes 0.3 mm a frame."""
    model = FieldModel.of(layout)

    def shows(k: int) -> Floats:
        if k < since:
            return np.zeros(layout.count)
        return model.fields(magnet((-30.0 + 0.3 * (k - since), 5.0, height), UP, 0.29)).sum(axis=0)

    return shows


@pytest.mark.rule("Y14")
def test_a_stone_that_hovers_over_a_noisy_table_is_found_within_half_a_second(layout: Any) -> None:
    shows = hand(layout, 66.0, 150)
    assert (shows(150) ** 2).sum() / NOISE**2 < 14.0  # less than a track is told on
    found = seen(layout, shows)
    assert found is not None
    k, body = found
    assert 150 < k < 200
    assert abs(body.centre[2] - 66.0) < 15.0


@pytest.mark.failure("F3")
def test_nothing_is_found_in_what_is_there_all_along(layout: Any) -> None:
    """What stones at rest leave over, however clearly it is one."""
    model = FieldModel.of(layout)
    left = model.fields(magnet((-30.0, 5.0, 25.0), UP, 0.1)).sum(axis=0)
    assert (left**2).sum() / NOISE**2 > 20.0
    assert seen(layout, lambda k: left, 1500) is None


@pytest.mark.rule("Y14")
@pytest.mark.parametrize("height", [50.0, 58.0, 66.0])
@pytest.mark.parametrize("noise", [0.1, NOISE])
def test_a_hand_that_goes_is_none_that_comes(layout: Any, height: float, noise: float) -> None:
    """What it leaves behind is the field of a stone with the poles turned."""
    comes = hand(layout, height, 0)
    assert seen(layout, lambda k: comes(0) if k < 150 else 0.0 * comes(0), 400, noise=noise) is None
    assert seen(layout, lambda k: comes(0) if k >= 150 else 0.0 * comes(0), 400, noise=noise) is not None


@pytest.mark.rule("Y14")
@pytest.mark.parametrize("rate", [0.005, 0.02])
def test_a_hand_that_was_learned_before_it_goes_is_none_that_comes(layout: Any, rate: float) -> None:
    """What was learned of it shows with its poles turned when it has gone, and would seem to come."""
    comes = hand(layout, 50.0, 0)
    assert seen(layout, lambda k: comes(0) if k < 200 else 0.0 * comes(0), 500, noise=0.1, rate=rate) is None
    assert seen(layout, lambda k: comes(0) if k >= 200 else 0.0 * comes(0), 500, noise=0.1, rate=rate) is not None


@pytest.mark.failure("F3", "B12")
@pytest.mark.parametrize("drift", ["all alike", "each by itself"])
def test_nothing_is_found_in_drift(layout: Any, drift: str) -> None:
    slopes = np.random.default_rng(3).normal(0.0, 0.002, layout.count) if drift == "each by itself" else 0.01
    change = slopes * np.full(layout.count, 48.0)
    assert 24.0 / 2.0 * (change**2).sum() / NOISE**2 > 500.0
    assert seen(layout, lambda k: slopes * np.full(layout.count, float(k)), 600) is None


@pytest.mark.rule("Y14")
@pytest.mark.parametrize(("height", "found"), [(66.0, True), (98.0, False)])
def test_what_hovers_above_the_zone_is_no_approach_however_clear_it_is(layout: Any, height: float, found: bool) -> None:
    assert (hand(layout, height, 150)(150) ** 2).sum() / 0.05**2 > 20.0
    assert (seen(layout, hand(layout, height, 150), noise=0.05) is not None) is found


def test_what_moves_tells_nothing_of_another_stone(layout: Any) -> None:
    m = Mover(Body((1,), magnet((20.0, 20.0, 3.4), UP, 0.29)), Phase.BOARD, 0)
    assert seen(layout, hand(layout, 66.0, 150), movers=[m]) is None
    m.awake = False
    assert seen(layout, hand(layout, 66.0, 150), movers=[m]) is not None


@pytest.mark.rule("Y35")
@pytest.mark.parametrize(
    ("fell_us", "lies", "told"), [(-1, False, True), (11_000_000, False, False), (-1, True, False)]
)
def test_a_fallen_stone_that_is_fetched_past_the_board_is_no_approach(
    layout: Any, fell_us: int, lies: bool, told: bool
) -> None:
    scene = with_a_glimpse(layout)
    scene.fell_us = fell_us
    if lies:
        scene.tracker.movers.append(Mover(Body((2,), magnet((0.0, -130.0, -15.0), UP, 0.29)), Phase.TABLE, 0))
    glimpsed(scene, 13_000_000)
    assert [e.kind for e in scene.events] == ([EventKind.APPROACH] if told else [])


@pytest.mark.rule("Y14")
@pytest.mark.parametrize(
    ("changed_us", "left_us", "known", "told"),
    [
        (0, 0, False, True),
        (8_500_000, 0, False, False),  # what lay there until then may be what has gone
        (0, 8_500_000, False, False),  # or it is what was carried off
        (0, 6_500_000, False, False),  # and may still have been there when what it is compared with began
        (0, 0, True, False),  # it is the hand that is known
    ],
)
def test_a_glimpse_tells_an_approach_where_nothing_else_accounts_for_it(
    layout: Any, changed_us: int, left_us: int, known: bool, told: bool
) -> None:
    scene = with_a_glimpse(layout)
    scene.changed_us, scene.left_us = changed_us, left_us
    if known:
        hand = Mover(Body((3,), GLIMPSED.stones), Phase.HAND, 0, told=True)
        scene.tracker.newborn.parked.append((8_900_000, hand))
    glimpsed(scene, 9_000_000)
    assert [e.kind for e in scene.events] == ([EventKind.APPROACH] if told else [])
    if told:
        assert 8_700_000 < scene.events[0].t_us < 9_000_000
        assert scene.tracker.newborn.next_track == 6
        parked(scene, 12_000_000)  # it has not been seen since
        assert [e.kind for e in scene.events[1:]] == [EventKind.WITHDRAWN]


@pytest.mark.rule("Y14")
def test_a_track_far_from_a_glimpse_is_not_its(layout: Any) -> None:
    """What is left over elsewhere, and was found long before, is another thing."""
    scene = with_a_glimpse(layout)
    far = Mover(Body((3,), magnet((60.0, -40.0, 30.0), UP, 0.29)), Phase.HAND, 3_000_000)
    scene.tracker.movers.append(far)
    glimpsed(scene, 9_000_000)
    (event,) = scene.events
    assert (event.kind, event.stones, event.x) == (EventKind.APPROACH, (5,), -30.0)
    assert 8_700_000 < event.t_us < 9_000_000
    assert not far.told


@pytest.mark.rule("Y14")
@pytest.mark.failure("F3")
def test_a_track_that_has_come_meanwhile_is_a_glimpses_wherever_it_is(layout: Any) -> None:
    """A glimpse is the mean of a quarter of a second, in which a hand goes far; two do not come at once."""
    scene = with_a_glimpse(layout)
    came = Mover(Body((5,), magnet((60.0, -40.0, 30.0), UP, 0.29)), Phase.HAND, 9_000_000)
    scene.tracker.movers.append(came)
    scene.tracker.newborn.next_track = 6
    glimpsed(scene, 9_000_000)
    assert [(e.kind, e.stones) for e in scene.events] == [(EventKind.APPROACH, (5,))]
    assert came.told
    assert not scene.tracker.newborn.parked


@pytest.mark.failure("F3")
def test_no_two_tracks_have_a_number(layout: Any) -> None:
    """Another was born in the frame that the glimpse ends, after it was numbered."""
    tracker = Tracker(layout, np.full(layout.count, NOISE))
    tracker.newborn.next_track = 6
    hand = tracker.newborn.glimpsed_hand(GLIMPSED, 9_000_000)
    assert hand.body.tracks == (6,)
    assert tracker.newborn.next_track == 7
