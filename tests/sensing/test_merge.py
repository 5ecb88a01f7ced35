import numpy as np
import pytest

from companion.sensing.dipole import Magnets, magnet
from companion.sensing.merge import Pairing, explain_pair
from companion.sensing.prior import Priors, Rest
from companion.sensing.solver import Solver

SIGMA = 0.1


def settle(layout, truth: Magnets, pair: Magnets, seed: int):
    rng = np.random.default_rng(seed)
    solver = Solver(layout, np.full(layout.count, SIGMA))
    field = solver.field(truth) + rng.normal(0, SIGMA, layout.count)
    priors = Priors.free(2, pair.log_moment, 0.05).resting([0, 1], Rest.FLAT)
    return explain_pair(solver, field, np.ones(layout.count, bool), pair, priors)


PAIR = magnet((0, 10, 3.4), (0, 0, 1), 0.3).joined(magnet((36, 14, 3.4), (0, 0, 1), 0.25))


@pytest.mark.parametrize("seed", range(6))
def test_a_stack_is_told(layout, seed):
    at = np.random.default_rng(seed).uniform([0, 5], [36, 20])
    truth = magnet((*at, 3.4), (0, 0, 1), 0.3).joined(magnet((*at, 10.2), (0, 0, 1), 0.25))
    best, second = settle(layout, truth, PAIR, seed)[:2]
    assert best.pairing is Pairing.STACK
    assert second.cost > best.cost + 15
    assert best.magnets.moment[0] == pytest.approx(0.55, rel=0.12)
    assert np.hypot(*(best.magnets.position[0, :2] - at)) < 1.5


def test_stones_that_stay_apart_are_told(layout):
    best = settle(layout, PAIR.stepped(np.full((2, 6), 0.01)), PAIR, 1)[0]
    assert best.pairing is Pairing.APART
    assert best.gain == 0.0


@pytest.mark.parametrize("gone", [0, 1])
def test_one_that_has_gone_is_told(layout, gone):
    best = settle(layout, PAIR.take([1 - gone]), PAIR, 2)[0]
    assert best.pairing is Pairing.ONE
    assert best.magnets.position[0, 0] == pytest.approx(PAIR.position[1 - gone, 0], abs=1.0)


def test_two_side_by_side_are_told(layout):
    pair = magnet((0, 10, 3.4), (0, 0, 1), 0.3).joined(magnet((34, 14, 3.4), (0, 0, -1), 0.25))
    truth = magnet((10, 10, 3.4), (0, 0, 1), 0.3).joined(magnet((24.5, 12, 3.4), (0, 0, -1), 0.25))
    best = settle(layout, truth, pair, 3)[0]
    # The fit from the tracked places may arrive there by itself: the places tell, not the name.
    assert best.pairing in (Pairing.BESIDE, Pairing.APART)
    order = np.argsort(best.magnets.position[:, 0])
    assert np.abs(best.magnets.position[order] - truth.position).max() < 1.0


def test_a_pair_is_two(layout):
    solver = Solver(layout, np.full(layout.count, SIGMA))
    with pytest.raises(ValueError, match="two stones"):
        explain_pair(solver, np.zeros(220), np.ones(220, bool), PAIR.take([0]), Priors.free(2))
