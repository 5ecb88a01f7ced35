"""The one solver: its slopes, its errors beside the Cramer-Rao bound, and what it makes of bad rows."""

import numpy as np
import pytest

from companion.sensing.fields.bodies import Body, joined
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.equations import OWN_WINDOWS
from companion.sensing.fields.magnets import DEFAULT_MOMENT, DEFAULT_MOMENT_SPREAD, magnet
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit

SIGMA = 0.1
WEAK = (0.0, 100.0)
"""A background as good as unknown, mT."""


def weak(body: Body) -> Prior:
    """Nothing known; the turn about the moment, which no sensor sees, is held."""
    return Prior(body.centre, np.full(3, 1e4), 10.0, float(np.log(body.moment)), 100.0)


def of_population(body: Body) -> Prior:
    """Only the moment known."""
    return Prior(body.centre, np.full(3, 1e4), 0.5, float(np.log(DEFAULT_MOMENT)), DEFAULT_MOMENT_SPREAD)


def stones(rng: np.random.Generator, count: int, apart: float = 35.0) -> list[Body]:
    """Stones at rest over the middle of the mats, flat and on edge, moments of the population."""
    out: list[Body] = []
    while len(out) < count:
        at = np.array([rng.uniform(-60, 60), rng.uniform(-40, 80)])
        if any(np.hypot(*(b.centre[:2] - at)) < apart for b in out):
            continue
        flat = rng.random() < 0.7
        turn = rng.uniform(0, 2 * np.pi)
        axis = (0, 0, rng.choice([-1, 1])) if flat else (np.cos(turn), np.sin(turn), 0)
        moment = DEFAULT_MOMENT * np.exp(rng.normal(0, DEFAULT_MOMENT_SPREAD))
        out.append(Body((len(out),), magnet((*at, 3.4 if flat else 6.5), axis, moment)))
    return out


def field_of(layout, bodies: list[Body]) -> np.ndarray:
    return sum(FieldModel.of(layout).fields(b.stones).sum(axis=0) for b in bodies)


def disturbed(rng: np.random.Generator, bodies: list[Body]) -> list[Body]:
    """A warm start: 1 mm, 3 degrees, 5 % off."""
    scale = [1.0, 1.0, 0.7, 0.05, 0.05, 0.05, 0.05]
    return [b.moved(rng.normal(size=7) * scale) for b in bodies]


def off(found, true: list[Body]) -> np.ndarray:
    """Errors (B, 3) of the centres, mm."""
    return np.array([a.centre - b.centre for a, b in zip(found.bodies, true, strict=True)])


def even(layout) -> np.ndarray:
    """All rows with the same weight."""
    return np.full(layout.count, SIGMA**-2)


def slopes_by_differences(layout, bodies: list[Body]) -> np.ndarray:
    """Slopes (7B, S) of the whole field by the unknowns of each body."""
    rows = []
    for body in bodies:
        for k in range(7):
            step = np.zeros(7)
            step[k] = 1e-4
            rows.append((field_of(layout, [body.moved(step)]) - field_of(layout, [body.moved(-step)])) / 2e-4)
    return np.array(rows)


def stack(at: tuple[float, float, float], track: int) -> Body:
    """Two stones, one leaning on the other."""
    one = Body((track,), magnet(at, (0.3, -0.2, 0.9), 0.25))
    return joined(one, Body((track + 1,), magnet((at[0] + 9, at[1] + 4, at[2] + 6), (0.8, 0.1, 0.5), 0.35)))


