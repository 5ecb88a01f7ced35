"""A stone that seems to be carried near one at rest: whether the reading needs it."""

import numpy as np
import pytest

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.groups import gains
from companion.sensing.tracks.movers import FAINT, LOST_GAIN, Mover, Phase
from companion.sensing.tracks.needed import COMES_FRAMES, JUMPS_US, lying_near, worth

SIGMA = 0.15
T_US = 5_000_000
UP, SIDEWAYS = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)


def stone(layout: TableLayout, track: int, place: Floats, axis: tuple[float, float, float], phase: Phase) -> Mover:
    m = Mover(Body((track,), magnet(tuple(place), axis, 0.29)), phase, 0)
    m.smooth, m.evidence, m.frames = place, 100.0, COMES_FRAMES
    m.kept = FieldModel.of(layout).fields(m.body.stones).sum(0)
    return m


@pytest.mark.failure("F3")
@pytest.mark.parametrize("there", [False, True])
def test_a_ghost_over_a_stone_that_lies_as_it_lay_is_not_needed(layout: TableLayout, there: bool) -> None:
    """Its track and that of the stone, a little off, explain together what the stone alone shows; a stone that is there
    is missed."""
    at = np.array([*layout.triangles[0].mean(axis=0), 3.4])
    carried = stone(layout, 2, at + np.array([0.0, 0.0, 24.0]), SIDEWAYS, Phase.HAND)
    lies = stone(layout, 1, at, UP, Phase.BOARD)
    shown = lies.kept + (carried.kept if there else 0.0) + np.random.default_rng(5).normal(0.0, SIGMA, layout.count)
    off = lies if there else stone(layout, 1, at, (0.26, 0.0, 0.966), Phase.BOARD)
    off.rested = at
    if not there:
        carried.kept = lies.kept - off.kept  # the field of what the track was drawn to
    weight = np.full(layout.count, 1.0 / SIGMA**2)
    left = shown - off.kept - carried.kept
    (evidence,) = gains([carried], left, weight)
    assert evidence > 2.0 * LOST_GAIN
    model = FieldModel.of(layout)
    assert (worth(layout, model, carried, [off], left, weight) > LOST_GAIN) is there


@pytest.mark.parametrize(
    ("phase", "evidence", "frames", "faint_us", "away_mm", "asked"),
    [
        (Phase.HAND, 100.0, COMES_FRAMES, None, 25.0, True),
        (Phase.HAND, FAINT, COMES_FRAMES, None, 25.0, False),  # clearly seen
        (Phase.HAND, 100.0, 10, None, 25.0, False),  # it has only come
        (Phase.HAND, 100.0, COMES_FRAMES, None, 80.0, False),
        (Phase.LIFTED, 100.0, COMES_FRAMES, T_US - JUMPS_US - 1, 25.0, True),
        (Phase.LIFTED, 100.0, COMES_FRAMES, T_US - 100_000, 25.0, False),  # it may jump, and those near it with it
        (Phase.BOARD, 100.0, COMES_FRAMES, None, 25.0, False),
    ],
)
def test_what_is_asked_is_carried_faint_and_near_a_stone_at_rest(
    layout: TableLayout, phase: Phase, evidence: float, frames: int, faint_us: int | None, away_mm: float, asked: bool
) -> None:
    at = np.array([0.0, 0.0, 3.4])
    lies = stone(layout, 1, at, UP, Phase.BOARD)
    lies.rested = at
    m = stone(layout, 2, at + np.array([0.0, 0.0, away_mm]), UP, phase)
    m.evidence, m.faint_us, m.frames = evidence, faint_us, frames
    assert lying_near(m, [lies, m], T_US) == ([lies] if asked else [])


@pytest.mark.parametrize("change", ["moved", "runs", "asleep"])
def test_only_a_stone_that_lies_where_it_lay_and_is_solved_stands_for_another(layout: TableLayout, change: str) -> None:
    at = np.array([0.0, 0.0, 3.4])
    lies = stone(layout, 1, at, UP, Phase.BOARD)
    lies.rested = at + np.array([10.0, 0.0, 0.0]) if change == "moved" else at
    lies.velocity = np.array([4.0 if change == "runs" else 0.0, 0.0, 0.0])
    lies.awake = change != "asleep"
    m = stone(layout, 2, at + np.array([0.0, 0.0, 25.0]), UP, Phase.HAND)
    assert lying_near(m, [lies, m], T_US) == []


def test_what_has_come_faster_than_a_hand_is_asked_at_once(layout: TableLayout) -> None:
    at = np.array([0.0, 0.0, 3.4])
    lies = stone(layout, 1, at, UP, Phase.BOARD)
    lies.rested = at
    m = stone(layout, 2, at + np.array([0.0, 0.0, 25.0]), UP, Phase.HAND)
    m.frames, m.jumped = 10, 1
    assert lying_near(m, [lies, m], T_US) == [lies]


@pytest.mark.failure("F3")
@pytest.mark.parametrize(("lain_us", "asked"), [(T_US - 3_000_000, False), (T_US - 1_000_000, True)])
def test_a_held_stone_is_a_witness_only_if_it_lay_so_before_the_other_came(
    layout: TableLayout, lain_us: int, asked: bool
) -> None:
    """It was seen to lie so beside that track, which may have taken a part of its field."""
    at = np.array([0.0, 0.0, 3.4])
    lies = stone(layout, 1, at, UP, Phase.BOARD)
    lies.rested, lies.pinned, lies.lain_us = at, True, lain_us
    m = stone(layout, 2, at + np.array([0.0, 0.0, 25.0]), UP, Phase.HAND)
    m.born_us = T_US - 2_000_000
    assert lying_near(m, [lies, m], T_US) == ([lies] if asked else [])
