"""Where the bodies are: a warm-started Levenberg-Marquardt fit of their field to one reading.

Minimised is chi squared = sum over the rows of weight (measured - background - sum of the stones)^2, plus the
priors; a row that stays more than HUBER deviations off counts linearly from there on (Huber, Robust Estimation
of a Location Parameter, 1964). Unknown are seven numbers a body (companion.sensing.bodies) and, where asked
for, one uniform background. A step solves (A + damping x diag A) step = g; one that lowers the cost is taken
and the damping falls tenfold, else it rises. The fit ends when a step would lower the cost by less than the
tolerance.

Bodies that rest need not be solved again: take their fields off the measured one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.sensing.bodies import Body, Group
from companion.sensing.dipole import UNKNOWNS, FieldModel, far_fields
from companion.sensing.layout import Bools, Floats, TableLayout
from companion.sensing.levels import Blocks, Levels
from companion.sensing.prior import Prior

WINDOW_MM: Final = 62.0
"""Rows farther than this from a stone on the mats say little about it; one higher up is seen wider."""

OWN_WINDOWS: Final = 6
"""From so many stones on each has slopes only in its own window; with fewer that saves next to nothing."""

HUBER: Final = 6.0
TOLERANCE: Final = 0.05
"""A step that gains less leaves about a fifth of a standard error: chi squared is in units of variance."""

STEP_LIMIT: Final = np.array([14.0, 14.0, 14.0, 0.6, 0.6, 0.6, 0.5])
"""Most that one step may change of a body's unknowns: mm, rad, logarithm."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """B bodies after a fit.

    cost: chi squared with the priors'; rows (U,): the sensors used; residual (U,): left over there, mT;
    background: mT; normal: inverse covariance (7B, 7B) of the unknowns, body by body, priors included, with one
    more row and column where the background is unknown; evaluations: of the field; converged: ended because of
    the tolerance, not because of the limit.
    """

    bodies: tuple[Body, ...]
    cost: float
    rows: npt.NDArray[np.int64]
    residual: Floats
    background: float
    normal: Floats
    evaluations: int
    converged: bool

    @property
    def covariance(self) -> Floats:
        """Of the unknowns, in the order of `normal`; worked out when asked for."""
        return np.asarray(np.linalg.inv(self.normal), dtype=np.float64)

    def sigma(self) -> Floats:
        """One-sigma errors (B, 7) of the bodies' unknowns."""
        size = UNKNOWNS * len(self.bodies)
        return np.sqrt(np.diag(self.covariance)[:size]).reshape(-1, UNKNOWNS)


def fit(
    layout: TableLayout,
    bodies: Sequence[Body],
    priors: Sequence[Prior],
    measured: Floats,
    weight: Floats,
    limit: int = 5,
    floors: Sequence[float] | None = None,
    background: tuple[float, float] | None = None,
    tolerance: float = TOLERANCE,
    window: float = WINDOW_MM,
    huber: float = HUBER,
) -> Fit:
    """Fit all bodies together, from where they are.

    measured (S,) mT: what these bodies alone should give; weight (S,): 1/mT2, 0 where not to be trusted; limit:
    most evaluations of the field; floors: for each body, no stone's centre below it, mm over the mats;
    background: what is expected and its spread, mT, None for a known one of 0; window: mm; huber: deviations.
    Raises ValueError where there is no body or not one prior a body.
    """
    if not bodies or len(bodies) != len(priors):
        raise ValueError(f"a fit needs at least one body and a prior for each: {len(bodies)} and {len(priors)} given")
    low = np.array([2.0] * len(bodies) if floors is None else floors, dtype=np.float64)
    now = Group(bodies)
    near = _near(layout, now, weight, window)
    problem = _Problem(layout, now, near, priors, measured, weight, background, huber)
    away = 0.0 if background is None else background[0]
    point = problem.evaluate(now, away)
    damping, used, converged = 1e-3, 1, False
    while used < limit:
        step = point.step(damping)
        if float(step @ point.pull) < tolerance:
            converged = True
            break
        moves = step[: UNKNOWNS * len(bodies)].reshape(-1, UNKNOWNS)
        moves = moves / np.maximum(1.0, (np.abs(moves) / STEP_LIMIT).max(axis=1, keepdims=True))
        trial = now.moved(moves, low)
        trial_away = away if background is None else away + float(step[-1])
        other = problem.evaluate(trial, trial_away)
        used += 1
        if other.cost < point.cost:
            now, away, point = trial, trial_away, other
            damping = max(damping * 0.1, 1e-6)
        else:
            damping = max(damping * 10.0, 1e-2)
    normal = point.normal.whole() if isinstance(point.normal, Blocks) else point.normal
    return Fit(now.bodies, point.cost, problem.rows, point.residual, away, normal, used, converged)


def _near(layout: TableLayout, group: Group, weight: Floats, window: float) -> Bools:
    """Which rows (N, S) say something about which stone."""
    at = group.stones.position
    reach = window + 0.8 * np.clip(at[:, 2] - 10.0, 0.0, 60.0)
    dx = layout.position[:, 0] - at[:, 0:1]
    dy = layout.position[:, 1] - at[:, 1:2]
    near: Bools = (dx * dx + dy * dy <= (reach * reach)[:, None]) & (weight > 0.0)
    return near