@pytest.mark.parametrize(
    "bodies",
    [
        [Body((1,), magnet((5, 8, 7), (0.5, 0.2, 0.8), 0.3))],
        [stack((-20, 10, 9), 1)],
        [Body((1,), magnet((30, 8, 4), (0, 0, -1), 0.3)), stack((-20, 10, 9), 2), stack((10, 60, 30), 4)],
        [stack((-50 + 30 * k, 15 * k, 5), 2 * k) for k in range(OWN_WINDOWS // 2)],
    ],
    ids=["a stone", "two stones", "mixed", "each with its own window"],
)
def test_slopes_agree_with_differences(layout, bodies):
    """The normal matrix is the square of the slopes, and the priors'."""
    priors = [weak(b) for b in bodies]
    found = fit(
        layout,
        bodies,
        priors,
        field_of(layout, bodies),
        even(layout),
        limit=1,
        background=WEAK,
        window=1e4,
    )
    by = np.concatenate([slopes_by_differences(layout, bodies), np.ones((1, layout.count))]) / SIGMA
    want = by @ by.T
    want[np.diag_indices_from(want)] += [*[1e-8, 1e-8, 1e-8, 0.01, 0.01, 0.01, 1e-4] * len(bodies), 1e-4]
    size = np.sqrt(np.outer(np.diag(want), np.diag(want)))
    assert np.abs((found.normal - want) / size).max() < 1e-6


def bound(layout, bodies: list[Body]) -> np.ndarray:
    """Cramer-Rao bound (B, 3) of the centres, all rows, background unknown, no priors."""
    by = np.concatenate([slopes_by_differences(layout, bodies), np.ones((1, layout.count))]) / SIGMA
    fisher = by @ by.T
    for k, body in enumerate(bodies):  # the turn about the moment shows in no row and is tied to nothing else
        at = slice(7 * k + 3, 7 * k + 6)
        fisher[at, at] += np.outer(body.axis, body.axis)
    return np.sqrt(np.diag(np.linalg.inv(fisher))[:-1].reshape(-1, 7)[:, :3])


@pytest.mark.parametrize(("count", "draws"), [(1, 300), (5, 200)])
def test_errors_reach_the_cramer_rao_bound(layout, count, draws):
    rng = np.random.default_rng(11)
    parts, sizes = [], []
    for _ in range(draws):
        true = stones(rng, count)
        field = field_of(layout, true) + rng.normal(0, SIGMA, layout.count) + rng.normal(0, 0.03)
        start = disturbed(rng, true)
        found = fit(layout, start, [weak(b) for b in start], field, even(layout), limit=30, background=WEAK)
        assert found.converged
        parts.append(off(found, true) / bound(layout, true))
        sizes.append(off(found, true) / found.sigma()[:, :3])
    ratio = np.sqrt(np.square(parts).mean(axis=(0, 1)))
    whole = np.sqrt(np.square(parts).mean())
    print(f"{count} stones, {draws} draws: error / bound in x, y, z {np.round(ratio, 3)}, together {whole:.3f}")
    assert ratio.max() <= 1.15
    assert np.abs(np.mean(parts, axis=(0, 1))).max() < 0.2  # no bias to speak of
    # The covariance that is reported tells the truth.
    assert 0.85 < np.sqrt(np.square(sizes).mean()) < 1.15


def test_whole_counts_cost_what_their_noise_says(layout):
    rng = np.random.default_rng(12)
    count = 1 / 5.12
    variance = 0.07**2 + count**2 / 12
    parts = []
    for _ in range(60):
        true = stones(rng, 1)
        field = np.rint((field_of(layout, true) + rng.normal(0, 0.07, layout.count)) / count) * count
        weight = np.full(layout.count, 1 / variance)
        found = fit(layout, disturbed(rng, true), [weak(true[0])], field, weight, limit=20, background=WEAK)
        parts.append(found.cost / (len(found.rows) - 7))
    assert np.mean(parts) == pytest.approx(1.0, abs=0.06)


def test_far_starts_still_arrive(layout):
    """A stone that was thrown 12 mm within a frame."""
    rng = np.random.default_rng(13)
    for _ in range(30):
        true = stones(rng, 1)
        start = true[0].moved(np.array([*rng.normal(0, 8, 2), 2.0, *rng.normal(0, 0.3, 3), 0.1]))
        field = field_of(layout, true) + rng.normal(0, SIGMA, layout.count)
        weight = 1.0 / (SIGMA**2 + (0.01 * field) ** 2)
        found = fit(layout, [start], [of_population(start)], field, weight, limit=30)
        assert (np.abs(off(found, true)) < 5.0 * found.sigma()[:, :3]).all()


def test_an_active_stone_beside_the_fields_of_others(layout):
    rng = np.random.default_rng(14)
    true = stones(rng, 6)
    field = field_of(layout, true) - field_of(layout, true[:5]) + rng.normal(0, SIGMA, layout.count)
    found = fit(layout, disturbed(rng, true[5:]), [of_population(true[5])], field, even(layout), limit=12)
    assert np.abs(off(found, true[5:])).max() < 0.6
    assert found.covariance.shape == (7, 7)
    assert len(found.rows) < 120  # only those near it


def test_it_stops_early_where_nothing_is_to_be_gained(layout):
    true = stones(np.random.default_rng(19), 1)
    field = field_of(layout, true)
    near = fit(layout, true, [weak(true[0])], field, even(layout), limit=50)
    assert near.converged
    assert near.evaluations == 1
    far = fit(layout, [true[0].shifted(np.array([9.0, 0, 0]))], [weak(true[0])], field, even(layout), limit=2)
    assert not far.converged
    assert far.evaluations == 2


def test_an_invalid_row_does_not_matter_at_all(layout):
    rng = np.random.default_rng(15)
    true = stones(rng, 1)
    field = field_of(layout, true) + rng.normal(0, SIGMA, layout.count)
    near = int(np.hypot(*(layout.position[:, :2] - true[0].centre[:2]).T).argmin())
    weight = np.where(np.arange(layout.count) == near, 0.0, SIGMA**-2)
    start = disturbed(rng, true)
    places = []
    for lie in (0.0, -100.0):
        field[near] = lie
        found = fit(layout, start, [of_population(start[0])], field, weight, limit=12)
        assert near not in found.rows
        places.append(found.bodies[0].centre)
    assert places[0] == pytest.approx(places[1], abs=1e-12)
    assert np.abs(places[0] - true[0].centre).max() < 1.5


def test_a_row_that_lies_unknown_to_all_pulls_little(layout):
    rng = np.random.default_rng(17)
    away: dict[float, list[float]] = {6.0: [], 1e9: []}
    for _ in range(30):
        true = stones(rng, 1)
        field = field_of(layout, true) + rng.normal(0, SIGMA, layout.count)
        field[np.argsort(np.hypot(*(layout.position[:, :2] - true[0].centre[:2]).T))[4]] += 8.0
        start = disturbed(rng, true)
        weight = 1.0 / (SIGMA**2 + (0.01 * field) ** 2)
        for huber, out in away.items():
            found = fit(layout, start, [of_population(start[0])], field, weight, limit=20, huber=huber)
            out.append(float(np.hypot(*off(found, true)[0, :2])))
    robust, plain = np.median(away[6.0]), np.median(away[1e9])
    print(f"one row 8 mT off: {robust:.2f} mm, without Huber {plain:.2f} mm")
    assert robust < 0.8
    assert robust < 0.3 * plain


def test_all_rows_invalid_leaves_the_priors(layout):
    prior = Prior(np.array([5.0, 6.0, 3.0]), np.full(3, 1.0), 0.5, float(np.log(0.3)), 0.2)
    for count in (1, OWN_WINDOWS):
        start = [Body((k,), magnet((4, 5, 3), (0, 0.1, 1))) for k in range(count)]
        found = fit(layout, start, [prior] * count, np.zeros(layout.count), np.zeros(layout.count), limit=12)
        assert len(found.rows) == 0
        for body in found.bodies:
            assert body.centre == pytest.approx([5, 6, 3], abs=0.15)
            assert body.moment == pytest.approx(0.3, rel=0.02)


def test_a_known_height_helps_where_stones_crowd(layout):
    rng = np.random.default_rng(16)
    free, resting = [], []
    for _ in range(20):
        true = [Body((0,), magnet((0, 10, 3.4), (0, 0, 1), 0.3))]
        for k, at in enumerate(((18, 12), (-17, 8), (3, 29), (-2, -9), (19, 33))):
            place = np.array(at) + rng.normal(0, 1, 2)
            true.append(Body((k + 1,), magnet((*place, 3.4), (0, 0, -1), 0.3)))
        field = field_of(layout, true) + rng.normal(0, SIGMA, layout.count)
        start = disturbed(rng, true)
        for height, out in ((1e4, free), (0.2, resting)):
            priors = [
                Prior(
                    np.array([*b.centre[:2], 3.4]),
                    np.array([1e4, 1e4, height]),
                    0.5,
                    float(np.log(DEFAULT_MOMENT)),
                    DEFAULT_MOMENT_SPREAD,
                )
                for b in start
            ]
            out.append(off(fit(layout, start, priors, field, even(layout), limit=30), true)[:, :2])
    print(f"rms level, mm: {np.square(free).mean() ** 0.5:.3f} free, {np.square(resting).mean() ** 0.5:.3f} resting")
    assert np.square(resting).mean() < 0.9 * np.square(free).mean()


@pytest.mark.parametrize("count", [4, 8])
def test_far_rows_do_not_change_the_result(layout, count):
    """Rows within the window give what all rows give, to a part of the error; 8 stones have windows of their own."""
    rng = np.random.default_rng(18)
    parts = []
    for _ in range(10):
        true = stones(rng, count, 30.0)
        field = field_of(layout, true) + rng.normal(0, SIGMA, layout.count)
        start = disturbed(rng, true)
        priors = [of_population(b) for b in start]
        near, wide = (
            fit(layout, start, priors, field, even(layout), limit=40, tolerance=1e-6, window=w) for w in (62.0, 1e4)
        )
        parts.append(off(near, list(wide.bodies)) / wide.sigma()[:, :3])
    assert np.sqrt(np.square(parts).mean()) < 0.4


def test_wrong_calls_are_refused(layout):
    one = Body((1,), magnet((0, 0, 3), (0, 0, 1)))
    with pytest.raises(ValueError, match="1 and 2"):
        fit(layout, [one], [weak(one)] * 2, np.zeros(220), np.ones(220))
    with pytest.raises(ValueError, match="0 and 0"):
        fit(layout, [], [], np.zeros(220), np.ones(220))
