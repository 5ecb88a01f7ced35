"""Where the stones are: a warm-started Levenberg-Marquardt fit of their field to one reading.

Minimised is chi2 = sum over rows of w (measured - frozen - background - sum of stones)^2 + the priors, with
w = 1 / (sigma^2 + (gain_error x measured)^2): noise, and errors of gain and of the model that grow with the
field. Invalid rows have w = 0; a row that stays more than `huber` deviations off counts linearly from there
on (Huber). Unknown are six parameters a stone (companion.sensing.dipole) and one uniform background that has a
prior.

Stones that rest need not be solved again: pass the sum of their fields as `frozen` and only the active ones
as start.
    solver = Solver(layout, sigma)
    found = solver.solve(reading.field, reading.valid, start, priors, frozen=solver.field(resting))
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.dipole import PARAMETERS, FieldModel, Magnets
from companion.sensing.fit import Fit
from companion.sensing.layout import Bools, Floats, TableLayout
from companion.sensing.prior import Priors

GAIN_ERROR: Final = 0.04
"""Errors that grow with the field, as a part of it: gains not calibrated (3 %), shape of the stone (2 %)."""

WINDOW_MM: Final = 70.0


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Result of a fit of N stones.

    magnets: the estimates. background: mT. normal (6N + 1, 6N + 1): inverse covariance of the parameters in
    the order of the stones, background last (at the solution, priors included). residual (S,): measured -
    everything modelled, mT, over all sensors, invalid ones 0. weight (S,): 1/mT2 of each row, 0 where not
    used. chi2: of the rows used, priors not included. rows: rows used. iterations: evaluations of the field.
    converged: stopped because a further step would gain less than the tolerance, not because of the limit.
    """

    magnets: Magnets
    background: float
    normal: Floats
    residual: Floats
    weight: Floats
    chi2: float
    rows: int
    iterations: int
    converged: bool

    @property
    def covariance(self) -> Floats:
        """Covariance (6N + 1, 6N + 1); worked out when asked for."""
        return np.asarray(np.linalg.inv(self.normal), dtype=np.float64)

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
            raise ValueError(f"solve needs at least one stone and as many priors: {count} and {len(priors)} given")
        weight = self.weights(field, valid, variance)
        target = field if frozen is None else field - frozen
        near = self._near(start, weight)
        fit = Fit(
            self._layout,
            near,
            target,
            weight,
            start,
            self._all,
            priors,
            background,
            self.background_spread,
            self.huber,
        )
        fit.run(start, limit, tolerance, floor)
        residual = np.where(valid, target - self.field(fit.magnets) - fit.background, 0.0)
        used = np.zeros_like(weight)
        used[fit.rows] = weight[fit.rows]
        return Solution(
            fit.magnets,
            fit.background,
            fit.normal,
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
