"""Names of stones: as often right as what is measured allows, as sure as they are right, and no slave of the scale."""

import numpy as np
import pytest

from companion.sensing.fields.stones import LearnedStone, StoneSet
from companion.sensing.tracks.identity import Identity
from tests.bench.identity_limit import HARD, NOMINAL, Measured, limit

DRAWS = 40


def box(seed: int) -> StoneSet:
    """Twenty stones of five kinds, as much alike as in a box: moments of a kind 7 % apart, and masses with them."""
    rng = np.random.default_rng(seed)
    stones = []
    for number in range(20):
        moment = (0.20, 0.25, 0.28, 0.33, 0.40)[number // 4] * float(np.exp(rng.normal(0.0, 0.07)))
        mass = 16.8 * moment * float(np.exp(rng.normal(0.0, 0.04)))
        stones.append(LearnedStone(number, moment, 0.015, (2.0, 2.3, 2.4), 6.5, mass, 0.01))
    return StoneSet("box", tuple(stones))


@pytest.mark.parametrize(("what", "name"), [(NOMINAL, "nominal"), (HARD, "hard")])
def test_names_are_as_often_right_as_can_be_and_say_how_often(what: Measured, name: str) -> None:
    right, told, best = [], [], []
    for seed in range(4):
        stones, rng = box(seed), np.random.default_rng([seed, 1])
        best.append(limit(stones.stones, what, shapes=False))
        log_moment = np.log([s.moment for s in stones.stones])
        for s in stones.stones:
            assert s.mass is not None
            for _ in range(DRAWS):
                moment, grams = what.drawn(float(np.log(s.moment)), s.mass, rng)
                identity = Identity(stones)
                identity.seen(1, what.by_moment(log_moment - moment))
                identity.weighed(1, grams)
                number, p = identity.names[1]
                right.append(number == s.number)
                told.append(p)
    print(f"{name}: right {np.mean(right):.3f} of {len(right)}, at best {np.mean(best):.3f}; told {np.mean(told):.3f}")
    assert np.mean(right) > np.mean(best) - 0.03
    assert np.mean(told) == pytest.approx(np.mean(right), abs=0.05)


def test_one_step_that_a_magnet_pulled_at_is_not_believed_against_the_field() -> None:
    pair = [LearnedStone(k, 0.25 + 0.05 * k, 0.015, (2.0, 2.3, 2.4), 6.5, 4.0 + 1.1 * k, 0.01) for k in range(2)]
    identity = Identity(StoneSet("two", tuple(pair)))
    identity.seen(1, np.array([0.0, -10.0]))
    identity.weighed(1, 5.1)  # as much as the other one
    assert identity.names[1][0] == 0
    assert identity.names[1][1] < 0.95
