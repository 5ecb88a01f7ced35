"""Rigid bodies: how they move, their fit, and turns."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing.fields.bodies import Body, Group, align, joined
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet, turned
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.sensors.layout import Floats, TableLayout

DATA = Path(__file__).parent.parent / "data" / "recordings"


@pytest.fixture(scope="module")
def layout() -> TableLayout:
    return TableLayout.from_json(json.loads((DATA / "nominal-snap2-a" / "table.json").read_text()))


def stack(x: float, y: float, z: float, tilt: float) -> Body:
    axis = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    low = Body((1,), magnet((x, y, z), axis, 0.25))
    return joined(low, Body((2,), magnet(np.array([x, y, z]) + 7.0 * axis, axis, 0.3)))


def loose(body: Body) -> Prior:
    return Prior(body.centre, np.full(3, 50.0), 3.0, float(np.log(body.moment)), 0.1)


@given(st.floats(-20, 20), st.floats(-20, 20), st.floats(4, 40), st.floats(0, 3))
def test_a_stack_is_found_again_as_one_body(x: float, y: float, z: float, tilt: float) -> None:
    table = TableLayout.from_json(json.loads((DATA / "nominal-snap2-a" / "table.json").read_text()))
    true = stack(x, y, z + 8.0, tilt)
    measured = FieldModel.of(table).fields(true.stones).sum(0)
    start = true.moved(np.array([3.0, -2.0, 2.0, 0.15, -0.1, 0.0, 0.0]))
    found = fit(table, [start], [loose(true)], measured, np.full(table.count, 100.0), limit=30).bodies[0]
    assert np.abs(found.centre - true.centre).max() < 0.3
    assert float(found.axis @ true.axis) > 0.999
    d = found.stones.position[1] - found.stones.position[0]
    assert float(np.linalg.norm(d)) == pytest.approx(7.0, abs=1e-9)  # it cannot come apart


def test_two_bodies_are_told_apart_by_their_moments(layout: TableLayout) -> None:
    a = Body((1,), magnet((0.0, 0.0, 3.5), (0, 0, 1), 0.2))
    b = Body((2,), magnet((30.0, 5.0, 20.0), (0, 0, -1), 0.4))
    measured = FieldModel.of(layout).fields(a.stones.joined(b.stones)).sum(0)
    start = [a.shifted(np.array([2.0, 1.0, 1.0])), b.shifted(np.array([-4.0, 3.0, 4.0]))]
    found = fit(layout, start, [loose(a), loose(b)], measured, np.full(layout.count, 100.0), limit=30)
    for body, true in zip(found.bodies, (a, b), strict=True):
        assert np.abs(body.centre - true.centre).max() < 0.3
    assert found.cost < 1.0


def test_the_floor_holds(layout: TableLayout) -> None:
    true = Body((1,), magnet((0.0, 0.0, 0.5), (0, 0, 1), 0.3))
    measured = FieldModel.of(layout).fields(true.stones).sum(0)
    start = true.shifted(np.array([0.0, 0.0, 5.0]))
    found = fit(layout, [start], [loose(true)], measured, np.full(layout.count, 100.0), limit=20, floors=[2.0])
    assert found.bodies[0].centre[2] >= 2.0 - 1e-9


def test_bodies_of_a_group_move_each_by_its_own_step() -> None:
    one = Body((3,), magnet((40.0, 0.0, 9.0), (1, 0, 0), 0.3))
    bodies = [stack(0.0, 0.0, 8.0, 0.4), one, stack(-30.0, 20.0, 12.0, 2.0)]
    steps = np.random.default_rng(2).normal(0.0, 0.3, (3, 7))
    together = Group(bodies).moved(steps).bodies
    for body, step, moved in zip(bodies, steps, together, strict=True):
        assert moved.tracks == body.tracks
        assert moved.centre == pytest.approx(body.centre + step[:3])
        assert moved.moment == pytest.approx(body.moment * np.exp(step[6]))
        assert moved.axis == pytest.approx(turned(body.axis[None], step[None, 3:6])[0])
        alone = body.moved(step).stones
        assert moved.stones.position == pytest.approx(alone.position)
        assert moved.stones.axis == pytest.approx(alone.axis)


def test_a_group_is_raised_by_its_lowest_stone() -> None:
    tall = stack(0.0, 0.0, 3.0, 0.0)
    sunk = np.zeros((2, 7))
    sunk[:, 2] = -4.0
    low, high = Group([tall, tall.shifted(np.array([0.0, 0.0, 20.0]))]).moved(sunk, np.array([2.0, 2.0])).bodies
    assert low.stones.position[:, 2] == pytest.approx([2.0, 9.0])
    assert high.stones.position[:, 2] == pytest.approx([19.0, 26.0])


directions = st.tuples(*[st.floats(-1, 1)] * 3).map(np.array).filter(lambda v: float(np.linalg.norm(v)) > 0.1)


@given(directions, directions)
def test_align_turns_one_direction_into_the_other(a: Floats, b: Floats) -> None:
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    assert np.allclose(turned(a[None], align(a, b)[None])[0], b, atol=1e-6)


@given(directions)
def test_align_turns_a_direction_over(a: Floats) -> None:
    a = a / np.linalg.norm(a)
    assert np.allclose(turned(a[None], align(a, -a)[None])[0], -a, atol=1e-6)
