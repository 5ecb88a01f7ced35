"""Where the stones are: a warm-started Levenberg-Marquardt fit of their field to one reading.

Minimised is chi2 = sum over rows of w (measured - frozen - background - sum of stones)^2 + the priors, with
w = 1 / (sigma^2 + (gain_error x measured)^2): noise, and errors of gain and of the model that grow with the
field.
Invalid rows have w = 0; a row that stays more than `huber` deviations off counts linearly from there on
(Huber).
Unknown are six parameters a stone (companion.sensing.dipole) and one uniform background with a prior.

Stones that rest need not be solved again: pass the sum of their fields as `frozen` and only the active ones
as start.
    solver = Solver(layout, sigma)
    found = solver.solve(reading.field, reading.valid, start, priors, frozen=solver.field(resting))
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.sensing.dipole import PARAMETERS, FieldModel, Magnets, tangents
from companion.sensing.layout import Bools, Floats, TableLayout
from companion.sensing.prior import Priors

GAIN_ERROR: Final = 0.04
"""Errors that grow with the field, as a part of it: gains not calibrated (3 %) and the stone's shape (2
%).
"""

WINDOW_MM: Final = 70.0
_STEP_LIMIT: Final = np.array([12.0, 12.0, 12.0, 0.6, 0.6, 0.5])
_DAMPING: Final = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Result of a fit of N stones.

    magnets: the estimates. background: mT. covariance (6N + 1, 6N + 1): of the parameters in the order of
    the stones, background last (at the solution, priors included). residual (S,): measured - everything
    modelled, mT, over all sensors, invalid ones 0. weight (S,): 1/mT2 of each row, 0 where not used. chi2:
    of the rows used, priors not included.
    rows: rows used. iterations: evaluations of the field. converged: stopped because a further step would
    gain less than the tolerance, not because of the limit.
    """

    magnets: Magnets
    background: float
    covariance: Floats
    residual: Floats
    weight: Floats
    chi2: float
    rows: int
    iterations: int
    converged: bool

    def sigma(self) -> Floats:
        """One-sigma errors (N, 6) of the parameters."""
        return np.sqrt(np.diag(self.covariance)[:-1]).reshape(-1, PARAMETERS)


class Solver:
    """Fits for one table. Not bound to a session: the noise may be replaced with `sigma`."""

    def __init__(
        self,
        layout: TableLayout,
        sigma: Floats,
        gain_error: float = GAIN_ERROR,
        background_spread: float = 0.1,
        window: float = WINDOW_MM,
        huber: float = 5.0,
    ) -> None:
        """sigma (S,) mT per reading; background_spread mT; window mm: how far to the side a stone is looked
        for.
        """
        self.sigma = np.asarray(sigma, dtype=np.float64)
        self.gain_error = gain_error
        self.background_spread = background_spread
        self.window = window
        self.huber = huber
        self._layout = layout
        self._x, self._y = layout.position[:, 0].copy(), layout.position[:, 1].copy()
        self._all = FieldModel.of(layout)

    def field(self, magnets: Magnets) -> Floats:
        """Sum (S,) mT of the stones' fields at all sensors."""
        total: Floats = self._all.fields(magnets).sum(axis=0)
        return total

    def weights(self, field: Floats, valid: Bools, variance: Floats | None = None) -> Floats:
        """1/variance (S,) of each row of a measured field; 0 where not valid. variance (S,): more of it,
        mT2.
        """
        total = self.sigma**2 + (self.gain_error * field) ** 2
        if variance is not None:
            total += variance
        return np.where(valid, 1.0 / total, 0.0)

    def solve(
        self,
        field: Floats,
        valid: Bools,
        start: Magnets,
        priors: Priors,
        frozen: Floats | None = None,
        background: float = 0.0,
        variance: Floats | None = None,
        limit: int = 12,
        tolerance: float = 0.02,
        floor: float = 1.5,
    ) -> Solution:
        """Fit the stones `start` (N >= 1) to a reading.

        field (S,) mT, valid (S,); frozen (S,) mT: field of stones held fixed, and of anything else known;
        background: where its prior is centred; variance (S,) mT2: added to the noise, for example of the
        frozen stones; limit: most evaluations; tolerance: stop when a step would lower chi2 by less; floor:
        centres stay above it, mm. Raises ValueError where start and priors differ in number or start is
        empty.
        """
        count = len(start)
        if count == 0 or len(priors) != count:
            raise ValueError(
                f"solve needs at least one stone and as many priors: {count} and {len(priors)} given"
            )
        weight = self.weights(field, valid, variance)
        target = field if frozen is None else field - frozen
        near = self._near(start, weight)
        fit = _Fit(self._layout, near, target, weight, start, self._all, priors, background, self)
        fit.run(start, limit, tolerance, floor)
        residual = np.where(valid, target - self.field(fit.magnets) - fit.background, 0.0)
        used = np.zeros_like(weight)
        used[fit.rows] = weight[fit.rows]
        return Solution(
            fit.magnets,
            fit.background,
            fit.covariance(),
            residual,
            used,
            float((used * residual * residual).sum()),
            len(fit.rows),
            fit.evaluations,
            fit.converged,
        )

    def _near(self, start: Magnets, weight: Floats) -> Bools:
        """Which rows (N, S) lie near which stone; a stone high up is seen wider."""
        reach = self.window + np.maximum(start.position[:, 2] - 10.0, 0.0)
        dx = self._x - start.position[:, 0:1]
        dy = self._y - start.position[:, 1:2]
        near: Bools = (dx * dx + dy * dy <= (reach * reach)[:, None]) & (weight > 0.0)
        return near


class _Slopes:
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


class _Fit:
    """One fit: keeps the point reached with its normal equations."""

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
        solver: Solver,
    ) -> None:
        self.rows = np.flatnonzero(near.any(axis=0))
        self._slopes = _Slopes(layout, near, self.rows)
        if len(start) > 1:
            # Of a far stone the field at the start serves throughout.
            target = target - np.where(near, 0.0, everywhere.fields(start)).sum(axis=0)
        self._target, self._root = target[self.rows], np.sqrt(weight[self.rows])
        self._priors = priors
        self._placed = bool(priors.position_weight.any())
        self._tilted = bool(priors.tilt_weight.any())
        self._centre = centre
        self._background_weight = solver.background_spread**-2
        self._huber = solver.huber
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
        self._normal = normal

    def covariance(self) -> Floats:
        """Inverse of the normal matrix at the point reached."""
        return np.asarray(np.linalg.inv(self._normal), dtype=np.float64)

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
