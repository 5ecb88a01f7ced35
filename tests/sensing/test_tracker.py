"""Tracks on a made-up table: what tracker and contacts see of stones whose poses are known exactly."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sensing.events.contacts import Contacts
from companion.sensing.fields.bodies import Body, joined
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import DEFAULT_SHAPE, Magnets, magnet
from companion.sensing.fields.stacks import ways
from companion.sensing.fields.stones import POPULATION
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.clusters import join
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker

DATA = Path(__file__).parent.parent / "data" / "recordings"
LAYOUT = TableLayout.from_json(json.loads((DATA / "nominal-snap2-a" / "table.json").read_text()))
MODEL = FieldModel.of(LAYOUT)
SIGMA = 0.07
VALID = np.ones(LAYOUT.count, dtype=np.bool_)
UP = np.array([0.0, 0.0, 1.0])


class World:
    """Feeds a tracker with the fields of given stones, a hundred frames a second."""

    def __init__(self, seed: int = 0) -> None:
        self.tracker = Tracker(LAYOUT, np.full(LAYOUT.count, SIGMA))
        self.contacts = Contacts(self.tracker)
        self.t = 2_000_000
        self._rng = np.random.default_rng(seed)

    def show(self, stones: Sequence[Magnets], uniform: float = 0.0) -> None:
        """A frame; uniform: mT that all sensors have in common."""
        field = self._rng.normal(uniform, SIGMA, LAYOUT.count)
        for s in stones:
            field = field + MODEL.fields(s).sum(0)
        self.t += 10_000
        self.tracker.step(self.t, field, VALID)


def between(a: Floats, b: Floats, frames: int) -> Iterator[Floats]:
    """Places from a to b."""
    for k in range(frames):
        yield a + (b - a) * (k + 1) / frames


def put_down(world: World, at: Floats, moment: float, others: Sequence[Magnets] = ()) -> Magnets:
    """A stone comes from above, is laid at `at` and rests there for a second."""
    shape = DEFAULT_SHAPE
    for p in between(at + 90.0 * UP, at, 60):
        world.show([*others, magnet(p, UP, moment, shape)])
    mover = world.tracker.movers[-1]
    mover.phase = Phase.BOARD  # what the life of the track decides by the load cell
    stone = magnet(at, UP, moment, shape)
    for _ in range(100):
        world.show([*others, stone])
    return stone


@settings(max_examples=8)
@given(st.floats(-30, 30), st.floats(-20, 30), st.floats(0.18, 0.4), st.integers(0, 50))
def test_one_stone_is_one_track_from_the_hand_to_its_rest(x: float, y: float, moment: float, seed: int) -> None:
    world = World(seed)
    put_down(world, np.array([x, y, 3.4]), moment)
    assert len(world.tracker.movers) == 1
    mover = world.tracker.movers[0]
    assert mover.body.tracks == (1,)
    assert not mover.awake
    assert np.hypot(*(mover.body.centre[:2] - (x, y))) < 0.3
    assert mover.body.centre[2] < 5.0


def test_an_empty_table_has_no_tracks() -> None:
    world = World(3)
    for _ in range(600):
        world.show([])
    assert world.tracker.movers == []


def test_what_all_sensors_have_in_common_is_followed_at_once_and_then_becomes_each_ones_own() -> None:
    """Otherwise what the sensors near a stone had learned against it stays behind as a ghost when the stone goes."""
    world = World(5)
    lying = put_down(world, np.array([20.0, 5.0, 3.4]), 0.3)
    for _ in range(100):
        world.show([lying], 0.2)
    assert world.tracker.movers[0].body.tracks == (1,)
    assert np.hypot(*(world.tracker.movers[0].body.centre[:2] - (20.0, 5.0))) < 0.3
    assert abs(float(np.median(world.tracker.residual))) < 0.02
    for _ in range(1500):
        world.show([lying], 0.2)
    assert abs(world.tracker.leftovers.background) < 0.05
    assert abs(float(np.median(world.tracker.leftovers.bare + world.tracker.leftovers.extra)) - 0.2) < 0.05


def test_a_track_that_stayed_behind_on_a_leftover_is_set_to_where_the_stone_clearly_is() -> None:
    world = World(11)
    shape = DEFAULT_SHAPE
    left_over = magnet((-40.0, 10.0, 24.0), UP, 0.1, shape)
    here = np.array([50.0, 0.0, 30.0])
    for _ in range(60):
        world.show([left_over])
    (ghost,) = world.tracker.movers
    assert ghost.phase is Phase.HAND
    for p in between(here + 60.0 * UP, here, 60):
        world.show([left_over, magnet(p, UP, 0.3, shape)])
    for _ in range(30):
        world.show([left_over, magnet(here, UP, 0.3, shape)])
    assert [m.body.tracks for m in world.tracker.movers] == [(1,)]
    assert float(np.linalg.norm(ghost.body.centre - here)) < 8.0


def test_a_stone_that_jumps_up_to_the_one_in_the_hand_has_touched_it() -> None:
    world = World(7)
    lying = put_down(world, np.array([0.0, 0.0, 3.4]), 0.25)
    shape = DEFAULT_SHAPE
    here = np.array([18.0, 6.0, 30.0])
    for p in between(here + 55.0 * UP, here, 40):
        world.show([lying, magnet(p, UP, 0.35, shape)])
        assert world.contacts.step(world.t) == []
    low = here - [0.0, 0.0, 6.8]
    for p in between(np.array([0.0, 0.0, 3.4]), low, 4):
        world.show([magnet(p, UP, 0.25, shape), magnet(here, UP, 0.35, shape)])
        world.contacts.step(world.t)
    found = []
    for _ in range(12):
        world.show([magnet(low, UP, 0.25, shape), magnet(here, UP, 0.35, shape)])
        found = found or world.contacts.step(world.t)
    assert len(found) == 1
    assert set(found[0].body.tracks) == {1, 2}
    assert np.abs(found[0].body.centre - (0.25 * low + 0.35 * here) / 0.6).max() < 5.0


def test_a_body_carried_away_leaves_no_ghost() -> None:
    world = World(9)
    lying = put_down(world, np.array([10.0, 0.0, 3.4]), 0.3)
    other = put_down(world, np.array([-45.0, 10.0, 3.4]), 0.2, [lying])
    shape = DEFAULT_SHAPE
    for p in between(np.array([10.0, 0.0, 3.4]), np.array([10.0, 0.0, 110.0]), 80):
        world.show([other, magnet(p, UP, 0.3, shape)])
    gone = next(m for m in world.tracker.movers if m.body.tracks == (1,))
    assert gone.smooth[2] > 60.0
    world.tracker.drop(gone)
    for _ in range(200):
        world.show([other])
    assert [m.body.tracks for m in world.tracker.movers] == [(2,)]


def test_ways_to_stick_together_touch_and_never_overlap() -> None:
    a = Body((1,), magnet((0, 0, 10), (0.3, 0.0, 1.0), 0.2))
    b = Body((2,), magnet((30, 5, 3), (0, 0, 1), 0.3))
    for way in ways(a, b):
        assert set(way.tracks) == {1, 2}
        d = way.stones.position[0] - way.stones.position[1]
        assert 5.0 < float(np.linalg.norm(d)) < 20.0


@pytest.mark.parametrize(("put_down_us", "fallen"), [(None, False), (5_000_000, True)])
def test_a_cluster_counts_as_put_down_when_the_stone_in_the_hand_was(put_down_us: int | None, fallen: bool) -> None:
    world = World(2)
    lying = put_down(world, np.array([0.0, 0.0, 3.4]), 0.3)
    (a,) = world.tracker.movers
    a.placed_us = 1_000_000
    brought = magnet(np.array([0.0, 0.0, 10.2]), UP, 0.25, DEFAULT_SHAPE)
    b = Mover(Body((2,), brought), Phase.HAND, world.t, told=True, held=True, placed_us=put_down_us)
    b.kept = MODEL.fields(brought).sum(0)
    world.tracker.movers.append(b)
    world.show([lying, brought])
    both = join(world.tracker, a, b, joined(a.body, b.body), world.t)
    assert both.held
    assert (both.placed_us is not None) is fallen


def test_a_track_that_jumps_touches_nothing_until_its_stone_is_clearly_seen() -> None:
    stone = Body((1,), magnet(np.array([0.0, 0.0, 40.0]), UP, 0.25, DEFAULT_SHAPE))
    m = Mover(stone, Phase.HAND, 0, evidence=60.0)
    m.follow(stone.shifted(np.array([5.0, 0.0, -6.0])), 10_000)
    assert not m.jumped
    m.follow(m.body.shifted(np.array([0.0, 14.0, 0.0])), 20_000)
    m.follow(m.body, 30_000)
    assert m.jumped
    m.evidence = 200.0
    m.follow(m.body, 40_000)
    assert not m.jumped
    m.jumped = 9
    m.set(stone, 50_000)
    assert not m.jumped, "what jumped was not this one"


@pytest.mark.parametrize(("way_mm", "jumps"), [(40.0, False), (56.0, True)])
def test_how_fast_a_track_went_is_judged_from_part_to_part(way_mm: float, jumps: bool) -> None:
    """Halfway along what is filled in it goes all the way in one frame."""
    stone = Body((1,), magnet((50.0, 40.0, 20.0), (0.0, 0.0, 1.0), 0.29))
    there = stone.shifted(np.array([0.0, way_mm, 0.0]))
    m = Mover(stone, Phase.BOARD, 0, evidence=79.0)
    for k, body in enumerate([stone, there, there]):
        m.follow(body, 10_000 * (k + 1), measured=False)
        assert not m.jumped
    m.follow(there, 40_000)
    assert bool(m.jumped) == jumps
    m.evidence = 300.0
    m.follow(there, 50_000, measured=False)
    assert not m.jumped


@pytest.mark.failure("F3")
@pytest.mark.parametrize(("misfit", "learned"), [(18.0, False), (1.0, True)])
def test_a_track_that_explains_badly_tells_nothing_of_how_strong_its_stone_is(misfit: float, learned: bool) -> None:
    """One track between two stones is as strong as both; when one of them is seen to fall, its strength counts."""
    known = float(np.log(0.25))
    m = Mover(Body((1,), magnet((0.0, 0.0, 12.0), UP, 0.5)), Phase.BOARD, 0, log_moment=known, misfit=misfit)
    m.smooth = m.body.centre
    for k in range(20):
        m.judge(300.0, POPULATION, 10_000 * k)
    assert (m.log_moment > known + 0.1) is learned
