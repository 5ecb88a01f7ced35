"""A stone at rest fitted with what is known of gains and shapes: more knowledge makes no place worse."""

import numpy as np
import pytest

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.lying import Lying
from companion.sensing.fields.magnets import DEFAULT_MOMENT, DEFAULT_SHAPE, magnet
from companion.sensing.fields.prior import FLAT_HEIGHT, Prior
from companion.sensing.fields.stones import LearnedStone, StoneSet
from companion.sensing.sensors.layout import TableLayout

SHAPES = ((2.0, 1.7, 4.3), (2.0, 2.8, 1.3), (2.0, 2.9, 2.5))
"""A bar, a wedge and a block, which the population's shape describes badly."""


def off(layout: TableLayout, spread: float, stones: StoneSet | None = None) -> float:
    """Median distance (mm) at which stones of odd shapes are found with gains that are true and known within spread."""
    rng = np.random.default_rng(11)
    lying, model = Lying(layout.calibrated(layout.gain, np.full(layout.count, spread)), stones), FieldModel.of(layout)
    middle = layout.triangles.mean(axis=1)
    out = []
    for n in range(24):
        place = middle[n % len(middle)] + rng.uniform(-25.0, 25.0, 2)
        angle = rng.uniform(0.0, np.pi)
        true = magnet((*place, 3.4), (0.0, 0.0, 1.0), 0.27, SHAPES[n % 3], (np.cos(angle), np.sin(angle), 0.0))
        field = model.fields(true).sum(axis=0) + rng.normal(0.0, 0.03, layout.count)
        start = Body((1,), magnet((*(place + 1.0), 3.4), (0.0, 0.0, 1.0), DEFAULT_MOMENT, DEFAULT_SHAPE))
        prior = Prior(np.array([*place, FLAT_HEIGHT[0]]), np.array([4.0, 4.0, 0.4]), 0.5, np.log(DEFAULT_MOMENT), 0.27)
        weight = 1.0 / (0.03**2 + lying.variance(field, True))
        found = lying.fit(start, prior, field, weight, 2.0, True).found.bodies[0]
        out.append(float(np.hypot(*(found.centre[:2] - place))))
    return float(np.median(out))


def test_gains_known_well_do_not_make_a_stone_of_unknown_shape_worse(layout: TableLayout) -> None:
    assert off(layout, 0.003) < 1.1 * off(layout, 0.03)


def test_a_learned_shape_is_found_nearer_than_an_unknown_one(layout: TableLayout) -> None:
    stones = StoneSet("box", tuple(LearnedStone(k, 0.27, 0.01, s, 6.8, None, 0.01) for k, s in enumerate(SHAPES)))
    assert off(layout, 0.01, stones) < 0.5 * off(layout, 0.01)


@pytest.mark.parametrize(("single", "learned"), [(True, False), (False, False), (False, True)])
def test_no_fit_claims_more_than_its_shape_is_worth(layout: TableLayout, single: bool, learned: bool) -> None:
    stones = StoneSet("box", (LearnedStone(1, 0.27, 0.01, SHAPES[0], 6.8, None, 0.01),)) if learned else None
    field = np.full(layout.count, 10.0)
    sure = Lying(layout.calibrated(layout.gain, np.full(layout.count, 1e-4)), stones)
    assert np.sqrt(sure.variance(field, single)) / 10.0 == pytest.approx(0.052, abs=1e-3)
