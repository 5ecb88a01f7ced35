"""What one fit minimises, and its normal equations, in NumPy (companion.sensing.fields.solver says what for)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.sensing.fields.bodies import Group
from companion.sensing.fields.dipole import UNKNOWNS, FieldModel, far_fields
from companion.sensing.fields.levels import Blocks, Levels
from companion.sensing.fields.prior import Prior
from companion.sensing.sensors.layout import Bools, Floats, TableLayout

OWN_WINDOWS: Final = 6
"""From so many stones on each has slopes only in its own window; with fewer that saves next to nothing."""


def near_rows(layout: TableLayout, group: Group, weight: Floats, window: float) -> Bools:
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
class Point:
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


class Problem:
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

    def evaluate(self, group: Group, background: float) -> Point:
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
        return Point(cost + float(error @ held), stack @ deviation - held, normal, residual)


def _as_bodies(group: Group, slopes: Floats) -> Floats:
    """Slopes (B, 7, U) by the bodies' unknowns, of those (N, 7, U) by the stones' own."""
    by_stone = slopes.copy()
    arms = group.arms
    for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        by_stone[:, 3 + x] += arms[:, y : y + 1] * slopes[:, z] - arms[:, z : z + 1] * slopes[:, y]
    out: Floats = np.add.reduceat(by_stone, group.starts, axis=0)
    return out
