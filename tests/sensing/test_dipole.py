import magpylib as magpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from companion.sensing.dipole import FieldModel, Magnets, magnet, tangents
from companion.sensing.prior import Priors, Rest
from companion.sensing.solver import Solver

finite = {"allow_nan": False, "allow_infinity": False}
place = st.tuples(st.floats(-100, 100, **finite), st.floats(-80, 150, **finite), st.floats(2, 90, **finite))
unit = st.tuples(*[st.floats(-1, 1, **finite)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1)
stone = st.tuples(place, unit, st.floats(0.15, 0.8), st.floats(1.0, 9.0), st.floats(0.2, 1.9))


def build(stones: list[tuple]) -> Magnets:
    parts = [magnet(p, u, m, (h, w)) for p, u, m, h, w in stones]
    out = parts[0]
    for part in parts[1:]:
        out = out.joined(part)
    return out


@settings(max_examples=25, deadline=None)
@given(st.lists(stone, min_size=1, max_size=4))
def test_slopes_agree_with_central_differences(layout, stones):
    magnets = build(stones)
    model = FieldModel.of(layout)
    fields, slopes = model.jacobian(magnets)
    assert fields == pytest.approx(model.fields(magnets), abs=1e-9)
    step = 1e-4
    for k in range(6):
        move = np.zeros((len(magnets), 6))
        move[:, k] = step
        difference = (model.fields(magnets.stepped(move)) - model.fields(magnets.stepped(-move))) / (2 * step)
        assert slopes[k] == pytest.approx(difference, abs=1e-5 * max(1.0, np.abs(difference).max()))


@settings(max_examples=20, deadline=None)
@given(unit)
def test_slopes_for_tilted_sensors(direction):
    axis = np.tile(np.array(direction) / np.linalg.norm(direction), (5, 1))
    at = np.array([[0, 0, -8.0], [15, 0, -8], [-15, 4, -8], [7, 13, -8], [40, 40, -8]])
    model = FieldModel(at, axis)
    magnets = magnet((2, 1, 5), (0.2, 0.3, 0.9))
    _, slopes = model.jacobian(magnets)
    for k in range(6):
        move = np.zeros((1, 6))
        move[:, k] = 1e-4
        difference = (model.fields(magnets.stepped(move)) - model.fields(magnets.stepped(-move))) / 2e-4
        assert slopes[k] == pytest.approx(difference, abs=1e-5 * max(1.0, np.abs(difference).max()))


@given(unit)
def test_tangents_are_square_to_the_axis_and_each_other(direction):
    axis = np.array([direction]) / np.linalg.norm(direction)
    first, second = tangents(axis)
    frame = np.concatenate([axis, first, second])
    assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-9)


def test_one_dipole_is_that_of_magpylib(layout):
    moment = np.array([0.1, -0.2, 0.15])
    truth = (
        magpy.misc.Dipole(position=(12e-3, -9e-3, 20e-3), moment=moment).getB(layout.position * 1e-3)[:, 2]
        * 1e3
    )
    ours = FieldModel.of(layout).fields(
        magnet((12, -9, 20), moment, float(np.linalg.norm(moment)), (5.0, 1.0))
    )
    assert ours[0] == pytest.approx(truth, abs=1e-9)


POLARISATION = (0.0, 0.0, 0.35)
# Flat stones, magnetised through the thickness, with what is allowed: the worst sensor's error as a part of
# the peak, flat and on edge, and mm of the place. The model is round: a bar, turned anyhow, is its weak side.
BODIES = [
    (
        "disc 13 x 6",
        magpy.magnet.Cylinder(dimension=(13e-3, 6e-3), polarization=POLARISATION),
        0.09,
        0.01,
        0.4,
    ),
    (
        "disc 16 x 7",
        magpy.magnet.Cylinder(dimension=(16e-3, 7e-3), polarization=POLARISATION),
        0.05,
        0.03,
        0.4,
    ),
    (
        "disc 18 x 8",
        magpy.magnet.Cylinder(dimension=(18e-3, 8e-3), polarization=POLARISATION),
        0.12,
        0.05,
        0.4,
    ),
    (
        "block 16 x 14 x 7",
        magpy.magnet.Cuboid(dimension=(16e-3, 14e-3, 7e-3), polarization=POLARISATION),
        0.14,
        0.1,
        0.5,
    ),
    (
        "bar 20 x 11 x 7",
        magpy.magnet.Cuboid(dimension=(20e-3, 11e-3, 7e-3), polarization=POLARISATION),
        0.33,
        0.18,
        2.2,
    ),
]


@pytest.mark.parametrize(
    ("name", "body", "worst_flat", "worst_edge", "place"), BODIES, ids=[b[0] for b in BODIES]
)
@pytest.mark.parametrize("rest", [Rest.FLAT, Rest.UPRIGHT])
def test_default_shape_describes_flat_stones(layout, name, body, worst_flat, worst_edge, place, rest):
    rng = np.random.default_rng(3)
    solver = Solver(layout, np.full(layout.count, 0.08))
    height = 3.5 if rest is Rest.FLAT else 6.5
    priors = Priors.free(1, spread=10.0).resting([0], rest, (height, 1.0), 0.01)
    worst = away = square = 0.0
    for _ in range(6):
        at = np.array([rng.uniform(-40, 40), rng.uniform(0, 50), height])
        turn = Rotation.from_euler("xz", [90.0 * (rest is Rest.UPRIGHT), rng.uniform(0, 360)], degrees=True)
        body.position, body.orientation = at * 1e-3, turn
        truth = body.getB(layout.position * 1e-3)[:, 2] * 1e3
        start = magnet(at, turn.apply([0.0, 0.0, 1.0]), 0.35)
        found = solver.solve(truth, np.ones(layout.count, bool), start, priors, limit=30)
        part = found.residual / np.abs(truth).max()
        worst = max(worst, float(np.abs(part).max()))
        square += float(np.square(part[np.hypot(*(layout.position[:, :2] - at[:2]).T) < 60.0]).mean()) / 6
        away = max(away, float(np.hypot(*(found.magnets.position[0, :2] - at[:2]))))
    print(f"{name}, {rest}: rms {square**0.5:.4f}, worst {worst:.4f} of the peak, place {away:.2f} mm")
    assert worst < (worst_flat if rest is Rest.FLAT else worst_edge)
    assert away < place


def test_a_magnet_needs_an_axis_and_a_moment():
    for axis, moment in [((0, 0, 0), 0.3), ((0, 0, 1), 0.0)]:
        with pytest.raises(ValueError, match="axis"):
            magnet((0, 0, 3), axis, moment)


def test_taking_putting_joining():
    two = magnet((0, 0, 3), (0, 0, 1)).joined(magnet((9, 9, 3), (1, 0, 0)))
    swapped = two.put([0, 1], two.take([1, 0]))
    assert len(two) == 2
    assert swapped.position[0] == pytest.approx([9, 9, 3])
    assert two.position[0] == pytest.approx([0, 0, 3])
