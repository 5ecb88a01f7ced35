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
        rows = self._rows(start, weight)
        target = field if frozen is None else field - frozen
        fit = _Fit(FieldModel.of(self._layout, rows), target[rows], weight[rows], priors, background, self)
        fit.run(start, limit, tolerance, floor)
        residual = np.where(valid, target - self.field(fit.magnets) - fit.background, 0.0)
        used = np.zeros_like(weight)
        used[rows] = weight[rows]
        return Solution(
            fit.magnets,
            fit.background,
            fit.covariance(),
            residual,
            used,
            float((used * residual * residual).sum()),
            len(rows),
            fit.evaluations,
            fit.converged,
        )

    def _rows(self, start: Magnets, weight: Floats) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Rows near any stone; a stone high up is seen wider."""
        reach = self.window + np.maximum(start.position[:, 2] - 10.0, 0.0)
        flat = self._layout.position[:, :2]
        dx = flat[:, 0] - start.position[:, 0:1]
        dy = flat[:, 1] - start.position[:, 1:2]
        near = (dx * dx + dy * dy <= (reach * reach)[:, None]).any(axis=0) & (weight > 0.0)
        return np.flatnonzero(near)


class _Fit:
    """One fit: keeps the point reached with its normal equations."""

    def __init__(
        self, model: FieldModel, target: Floats, weight: Floats, priors: Priors, centre: float, solver: Solver
    ) -> None:
        self._model, self._target, self._weight, self._priors = model, target, weight, priors
        self._centre = centre
        self._background_weight = solver.background_spread**-2
        self._huber = solver.huber
        self._size = PARAMETERS * len(priors) + 1
        self.evaluations = 0
        self.converged = False
        self.background = centre

    def run(self, start: Magnets, limit: int, tolerance: float, floor: float) -> None:
        """Iterate from start; leaves magnets, background, normal."""
        self.magnets = start
        cost, gradient, normal = self._evaluate(start, self.background)
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
            magnets = self.magnets.stepped(moves)
            np.maximum(magnets.position[:, 2], floor, out=magnets.position[:, 2])
            background = self.background + float(step[-1])
            trial = self._evaluate(magnets, background)
            if trial[0] < cost:
                cost, gradient, normal = trial
                self.magnets, self.background = magnets, background
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

    def _evaluate(self, magnets: Magnets, background: float) -> tuple[float, Floats, Floats]:
        """Cost, half its negative gradient and the normal matrix."""
        self.evaluations += 1
        priors = self._priors
        count = len(magnets)
        fields, slopes = self._model.jacobian(magnets)
        residual = self._target - fields.sum(axis=0) - background
        root = np.sqrt(self._weight)
        deviation = root * residual
        size = np.abs(deviation)
        limit = self._huber
        if float(size.max(initial=0.0)) > limit:
            part = np.minimum(1.0, limit / np.maximum(size, 1e-12))
            cost = float(np.where(size <= limit, size * size, limit * (2.0 * size - limit)).sum())
            root = root * np.sqrt(part)
            deviation = root * residual
        else:
            cost = float(deviation @ deviation)
        rows = np.empty((self._size, len(root)))
        rows[:-1] = slopes.transpose(1, 0, 2).reshape(self._size - 1, len(root))
        rows[-1] = 1.0
        rows *= root
        normal = rows @ rows.T
        gradient = rows @ deviation
        # priors
        move = priors.position - magnets.position
        log = priors.log_moment - magnets.log_moment
        first, second = tangents(magnets.axis)
        tilt = priors.tilt_weight
        pull = gradient[:-1].reshape(count, PARAMETERS)
        pull[:, :3] += priors.position_weight * move
        pull[:, 3] -= (tilt * magnets.axis * first).sum(axis=1)
        pull[:, 4] -= (tilt * magnets.axis * second).sum(axis=1)
        pull[:, 5] += priors.log_moment_weight * log
        stiff = np.empty((count, PARAMETERS))
        stiff[:, :3] = priors.position_weight
        stiff[:, 3] = (tilt * first * first).sum(axis=1)
        stiff[:, 4] = (tilt * second * second).sum(axis=1)
        stiff[:, 5] = priors.log_moment_weight
        normal.flat[: -1 : self._size + 1] += stiff.ravel()
        cross = (tilt * first * second).sum(axis=1)
        at = PARAMETERS * np.arange(count)
        normal[at + 3, at + 4] += cross
        normal[at + 4, at + 3] += cross
        away = self._centre - background
        normal[-1, -1] += self._background_weight
        gradient[-1] += self._background_weight * away
        cost += priors.cost(magnets) + self._background_weight * away * away
        return cost, gradient, normal
