"""Processor time of a warm fit, with the C kernel and with NumPy, beside scipy's least_squares: the same frames, slopes
and start, each with as many evaluations as take it within CLOSE_MM (rms over the stones) of its optimum. Prints only.
"""

from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from scipy.optimize import least_squares

from companion import compiled
from companion.sensing.fields import kernel
from companion.sensing.fields.bodies import Body, Group
from companion.sensing.fields.dipole import UNKNOWNS, FieldModel
from companion.sensing.fields.magnets import DEFAULT_MOMENT, DEFAULT_MOMENT_SPREAD, magnet
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.sensors.layout import TableLayout
from tests.sensing.tables import table_json

SIGMA = 0.1
TURN_SIGMA = 0.5
BACKGROUND = (0.0, 0.1)
CLOSE_MM = 0.05
MOST = 40
DRAWS = 4


def spread_out(layout: TableLayout, rng: np.random.Generator, count: int) -> list[Body]:
    """Stones at rest on the mats, at least 30 mm apart."""
    places: list[np.ndarray] = []
    while len(places) < count:
        at = rng.uniform([-140, -85], [140, 165])
        if layout.beside(at) == 0 and all(np.hypot(*(at - p)) > 30.0 for p in places):
            places.append(at)
    return [Body((n,), magnet((*at, 3.4), (0, 0, (-1) ** n))) for n, at in enumerate(places)]


def by_scipy(model: FieldModel, field: np.ndarray, start: list[Body], most: int) -> np.ndarray:
    """The same problem, slopes and start. The places found after `most` evaluations."""
    count = len(start)
    size = UNKNOWNS * count
    group = Group(start)

    def at(x: np.ndarray) -> Group:
        return group.moved(x[:-1].reshape(count, UNKNOWNS))

    def residual(x: np.ndarray) -> np.ndarray:
        now = at(x)
        rows = (model.fields(now.stones).sum(axis=0) + x[-1] - field) / SIGMA
        moments = (now.log_moments - np.log(DEFAULT_MOMENT)) / DEFAULT_MOMENT_SPREAD
        turns = x[:-1].reshape(count, UNKNOWNS)[:, 3:6].ravel() / TURN_SIGMA
        return np.concatenate([rows, moments, turns, [x[-1] / BACKGROUND[1]]])

    turned_by = (UNKNOWNS * np.arange(count)[:, None] + [3, 4, 5]).ravel()

    def slopes(x: np.ndarray) -> np.ndarray:
        _, by = model.jacobian(at(x).stones)
        out = np.zeros((model.rows + 4 * count + 1, size + 1))
        out[: model.rows, :-1] = by.transpose(2, 1, 0).reshape(model.rows, -1) / SIGMA
        out[: model.rows, -1] = 1 / SIGMA
        out[model.rows + np.arange(count), UNKNOWNS * np.arange(count) + 6] = 1 / DEFAULT_MOMENT_SPREAD
        out[model.rows + count + np.arange(3 * count), turned_by] = 1 / TURN_SIGMA
        out[-1, -1] = 1 / BACKGROUND[1]
        return out

    found = least_squares(residual, np.zeros(size + 1), slopes, method="trf", max_nfev=most, xtol=1e-12, ftol=1e-12)
    return at(found.x).centres


def prior(body: Body) -> Prior:
    """Only the moment known."""
    return Prior(body.centre, np.full(3, 1e4), TURN_SIGMA, float(np.log(DEFAULT_MOMENT)), DEFAULT_MOMENT_SPREAD)


def enough(solve: Callable[[int], np.ndarray]) -> tuple[int, float]:
    """The fewest evaluations after which the places stay within CLOSE_MM of those after MOST, and the least time in ms
    of a solve with so many.
    """
    best = solve(MOST)
    count = MOST
    while count > 1 and float(np.sqrt(((solve(count - 1) - best) ** 2).sum(axis=1).mean())) < CLOSE_MM:
        count -= 1
    spent = []
    for _ in range(3):
        begun = process_time()
        solve(count)
        spent.append(1e3 * (process_time() - begun))
    return count, min(spent)


@pytest.mark.bench
def test_cost_per_frame(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    layout = TableLayout.from_json(table_json())
    rng = np.random.default_rng(31)
    weight = np.full(layout.count, SIGMA**-2)
    model = FieldModel.of(layout)
    compiled_kernel = kernel.Kernel(compiled.build(tmp_path))
    before = kernel.used()
    lines = [
        f"milliseconds to within {CLOSE_MM} mm of the optimum (evaluations), medians of {DRAWS}; active: one of them"
    ]
    lines.append("stones       C full     NumPy full     scipy full    C active  NumPy active")
    for count in (1, 5, 6, 10, 20):
        true = spread_out(layout, rng, count)
        whole = model.fields(Group(true).stones)
        rows: list[list[tuple[int, float]]] = []
        for _ in range(DRAWS):
            field = whole.sum(axis=0) + rng.normal(0, SIGMA, layout.count)
            scale = [0.5, 0.5, 0.3, 0.03, 0.03, 0.03, 0.03]
            start = [b.moved(rng.normal(size=UNKNOWNS) * scale) for b in true]
            priors = [prior(b) for b in start]
            alone = field - whole[1:].sum(axis=0)

            def all_of_them(most: int, start=start, priors=priors, field=field) -> np.ndarray:
                found = fit(layout, start, priors, field, weight, limit=most, background=BACKGROUND, tolerance=1e-9)
                return np.array([b.centre for b in found.bodies])

            def one(most: int, start=start, priors=priors, field=alone) -> np.ndarray:
                found = fit(layout, start[:1], priors[:1], field, weight, limit=most, tolerance=1e-9)
                return found.bodies[0].centre[None]

            row = []
            for solve in (all_of_them, one):
                for work in (compiled_kernel, None):
                    kernel.use(work)
                    row.append(enough(solve))
            row.insert(2, enough(lambda most, start=start, field=field: by_scipy(model, field, start, most)))
            kernel.use(before)
            rows.append(row)
        each = [(float(np.mean([r[k][0] for r in rows])), float(np.median([r[k][1] for r in rows]))) for k in range(5)]
        lines.append(f"{count:6d}" + "".join(f"{ms:9.2f} ({n:4.1f})" for n, ms in each))
    with capsys.disabled():
        print("\n" + "\n".join(lines))
