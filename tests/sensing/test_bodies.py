"""Rigid bodies: their derivatives, their fit, and turns."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing.bodies import Body, Prior, align, fit, joined, rotation
from companion.sensing.dipole import FieldModel, magnet
from companion.sensing.layout import Floats, TableLayout

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


directions = st.tuples(*[st.floats(-1, 1)] * 3).map(np.array).filter(lambda v: float(np.linalg.norm(v)) > 0.1)


@given(directions, directions)
def test_align_turns_one_direction_into_the_other(a: Floats, b: Floats) -> None:
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    assert np.allclose(rotation(align(a, b)) @ a, b, atol=1e-6)


@given(directions)
def test_align_turns_a_direction_over(a: Floats) -> None:
    a = a / np.linalg.norm(a)
    assert np.allclose(rotation(align(a, -a)) @ a, -a, atol=1e-6)
