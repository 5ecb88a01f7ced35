import numpy as np
import pytest

from companion.sensing.dipole import DEFAULT_MOMENT, DEFAULT_MOMENT_SPREAD, FieldModel, Magnets, magnet
from companion.sensing.prior import Priors, Rest
from companion.sensing.solver import Solver

SIGMA = 0.1


def stones(rng: np.random.Generator, count: int, apart: float = 35.0) -> Magnets:
    """Stones at rest over the middle of the mats, flat and on edge, moments of the population."""
    out: Magnets | None = None
    while out is None or len(out) < count:
        at = np.array([rng.uniform(-60, 60), rng.uniform(-40, 80)])
        if out is not None and np.hypot(*(out.position[:, :2] - at).T).min() < apart:
            continue
        flat = rng.random() < 0.7
        turn = rng.uniform(0, 2 * np.pi)
        axis = (0, 0, rng.choice([-1, 1])) if flat else (np.cos(turn), np.sin(turn), 0)
        moment = DEFAULT_MOMENT * np.exp(rng.normal(0, DEFAULT_MOMENT_SPREAD))
        one = magnet((*at, 3.4 if flat else 6.5), axis, moment)
        out = one if out is None else out.joined(one)
    return out


def disturbed(rng: np.random.Generator, magnets: Magnets) -> Magnets:
    """A warm start: 1 mm, 3 degrees, 5 % off."""
    return magnets.stepped(rng.normal(size=(len(magnets), 6)) * [1.0, 1.0, 0.7, 0.05, 0.05, 0.05])


def bound(layout, magnets: Magnets, priors: Priors) -> np.ndarray:
    """Cramer-Rao bound (N, 3) of x, y, z, with the priors of moments and background."""
    _, slopes = FieldModel.of(layout).jacobian(magnets)
    rows = (
        np.concatenate([slopes.transpose(1, 0, 2).reshape(-1, layout.count), np.ones((1, layout.count))])
        / SIGMA
    )
    fisher = rows @ rows.T
    at = 6 * np.arange(len(magnets)) + 5
    fisher[at, at] += priors.log_moment_weight
    fisher[-1, -1] += 0.1**-2
    return np.sqrt(np.diag(np.linalg.inv(fisher))[:-1].reshape(-1, 6)[:, :3])


@pytest.mark.parametrize(("count", "draws"), [(1, 200), (5, 200)])
def test_errors_reach_the_cramer_rao_bound(layout, count, draws):
    rng = np.random.default_rng(11)
    solver = Solver(layout, np.full(layout.count, SIGMA), gain_error=0.0)
    priors = Priors.free(count)
    parts, sizes = [], []
    for _ in range(draws):
        true = stones(rng, count)
        field = solver.field(true) + rng.normal(0, SIGMA, layout.count) + rng.normal(0, 0.03)
        found = solver.solve(field, np.ones(layout.count, bool), disturbed(rng, true), priors)
        assert found.converged
        error = found.magnets.position - true.position
        parts.append(error / bound(layout, true, priors))
        sizes.append(error / found.sigma()[:, :3])
    ratio = np.sqrt(np.square(parts).mean(axis=(0, 1)))
    print(f"{count} stones, {draws} draws: error / bound in x, y, z {np.round(ratio, 3)}")
    assert ratio[:2].max() <= 1.15
    assert np.sqrt(np.square(parts).mean()) <= 1.15
    # The covariance that is reported tells the truth.
    assert 0.85 < np.sqrt(np.square(sizes).mean()) < 1.2


def test_whole_counts_cost_what_their_noise_says(layout):
    rng = np.random.default_rng(12)
    count = 1 / 5.12
    sigma = np.hypot(0.07, count / 12**0.5)
    solver = Solver(layout, np.full(layout.count, sigma), gain_error=0.0)
    chi2 = []
    for _ in range(60):
        true = stones(rng, 1)
        field = np.rint((solver.field(true) + rng.normal(0, 0.07, layout.count)) / count) * count
        found = solver.solve(field, np.ones(layout.count, bool), disturbed(rng, true), Priors.free(1))
        chi2.append(found.chi2 / (found.rows - 7))
    assert np.mean(chi2) == pytest.approx(1.0, abs=0.06)


def test_far_starts_still_arrive(layout):
    """A stone that was thrown 12 mm within a frame."""
    rng = np.random.default_rng(13)
    solver = Solver(layout, np.full(layout.count, SIGMA), gain_error=0.01)
    for _ in range(30):
        true = stones(rng, 1)
        start = true.stepped(np.array([[*rng.normal(0, 8, 2), 2.0, *rng.normal(0, 0.3, 2), 0.1]]))
        field = solver.field(true) + rng.normal(0, SIGMA, layout.count)
        found = solver.solve(field, np.ones(layout.count, bool), start, Priors.free(1), limit=30)
        assert (np.abs(found.magnets.position - true.position)[0] < 5.0 * found.sigma()[0, :3]).all()


