"""The Levenberg-Marquardt iteration behind companion.sensing.solver: one fit of N stones, its slopes and
priors.

Steps solve (A + damping x diag A) step = g; a step that lowers the cost is taken and the damping falls
tenfold, else it rises. The fit stops when the step would lower the cost by less than the tolerance: chi2 is
in units of variance, so a tolerance of 0.02 leaves about a tenth of a standard error.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from companion.sensing.dipole import PARAMETERS, FieldModel, Magnets, tangents
from companion.sensing.layout import Bools, Floats, TableLayout
from companion.sensing.prior import Priors

_STEP_LIMIT: Final = np.array([12.0, 12.0, 12.0, 0.6, 0.6, 0.5])
"""Most that one step may change of each parameter of a stone: mm, rad, logarithm."""
_DAMPING: Final = 1e-3


class Slopes:
    """Sum of fields and slopes of N stones at U rows, each stone only where it is near."""

    def __init__(self, layout: TableLayout, near: Bools, rows: npt.NDArray[np.int64]) -> None:
        """near (N, S); rows (U,): where any stone is near."""
        count = len(near)
        self._one = count == 1
        if self._one:
            self._model = FieldModel.of(layout, rows)
            return
        most = int(near.sum(axis=1).max())
        which = np.argsort(~near, axis=1, kind="stable")[:, :most]
        place = np.full(near.shape[1], len(rows))
        place[rows] = np.arange(len(rows))
        # What fills up the lists of stones with fewer rows goes to a spare column.
        own = np.take_along_axis(near, which, axis=1)
        self._columns = np.where(own, place[which], len(rows))[:, None, :]
        self._stones = np.arange(count)[:, None, None]
        self._parameters = np.arange(PARAMETERS)[None, :, None]
        self._model = FieldModel.of(layout, which)
        self._table = np.zeros((count, PARAMETERS, len(rows) + 1))

    def __call__(self, magnets: Magnets, base: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
        """Sum of fields (U,) and slopes (6N, U); the slopes are good until the next call."""
        fields, slopes = self._model.jacobian(magnets, base)
        if self._one:
            return fields[0], slopes[:, 0]
        table = self._table
        table[self._stones, self._parameters, self._columns] = slopes.transpose(1, 0, 2)
        total: Floats = table[:, -1, :-1].sum(axis=0)  # the slope by log moment is the field itself
        return total, table[:, :, :-1].reshape(-1, table.shape[2] - 1)


class Fit:
    """One fit: after `run`, the point reached (magnets, background) with its normal matrix, and whether it
    converged.

    near (N, S): which rows count for which stone; target, weight (S,): mT, 1/mT2; everywhere: the model of
    all sensors; centre, background_spread: the background's prior, mT; huber: deviations from where on a row
    counts linearly.
    """

    def __init__(
        self,
        layout: TableLayout,
        near: Bools,
        target: Floats,
        weight: Floats,
        start: Magnets,
        everywhere: FieldModel,
        priors: Priors,
        centre: float,
        background_spread: float,
        huber: float,
    ) -> None:
        self.rows = np.flatnonzero(near.any(axis=0))
        self._slopes = Slopes(layout, near, self.rows)
        if len(start) > 1:
            # Of a far stone the field at the start serves throughout.
            target = target - np.where(near, 0.0, everywhere.fields(start)).sum(axis=0)
        self._target, self._root = target[self.rows], np.sqrt(weight[self.rows])
        self._priors = priors
        self._placed = bool(priors.position_weight.any())
        self._tilted = bool(priors.tilt_weight.any())
        self._centre = centre
        self._background_weight = background_spread**-2
        self._huber = huber
        self._size = PARAMETERS * len(priors) + 1
        self._stack = np.empty((self._size, len(self.rows)))
        self.evaluations = 0
        self.converged = False
        self.background = centre

    def run(self, start: Magnets, limit: int, tolerance: float, floor: float) -> None:
        """Iterate from start; leaves magnets, background, normal."""
        self.magnets = start
        base = tangents(start.axis)
        cost, gradient, normal = self._evaluate(start, self.background, base)
        damping = _DAMPING
        while True:
            damped = normal.copy()
            damped.flat[:: self._size + 1] *= 1.0 + damping
            step = np.asarray(np.linalg.solve(damped, gradient), dtype=np.float64)
            if float(step @ gradient) < tolerance:
                self.converged = True
                break
            if self.evaluations >= limit:
                break
            moves = self._bounded(step)
            magnets = self.magnets.stepped(moves, base)
            np.maximum(magnets.position[:, 2], floor, out=magnets.position[:, 2])
            background = self.background + float(step[-1])
            turned = tangents(magnets.axis)
            trial = self._evaluate(magnets, background, turned)
            if trial[0] < cost:
                cost, gradient, normal = trial
                self.magnets, self.background, base = magnets, background, turned
                damping = max(damping * 0.1, 1e-6)
            else:
                damping = max(damping * 10.0, 1e-2)
        self.normal = normal

    def _bounded(self, step: Floats) -> Floats:
        moves = step[:-1].reshape(-1, PARAMETERS)
        excess = np.abs(moves / _STEP_LIMIT).max(axis=1, keepdims=True)
        bounded: Floats = moves / np.maximum(excess, 1.0)
        return bounded

    def _evaluate(
        self, magnets: Magnets, background: float, base: tuple[Floats, Floats]
    ) -> tuple[float, Floats, Floats]:
        """Cost, half its negative gradient and the normal matrix."""
        self.evaluations += 1
        total, slopes = self._slopes(magnets, base)
        residual = self._target - total
        residual -= background
        root = self._root
        deviation = root * residual
        size = np.abs(deviation)
        limit = self._huber
        if size.size and float(size.max()) > limit:
            cost = float(np.where(size <= limit, size * size, limit * (2.0 * size - limit)).sum())
            root = root * np.sqrt(np.minimum(1.0, limit / np.maximum(size, limit)))
            deviation = root * residual
        else:
            cost = float(deviation @ deviation)
        stack = self._stack
        np.multiply(slopes, root, out=stack[:-1])
        stack[-1] = root
        normal = stack @ stack.T
        gradient = stack @ deviation
        cost += self._add_priors(magnets, background, base, gradient, normal)
        return cost, gradient, normal

    def _add_priors(
        self,
        magnets: Magnets,
        background: float,
        base: tuple[Floats, Floats],
        gradient: Floats,
        normal: Floats,
    ) -> float:
        """Adds the priors to gradient and normal matrix; returns their cost."""
        priors = self._priors
        count = len(magnets)
        pull = gradient[:-1].reshape(count, PARAMETERS)
        diagonal = normal.reshape(-1)[:: self._size + 1]
        stiff = diagonal[:-1].reshape(count, PARAMETERS)
        log = priors.log_moment - magnets.log_moment
        away = self._centre - background
        cost = float((priors.log_moment_weight * log * log).sum()) + self._background_weight * away * away
        pull[:, 5] += priors.log_moment_weight * log
        stiff[:, 5] += priors.log_moment_weight
        gradient[-1] += self._background_weight * away
        diagonal[-1] += self._background_weight
        if self._placed:
            move = priors.position - magnets.position
            pull[:, :3] += priors.position_weight * move
            stiff[:, :3] += priors.position_weight
            cost += float((priors.position_weight * move * move).sum())
        if self._tilted:
            first, second = base
            weighted = priors.tilt_weight * magnets.axis
            pull[:, 3] -= (weighted * first).sum(axis=1)
            pull[:, 4] -= (weighted * second).sum(axis=1)
            stiff[:, 3] += (priors.tilt_weight * first * first).sum(axis=1)
            stiff[:, 4] += (priors.tilt_weight * second * second).sum(axis=1)
            cross = (priors.tilt_weight * first * second).sum(axis=1)
            at = PARAMETERS * np.arange(count)
            normal[at + 3, at + 4] += cross
            normal[at + 4, at + 3] += cross
            cost += float((weighted * magnets.axis).sum())
        return cost
