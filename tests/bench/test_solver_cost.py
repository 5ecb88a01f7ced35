"""Cost of a warm fit per frame, beside scipy's least_squares on the same frames. Prints; no pass mark on time."""

from time import perf_counter

import numpy as np
import pytest
from scipy.optimize import least_squares

from companion.sensing.dipole import FieldModel, Magnets, magnet
from companion.sensing.layout import TableLayout
from companion.sensing.prior import Priors
from companion.sensing.solver import Solver

SIGMA = 0.1
TILES = [
    ("A", 0.0, 0.0, 180.0),
    ("B", 75.0, -43.301, 0.0),
    ("C", -75.0, -43.301, 0.0),
    ("D", 0.0, 86.603, 0.0),
]


def reference() -> TableLayout:
    sensor = {"z": -8.0, "axis": [0.0, 0.0, 1.0], "gain": 5.12, "offset": 512}
    places = [
        (15 * (i + j / 2) - 67.5, 12.990 * (j + 1 / 3) - 43.301) for j in range(10) for i in range(10 - j)
    ]
    return TableLayout.from_json(
        {
            "side": 150.0,
            "mat_top_above_table": 20.0,
            "frame_rate": 100.0,
            "scan_fraction": 0.8,
            "adc_bits": 10,
            "sensor": {"range_mt": 85.0},
            "tiles": [
                {
                    "id": n,
                    "x": x,
                    "y": y,
                    "rot": r,
                    "sensors": [{"x": a, "y": b, **sensor} for a, b in places],
                }
                for n, x, y, r in TILES
            ],
        }
    )


def spread_out(layout: TableLayout, rng: np.random.Generator, count: int) -> Magnets:
    """Stones at rest on the mats, at least 30 mm apart."""
    places: list[np.ndarray] = []
    while len(places) < count:
        at = rng.uniform([-140, -85], [140, 165])
        if layout.beside(at) == 0 and all(np.hypot(*(at - p)) > 30.0 for p in places):
            places.append(at)
    out = magnet((*places[0], 3.4), (0, 0, 1))
    for n, at in enumerate(places[1:]):
        out = out.joined(magnet((*at, 3.4), (0, 0, (-1) ** n)))
    return out


def by_scipy(model: FieldModel, field: np.ndarray, start: Magnets, priors: Priors) -> int:
    """The same problem, slopes and start; default tolerances. Returns the number of evaluations."""
    count = len(start)

    def at(x: np.ndarray) -> Magnets:
        return start.stepped(x[:-1].reshape(count, 6))

    def residual(x: np.ndarray) -> np.ndarray:
        magnets = at(x)
        rows = (model.fields(magnets).sum(axis=0) + x[-1] - field) / SIGMA
        prior = (magnets.log_moment - priors.log_moment) * np.sqrt(priors.log_moment_weight)
        return np.concatenate([rows, prior, [x[-1] / 0.1]])

    def slopes(x: np.ndarray) -> np.ndarray:
        _, by = model.jacobian(at(x))
        out = np.zeros((model.rows + count + 1, 6 * count + 1))
        out[: model.rows, :-1] = by.transpose(2, 1, 0).reshape(model.rows, -1) / SIGMA
        out[: model.rows, -1] = 1 / SIGMA
        out[model.rows + np.arange(count), 6 * np.arange(count) + 5] = np.sqrt(priors.log_moment_weight)
        out[-1, -1] = 10.0
        return out

    return int(least_squares(residual, np.zeros(6 * count + 1), slopes, method="trf").nfev)


@pytest.mark.bench
def test_cost_per_frame(capsys: pytest.CaptureFixture[str]) -> None:
    layout = reference()
    rng = np.random.default_rng(31)
    solver = Solver(layout, np.full(layout.count, SIGMA), gain_error=0.0)
    valid = np.ones(layout.count, bool)
    model = FieldModel.of(layout)
    lines = ["stones   ours ms (evaluations, rows)    scipy ms (evaluations)    one of them active, ms"]
    for count in (1, 5, 6, 10, 20):
        true = spread_out(layout, rng, count)
        priors = Priors.free(count)
        frozen = solver.field(true.take(np.arange(1, count)))
        ours, theirs, active, ours_n, theirs_n = [], [], [], [], []
        for _ in range(15):
            field = solver.field(true) + rng.normal(0, SIGMA, layout.count)
            start = true.stepped(rng.normal(size=(count, 6)) * [0.5, 0.5, 0.3, 0.03, 0.03, 0.03])
            t0 = perf_counter()
            found = solver.solve(field, valid, start, priors)
            t1 = perf_counter()
            theirs_n.append(by_scipy(model, field, start, priors))
            t2 = perf_counter()
            solver.solve(field, valid, start.take([0]), priors.take([0]), frozen=frozen)
            t3 = perf_counter()
            ours.append(t1 - t0)
            theirs.append(t2 - t1)
            active.append(t3 - t2)
            ours_n.append(found.iterations)
            assert np.abs(found.magnets.position - true.position).max() < 5.0
        lines.append(
            f"{count:4d} {1e3 * np.median(ours):10.2f} min {1e3 * min(ours):.2f} ({np.mean(ours_n):.1f}, {found.rows})"
            f" {1e3 * np.median(theirs):14.1f} min {1e3 * min(theirs):.1f} ({np.mean(theirs_n):.1f})"
            f" {1e3 * np.median(active):12.2f} min {1e3 * min(active):.2f}"
        )
    with capsys.disabled():
        print("\n" + "\n".join(lines))
