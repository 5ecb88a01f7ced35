"""The normal equations level by level are those of the whole matrix."""

import numpy as np
import pytest

from companion.sensing.fields.bodies import Body, Group
from companion.sensing.fields.dipole import UNKNOWNS, FieldModel, far_fields
from companion.sensing.fields.levels import LEAST_BODIES, Levels
from companion.sensing.fields.magnets import DEFAULT_SHAPE, magnet
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import WINDOW_MM, fit
from companion.sensing.sensors.layout import TableLayout


def meeting(rng: np.random.Generator, count: int, long: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bodies strewn over a strip so long: what is near, where they are, slopes that are 0 elsewhere."""
    centres = np.column_stack([rng.uniform(0.0, long, count), rng.uniform(0.0, 100.0, count), np.zeros(count)])
    rows = np.column_stack([rng.uniform(0.0, long, 300), rng.uniform(0.0, 100.0, 300)])
    near = np.linalg.norm(centres[:, None, :2] - rows[None], axis=2) < WINDOW_MM
    return near, centres, np.where(near[:, None], rng.normal(size=(count, UNKNOWNS, 300)), 0.0)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("count", "long"), [(14, 900.0), (25, 700.0), (60, 1500.0), (30, 4000.0)])
def test_steps_and_matrix_are_the_same(seed: int, count: int, long: float) -> None:
    rng = np.random.default_rng(seed)
    near, centres, slopes = meeting(rng, count, long)
    levels = Levels.of(near, centres)
    assert levels is not None
    stiff, pull = rng.uniform(0.1, 2.0, UNKNOWNS * count), rng.normal(size=UNKNOWNS * count)
    blocks = levels.square(slopes, stiff)
    flat = slopes.reshape(len(stiff), -1)
    whole = flat @ flat.T + np.diag(stiff)
    assert np.abs(blocks.whole() - whole).max() < 1e-9 * np.abs(whole).max()
    for damping in (0.0, 0.1):
        want = np.linalg.solve(whole + damping * np.diag(np.diag(whole)), pull)
        assert np.abs(blocks.solve(damping, pull) - want).max() < 1e-9 * np.abs(want).max()


def test_where_all_meet_or_few_are_nothing_is_gained() -> None:
    rng = np.random.default_rng(1)
    near, centres, _ = meeting(rng, LEAST_BODIES - 1, 900.0)
    assert Levels.of(near, centres) is None
    near, centres, _ = meeting(rng, 30, 60.0)
    assert Levels.of(near, centres) is None


def test_a_stone_far_away_is_a_dipole(layout: TableLayout) -> None:
    rows = np.arange(layout.count)
    stone = magnet((20.0, 10.0, 3.4), (0.3, 0.5, 1.0), 0.3, DEFAULT_SHAPE, (1, -0.6, 0))
    want, got = FieldModel.of(layout).fields(stone)[0], far_fields(layout, rows, stone)[0]
    far = np.linalg.norm(layout.position[:, :2] - stone.position[0, :2], axis=1) > WINDOW_MM
    assert np.abs(got - want)[far].max() < 2e-3  # mT, a fiftieth of the noise


def test_a_fit_of_many_finds_them_all() -> None:
    """Forty stones on eight tiles: the levels are used, and the answer is where the stones are."""
    from tests.bench.test_frame_cost import lying, row_of

    layout, rng = row_of(8), np.random.default_rng(3)
    bodies = [Body((k,), s) for k, s in enumerate(lying(layout, rng, 40))]
    field = FieldModel.of(layout).fields(Group(bodies).stones).sum(axis=0)
    start = [b.moved(rng.normal(size=UNKNOWNS) * [0.5, 0.5, 0.3, 0.03, 0.03, 0.03, 0.03]) for b in bodies]
    priors = [Prior(b.centre, np.full(3, 4.0), 0.5, float(np.log(0.29)), 0.3) for b in bodies]
    found = fit(layout, start, priors, field, np.full(layout.count, 100.0), limit=30)
    off = [np.linalg.norm(a.centre - b.centre) for a, b in zip(found.bodies, bodies, strict=True)]
    assert max(off) < 0.2
    assert found.normal.shape == (280, 280)