class _Slopes:
    """Sum of the stones' fields at U rows and their slopes by the unknowns of each stone."""

    def __init__(self, layout: TableLayout, near: Bools, rows: npt.NDArray[np.int64]) -> None:
        """near (N, S); rows (U,): where any stone is near."""
        self._count = len(near)
        self.own = self._count >= OWN_WINDOWS and len(rows) > 0
        if not self.own:
            self._model = FieldModel.of(layout, rows)
            return
        most = int(near.sum(axis=1).max())
        which = np.argsort(~near, axis=1, kind="stable")[:, :most]
        place = np.full(near.shape[1], len(rows))
        place[rows] = np.arange(len(rows))
        # What fills up the lists of stones with fewer rows goes to a spare column.
        inside = np.take_along_axis(near, which, axis=1)
        self._columns = np.where(inside, place[which], len(rows))[:, None, :]
        self._stones = np.arange(self._count)[:, None, None]
        self._unknowns = np.arange(UNKNOWNS)[None, :, None]
        self._model = FieldModel.of(layout, which)
        self._table = np.zeros((self._count, UNKNOWNS, len(rows) + 1))

    def __call__(self, group: Group) -> tuple[Floats, Floats]:
        """Sum (U,) mT and slopes (N, 7, U), good until the next call."""
        fields, slopes = self._model.jacobian(group.stones)
        if not self.own:
            return fields.sum(axis=0), slopes.transpose(1, 0, 2)
        self._table[self._stones, self._unknowns, self._columns] = slopes.transpose(1, 0, 2)
        table = self._table[:, :, :-1]
        total: Floats = table[:, -1].sum(axis=0)  # the slope by log moment is the field itself
        return total, table


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    """cost; pull: half its negative gradient; normal: the matrix of the normal equations; residual (U,) mT."""

    cost: float
    pull: Floats
    normal: Floats | Blocks
    residual: Floats

    def step(self, damping: float) -> Floats:
        """Of the unknowns, where the damped normal equations lead."""
        if isinstance(self.normal, Blocks):
            return self.normal.solve(damping, self.pull)
        damped = self.normal.copy()
        damped.flat[:: len(damped) + 1] *= 1.0 + damping
        return np.asarray(np.linalg.solve(damped, self.pull), dtype=np.float64)


class _Problem:
    """What one fit minimises."""

    def __init__(
        self,
        layout: TableLayout,
        start: Group,
        near: Bools,
        priors: Sequence[Prior],
        measured: Floats,
        weight: Floats,
        background: tuple[float, float] | None,
        huber: float,
    ) -> None:
        self.rows = rows = np.flatnonzero(near.any(axis=0))
        self._slopes = _Slopes(layout, near, rows)
        self._target, self._root = measured[rows], np.sqrt(weight[rows])
        if self._slopes.own:
            # Of a far stone the field at the start serves throughout.
            far = np.where(near[:, rows], 0.0, far_fields(layout, rows, start.stones))
            self._target = self._target - far.sum(axis=0)
        self._huber = huber
        self._background = background
        self._bodies = UNKNOWNS * len(priors)
        self._stack = np.empty((self._bodies + (background is not None), len(rows)))
        self._centre = np.array([p.centre for p in priors])
        self._log_moment = np.array([p.log_moment for p in priors])
        self._stiff = np.zeros(len(self._stack))
        spread = [[*p.sigma, p.turn_sigma, p.turn_sigma, p.turn_sigma, p.log_sigma] for p in priors]
        self._stiff[: self._bodies] = np.array(spread).ravel() ** -2.0
        self._error = np.zeros(len(self._stack))
        self._levels: Levels | None = None
        if background is None and self._slopes.own:
            by_body = np.logical_or.reduceat(near[:, rows], start.starts, axis=0)
            self._levels = Levels.of(by_body, start.centres)
        if background is not None:
            self._stiff[-1] = background[1] ** -2.0

    def evaluate(self, group: Group, background: float) -> _Point:
        stack = self._stack
        total, slopes = self._slopes(group)
        residual = self._target - total - background
        root = self._root
        deviation = root * residual
        size = np.abs(deviation)
        limit = self._huber
        if float(size.max(initial=0.0)) > limit:
            cost = float(np.where(size <= limit, size * size, limit * (2.0 * size - limit)).sum())
            root = root * np.sqrt(np.minimum(1.0, limit / np.maximum(size, limit)))
            deviation = root * residual
        else:
            cost = float(deviation @ deviation)
        by_body = stack[: self._bodies].reshape(len(group.centres), UNKNOWNS, len(root))
        if group.single:
            np.multiply(slopes, root, out=by_body)
        else:
            np.multiply(_as_bodies(group, slopes), root, out=by_body)
        if self._background is not None:
            stack[-1] = root
        error = self._error
        by_unknown = error[: self._bodies].reshape(-1, UNKNOWNS)
        np.subtract(group.centres, self._centre, out=by_unknown[:, :3])
        np.subtract(group.log_moments, self._log_moment, out=by_unknown[:, 6])
        if self._background is not None:
            error[-1] = background - self._background[0]
        held = self._stiff * error
        normal: Floats | Blocks
        if self._levels is not None:
            normal = self._levels.square(by_body, self._stiff)
        else:
            normal = stack @ stack.T
            normal.flat[:: len(stack) + 1] += self._stiff
        return _Point(cost + float(error @ held), stack @ deviation - held, normal, residual)


def _as_bodies(group: Group, slopes: Floats) -> Floats:
    """Slopes (B, 7, U) by the bodies' unknowns, of those (N, 7, U) by the stones' own."""
    by_stone = slopes.copy()
    arms = group.arms
    for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        by_stone[:, 3 + x] += arms[:, y : y + 1] * slopes[:, z] - arms[:, z : z + 1] * slopes[:, y]
    out: Floats = np.add.reduceat(by_stone, group.starts, axis=0)
    return out
