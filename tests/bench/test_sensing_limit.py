"""How near the fit comes to what the readings hold: its errors beside the Cramer-Rao bound, same geometry and noise.

No priors in either: place, height, direction and moment of each stone and one background are unknown. Of each layout's
errors the mean is taken off (the bound is for unbiased estimates). Stones without a long side, whose turn about the
moment shows nowhere. Prints, and holds the ratio.
"""

import numpy as np
import pytest

from companion.sensing.fields.bodies import Body, Group
from companion.sensing.fields.dipole import UNKNOWNS, FieldModel
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.sensors.layout import TableLayout
from tests.bench.test_solver_cost import spread_out
from tests.sensing.tables import table_json

SIGMA = 0.1
LAYOUTS, DRAWS = 4, 50
NONE = (0.0, 1e4)
RATIO = 1.15


def bound(model: FieldModel, bodies: list[Body]) -> np.ndarray:
    """Least variances (B, 3) of x, y, z, mm2: the inverse of Fisher's information without what no field shows."""
    _, slopes = model.jacobian(Group(bodies).stones)
    columns = []
    for n, body in enumerate(bodies):
        u = body.stones.axis[0]
        across = np.linalg.svd(u[None])[2][1:]  # the two turns that move the moment
        columns += [*slopes[:3, n], *(across @ slopes[3:6, n]), slopes[6, n]]
    columns.append(np.ones(model.rows))
    rows = np.array(columns)
    variance = np.diag(np.linalg.inv(rows @ rows.T / SIGMA**2))
    return np.asarray(variance[:-1].reshape(len(bodies), 6)[:, :3])


def errors(layout: TableLayout, bodies: list[Body], rng: np.random.Generator) -> np.ndarray:
    """Errors (DRAWS, B, 3), mm, from a start 1 mm and 3 degrees off."""
    weight = np.full(layout.count, SIGMA**-2)
    whole = FieldModel.of(layout).fields(Group(bodies).stones).sum(axis=0)
    true = np.array([b.centre for b in bodies])
    out = []
    for _ in range(DRAWS):
        start = [b.moved(rng.normal(size=UNKNOWNS) * [1.0, 1.0, 0.5, 0.05, 0.05, 0.05, 0.05]) for b in bodies]
        none = [Prior(b.centre, np.full(3, 1e4), 1e3, 0.0, 1e4) for b in start]
        field = whole + rng.normal(0.0, SIGMA, layout.count)
        free = {"limit": 40, "tolerance": 1e-4, "huber": 1e9, "floors": [-1e3] * len(start)}
        found = fit(layout, start, none, field, weight, background=NONE, **free)
        out.append(np.array([b.centre for b in found.bodies]) - true)
    return np.array(out)


@pytest.mark.bench
def test_errors_beside_the_bound(capsys: pytest.CaptureFixture[str]) -> None:
    layout = TableLayout.from_json(table_json())
    model = FieldModel.of(layout)
    lines = [f"stones  draws    rmse mm (bound)    ratio    bias mm   ({SIGMA} mT noise, level: x and y)"]
    worst = 0.0
    for count in (1, 5, 20):
        rng = np.random.default_rng(100 + count)
        variance, least, bias = [], [], []
        for _ in range(LAYOUTS):
            bodies = spread_out(layout, rng, count)
            off = errors(layout, bodies, rng)
            mean = off.mean(axis=0)
            variance.append(((off - mean) ** 2).sum(axis=0) / (DRAWS - 1))
            least.append(bound(model, bodies))
            bias.append(mean)
        for name, axes in (("x, y", slice(0, 2)), ("z", slice(2, 3))):
            rmse = float(np.sqrt(np.mean([v[:, axes] for v in variance])))
            crb = float(np.sqrt(np.mean([v[:, axes] for v in least])))
            away = float(np.sqrt(np.mean([b[:, axes] ** 2 for b in bias])))
            worst = max(worst, rmse / crb)
            lines.append(
                f"{count:4d} {LAYOUTS * DRAWS:8d} {rmse:9.3f} ({crb:.3f}) {rmse / crb:12.3f} {away:10.3f}  {name}"
            )
    with capsys.disabled():
        print("\n" + "\n".join(lines))
    assert worst <= RATIO
