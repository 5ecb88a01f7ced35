import magpylib as magpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.lying import fit_lying
from companion.sensing.fields.magnets import DEFAULT_SHAPE, Magnets, magnet, turned
from companion.sensing.fields.prior import Prior

finite = {"allow_nan": False, "allow_infinity": False}
place = st.tuples(st.floats(-100, 100, **finite), st.floats(-80, 150, **finite), st.floats(2, 90, **finite))
unit = st.tuples(*[st.floats(-1, 1, **finite)] * 3).filter(lambda v: np.linalg.norm(v) > 0.1)
elongation = st.one_of(st.just(0.0), st.floats(0.5, 5.0))
stone = st.tuples(place, unit, st.floats(0.15, 0.8), st.floats(1.0, 9.0), st.floats(0.2, 1.9), elongation)


def build(stones: list[tuple]) -> Magnets:
    parts = [magnet(p, u, m, (h, w, e)) for p, u, m, h, w, e in stones]
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
    for k in range(7):
        move = np.zeros((len(magnets), 7))
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
    for k in range(7):
        move = np.zeros((1, 7))
        move[:, k] = 1e-4
        difference = (model.fields(magnets.stepped(move)) - model.fields(magnets.stepped(-move))) / 2e-4
        assert slopes[k] == pytest.approx(difference, abs=1e-5 * max(1.0, np.abs(difference).max()))


turns = st.tuples(*[st.floats(-4, 4, **finite)] * 3)


@given(st.lists(st.tuples(unit, turns), min_size=1, max_size=3))
def test_turns_are_those_of_scipy(pairs):
    vectors, by = (np.array(x) for x in zip(*pairs, strict=True))
    assert turned(vectors, by) == pytest.approx(Rotation.from_rotvec(by).apply(vectors), abs=1e-9)


def test_one_dipole_is_that_of_magpylib(layout):
    moment = np.array([0.1, -0.2, 0.15])
    truth = magpy.misc.Dipole(position=(12e-3, -9e-3, 20e-3), moment=moment).getB(layout.position * 1e-3)[:, 2] * 1e3
    ours = FieldModel.of(layout).fields(magnet((12, -9, 20), moment, float(np.linalg.norm(moment)), (5.0, 1.0)))
    assert ours[0] == pytest.approx(truth, abs=1e-9)


POLARISATION = (0.0, 0.0, 0.35)
# Flat stones, magnetised through the thickness, with what is allowed: the worst sensor's error as a part of
# the peak, flat and on edge, and mm of the place.
BODIES = [
    (
        "disc 13 x 6",
        magpy.magnet.Cylinder(dimension=(13e-3, 6e-3), polarization=POLARISATION),
        0.03,
        0.02,
        0.5,
    ),
    (
        "disc 16 x 7",
        magpy.magnet.Cylinder(dimension=(16e-3, 7e-3), polarization=POLARISATION),
        0.09,
        0.04,
        0.6,
    ),
    (
        "disc 18 x 8",
        magpy.magnet.Cylinder(dimension=(18e-3, 8e-3), polarization=POLARISATION),
        0.19,
        0.05,
        0.7,
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
        0.27,
        0.13,
        1.3,
    ),
]


@pytest.mark.parametrize(("name", "body", "worst_flat", "worst_edge", "place"), BODIES, ids=[b[0] for b in BODIES])
@pytest.mark.parametrize("flat", [True, False], ids=["flat", "on edge"])
def test_default_shape_describes_flat_stones(layout, name, body, worst_flat, worst_edge, place, flat):
    rng = np.random.default_rng(3)
    height = 3.5 if flat else 6.5
    worst = away = square = 0.0
    for _ in range(6):
        at = np.array([rng.uniform(-40, 40), rng.uniform(0, 50), height])
        turn = Rotation.from_euler("xz", [0.0 if flat else 90.0, rng.uniform(0, 360)], degrees=True)
        body.position, body.orientation = at * 1e-3, turn
        truth = body.getB(layout.position * 1e-3)[:, 2] * 1e3
        start = Body((1,), magnet(at, turn.apply([0.0, 0.0, 1.0]), 0.35, DEFAULT_SHAPE))
        prior = Prior(at, np.array([1e3, 1e3, 1.0]), 1.0, np.log(0.35), 10.0)
        weight = 1.0 / (0.08**2 + (0.04 * truth) ** 2)
        found = fit_lying(layout, start, prior, truth, weight, 2.0, limit=30).bodies[0]
        part = (truth - FieldModel.of(layout).fields(found.stones)[0]) / np.abs(truth).max()
        worst = max(worst, float(np.abs(part).max()))
        square += float(np.square(part[np.hypot(*(layout.position[:, :2] - at[:2]).T) < 60.0]).mean()) / 6
        away = max(away, float(np.hypot(*(found.centre[:2] - at[:2]))))
    lying = "flat" if flat else "on edge"
    print(f"{name}, {lying}: rms {square**0.5:.4f}, worst {worst:.4f} of the peak, place {away:.2f} mm")
    assert worst < (worst_flat if flat else worst_edge)
    assert away < place


def test_a_magnet_needs_an_axis_and_a_moment():
    for axis, moment in [((0, 0, 0), 0.3), ((0, 0, 1), 0.0)]:
        with pytest.raises(ValueError, match="axis"):
            magnet((0, 0, 3), axis, moment)


def test_taking_and_joining():
    two = magnet((0, 0, 3), (0, 0, 1)).joined(magnet((9, 9, 3), (1, 0, 0)))
    swapped = two.take([1, 0])
    assert len(two) == 2
    assert swapped.position[0] == pytest.approx([9, 9, 3])
    assert two.position[0] == pytest.approx([0, 0, 3])


def test_a_long_side_lies_square_to_the_axis():
    stone = magnet((0, 0, 3), (0, 0, 2), side=(3, 0, 1))
    assert stone.side[0] == pytest.approx([1, 0, 0])
    with pytest.raises(ValueError, match="long side"):
        magnet((0, 0, 3), (0, 0, 1), side=(0, 0, 1))


def test_a_bar_is_placed_right_however_it_is_turned(layout):
    own = (2.0, 1.7, 4.3)
    for angle in np.linspace(0.0, np.pi, 7):
        truth = magnet((12, 20, 3.5), (0, 0, 1), 0.33, own, (np.cos(angle), np.sin(angle), 0))
        field = FieldModel.of(layout).fields(truth)[0]
        start = Body((1,), magnet((13, 19, 3.5), (0, 0, 1), 0.33, own, (1, 0.1, 0)))
        prior = Prior(np.array([13, 19, 3.5]), np.array([4.0, 4.0, 0.4]), 0.5, np.log(0.33), 0.1)
        weight = 1.0 / (0.05**2 + (0.01 * field) ** 2)
        found = fit_lying(layout, start, prior, field, weight, 2.0).bodies[0].stones
        assert found.position[0] == pytest.approx([12, 20, 3.5], abs=0.03)
        assert abs(float(found.side[0] @ truth.side[0])) > 0.99
