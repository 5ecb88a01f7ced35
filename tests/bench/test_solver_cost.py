"""Processor time of a warm fit per frame, beside scipy's least_squares on the same frames. Prints only."""

from time import process_time

import numpy as np
import pytest
from scipy.optimize import least_squares

from companion.sensing.bodies import Body, Group
from companion.sensing.dipole import DEFAULT_MOMENT, DEFAULT_MOMENT_SPREAD, UNKNOWNS, FieldModel, magnet
from companion.sensing.layout import TableLayout
from companion.sensing.prior import Prior
from companion.sensing.solver import fit
from tests.sensing.tables import table_json

SIGMA = 0.1
TURN_SIGMA = 0.5
BACKGROUND = (0.0, 0.1)


def spread_out(layout: TableLayout, rng: np.random.Generator, count: int) -> list[Body]:
    """Stones at rest on the mats, at least 30 mm apart."""
    places: list[np.ndarray] = []
    while len(places) < count:
        at = rng.uniform([-140, -85], [140, 165])
        if layout.beside(at) == 0 and all(np.hypot(*(at - p)) > 30.0 for p in places):
            places.append(at)
    return [Body((n,), magnet((*at, 3.4), (0, 0, (-1) ** n))) for n, at in enumerate(places)]


def by_scipy(model: FieldModel, field: np.ndarray, start: list[Body]) -> tuple[int, np.ndarray]:
    """The same problem, slopes and start; default tolerances. Evaluations, and the places found."""
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

    found = least_squares(residual, np.zeros(size + 1), slopes, method="trf")
    return int(found.nfev), at(found.x).centres


def prior(body: Body) -> Prior:
    """Only the moment known."""
    return Prior(body.centre, np.full(3, 1e4), TURN_SIGMA, float(np.log(DEFAULT_MOMENT)), DEFAULT_MOMENT_SPREAD)


@pytest.mark.bench
def test_cost_per_frame(capsys: pytest.CaptureFixture[str]) -> None:
    layout = TableLayout.from_json(table_json())
    rng = np.random.default_rng(31)
    weight = np.full(layout.count, SIGMA**-2)
    model = FieldModel.of(layout)
    lines = ["stones   ours ms (evaluations, rows)    scipy ms (evaluations)    one of them active, ms    apart, mm"]
    for count in (1, 5, 6, 10, 20):
        true = spread_out(layout, rng, count)
        whole = model.fields(Group(true).stones)
        ours, theirs, active, ours_n, theirs_n, apart = [], [], [], [], [], []
        for _ in range(15):
            field = whole.sum(axis=0) + rng.normal(0, SIGMA, layout.count)
            scale = [0.5, 0.5, 0.3, 0.03, 0.03, 0.03, 0.03]
            start = [b.moved(rng.normal(size=UNKNOWNS) * scale) for b in true]
            priors = [prior(b) for b in start]
            t0 = process_time()
            found = fit(layout, start, priors, field, weight, limit=12, background=BACKGROUND)
            t1 = process_time()
            evaluations, places = by_scipy(model, field, start)
            t2 = process_time()
            fit(layout, start[:1], priors[:1], field - whole[1:].sum(axis=0), weight, limit=12)
            t3 = process_time()
            ours.append(t1 - t0)
            theirs.append(t2 - t1)
            active.append(t3 - t2)
            ours_n.append(found.evaluations)
            theirs_n.append(evaluations)
            mine = np.array([b.centre for b in found.bodies])
            apart.append(float(np.abs(mine - places).max()))
            assert np.abs(mine - np.array([b.centre for b in true])).max() < 5.0
        lines.append(
            f"{count:4d} {1e3 * np.median(ours):10.2f} min {1e3 * min(ours):.2f}"
            f" ({np.mean(ours_n):.1f}, {len(found.rows)})"
            f" {1e3 * np.median(theirs):14.1f} min {1e3 * min(theirs):.1f} ({np.mean(theirs_n):.1f})"
            f" {1e3 * np.median(active):12.2f} min {1e3 * min(active):.2f} {np.median(apart):10.2f}"
        )
    with capsys.disabled():
        print("\n" + "\n".join(lines))