def test_active_stones_beside_a_frozen_field(layout):
    rng = np.random.default_rng(14)
    solver = Solver(layout, np.full(layout.count, SIGMA), gain_error=0.0)
    true = stones(rng, 6)
    field = solver.field(true) + rng.normal(0, SIGMA, layout.count)
    frozen = solver.field(true.take([0, 1, 2, 3, 4]))
    start = disturbed(rng, true.take([5]))
    found = solver.solve(field, np.ones(layout.count, bool), start, Priors.free(1), frozen=frozen)
    assert np.abs(found.magnets.position - true.position[5]).max() < 0.6
    # Rows only near the active stone, but the residual is that of the whole table.
    assert found.rows < 120
    assert np.sqrt(np.square(found.residual).mean()) == pytest.approx(SIGMA, rel=0.25)


def test_an_invalid_row_does_not_matter_at_all(layout):
    rng = np.random.default_rng(15)
    solver = Solver(layout, np.full(layout.count, SIGMA))
    true = stones(rng, 1)
    field = solver.field(true) + rng.normal(0, SIGMA, layout.count)
    near = int(np.hypot(*(layout.position[:, :2] - true.position[0, :2]).T).argmin())
    valid = np.arange(layout.count) != near
    start = disturbed(rng, true)
    places = []
    for lie in (0.0, -100.0):
        field[near] = lie
        found = solver.solve(field, valid, start, Priors.free(1))
        assert found.residual[near] == 0.0
        places.append(found.magnets.position[0])
    assert places[0] == pytest.approx(places[1])
    assert np.abs(places[0] - true.position[0]).max() < 1.5


def test_a_row_that_lies_unknown_to_all_pulls_little(layout):
    rng = np.random.default_rng(17)
    robust = Solver(layout, np.full(layout.count, SIGMA), gain_error=0.01)
    plain = Solver(layout, np.full(layout.count, SIGMA), gain_error=0.01, huber=1e9)
    away: dict[Solver, list[float]] = {robust: [], plain: []}
    for _ in range(30):
        true = stones(rng, 1)
        field = plain.field(true) + rng.normal(0, SIGMA, layout.count)
        field[np.argsort(np.hypot(*(layout.position[:, :2] - true.position[0, :2]).T))[4]] += 8.0
        for solver, out in away.items():
            found = solver.solve(
                field, np.ones(layout.count, bool), disturbed(rng, true), Priors.free(1), limit=20
            )
            out.append(float(np.hypot(*(found.magnets.position - true.position)[0, :2])))
    print(
        f"one row 8 mT off: {np.median(away[robust]):.2f} mm, without Huber {np.median(away[plain]):.2f} mm"
    )
    assert np.median(away[robust]) < 0.8
    assert np.median(away[robust]) < 0.3 * np.median(away[plain])


def test_all_rows_invalid_leaves_the_priors(layout):
    solver = Solver(layout, np.full(layout.count, SIGMA))
    priors = Priors.free(1).near([0], [[5, 6, 3]], 1.0).resting([0], Rest.FLAT)
    start = magnet((4, 5, 3), (0, 0.1, 1))
    found = solver.solve(np.zeros(layout.count), np.zeros(layout.count, bool), start, priors)
    assert found.rows == 0
    assert found.chi2 == 0.0
    assert found.magnets.position[0, :2] == pytest.approx([5, 6], abs=0.1)


def test_resting_priors_help_where_stones_crowd(layout):
    rng = np.random.default_rng(16)
    solver = Solver(layout, np.full(layout.count, SIGMA), gain_error=0.0)
    free, resting = [], []
    for _ in range(20):
        true = magnet((0, 10, 3.4), (0, 0, 1), 0.3)
        for at in ((18, 12), (-17, 8), (3, 29), (-2, -9), (19, 33)):
            true = true.joined(magnet((*(np.array(at) + rng.normal(0, 1, 2)), 3.4), (0, 0, -1), 0.3))
        field = solver.field(true) + rng.normal(0, SIGMA, layout.count)
        start = disturbed(rng, true)
        loose = Priors.free(6)
        known = loose.resting(np.arange(6), Rest.FLAT, (3.4, 0.2))
        for priors, out in ((loose, free), (known, resting)):
            found = solver.solve(field, np.ones(layout.count, bool), start, priors, limit=30)
            out.append(found.magnets.position[:, :2] - true.position[:, :2])
    assert np.square(resting).mean() < 0.7 * np.square(free).mean()


def test_wrong_calls_are_refused(layout):
    solver = Solver(layout, np.full(layout.count, SIGMA))
    one = magnet((0, 0, 3), (0, 0, 1))
    with pytest.raises(ValueError, match="1 and 2"):
        solver.solve(np.zeros(220), np.ones(220, bool), one, Priors.free(2))
    with pytest.raises(ValueError, match="0 and 0"):
        solver.solve(np.zeros(220), np.ones(220, bool), one.take([]), Priors.free(0))
