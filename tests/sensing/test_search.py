import numpy as np
import pytest

from companion.sensing.dipole import magnet
from companion.sensing.search import StoneSearch
from companion.sensing.solver import Solver

SIGMA = 0.1


@pytest.fixture(scope="module")
def search(layout):
    return StoneSearch(layout)


def test_a_new_stone_is_found_wherever_and_however_it_lies(layout, search):
    rng = np.random.default_rng(21)
    solver = Solver(layout, np.full(layout.count, SIGMA))
    for n in range(24):
        height = [3.4, 6.5, 20.0][n % 3]
        axis = (0, 0, 1) if n % 3 == 0 else (*rng.normal(size=2), 0.0) if n % 3 == 1 else rng.normal(size=3)
        true = magnet((rng.uniform(-60, 60), rng.uniform(-40, 90), height), axis, rng.uniform(0.2, 0.42))
        field = solver.field(true) + rng.normal(0, SIGMA, layout.count)
        found = search.birth(solver, field, np.ones(layout.count, bool))
        error = (found.magnets.position - true.position)[0, :2]
        assert (np.abs(error) < 0.3 + 4.0 * found.solution.sigma()[0, :2]).all()
        assert (found.magnets.axis @ true.axis.T)[0, 0] > 0.95
        assert found.gain > 100


def test_beside_known_stones(layout, search):
    rng = np.random.default_rng(22)
    solver = Solver(layout, np.full(layout.count, SIGMA))
    known = magnet((0, 0, 3.4), (0, 0, 1)).joined(magnet((50, 20, 3.4), (0, 0, -1)))
    true = magnet((-20, 40, 3.4), (0, 0, 1), 0.25)
    field = solver.field(known.joined(true)) + rng.normal(0, SIGMA, layout.count)
    found = search.birth(solver, field, np.ones(layout.count, bool), frozen=solver.field(known))
    assert np.hypot(*(found.magnets.position - true.position)[0, :2]) < 0.8


def test_noise_gains_little(layout, search):
    rng = np.random.default_rng(23)
    weight = np.full(layout.count, SIGMA**-2)
    best = [search.best(rng.normal(0, SIGMA, layout.count), weight, most=1) for _ in range(20)]
    assert max(c[0].gain if c else 0.0 for c in best) < 35


def test_several_candidates_lie_apart_and_fall_in_gain(layout, search):
    solver = Solver(layout, np.full(layout.count, SIGMA))
    field = solver.field(magnet((-50, 0, 3.4), (0, 0, 1), 0.4).joined(magnet((50, 0, 3.4), (0, 0, 1), 0.2)))
    first, second = search.best(field, np.full(layout.count, SIGMA**-2), most=2)
    assert first.gain > second.gain > 0
    assert first.magnets.position[0, 0] == pytest.approx(-50, abs=8)
    assert second.magnets.position[0, 0] == pytest.approx(50, abs=8)
