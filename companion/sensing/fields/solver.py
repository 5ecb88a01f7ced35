"""Where the bodies are: a warm-started Levenberg-Marquardt fit of their field to one reading.

Minimised is chi squared = sum over the rows of weight (measured - background - sum of the stones)^2, plus the
priors; a row that stays more than HUBER deviations off counts linearly from there on (Huber, Robust Estimation
of a Location Parameter, 1964). Unknown are seven numbers a body (companion.sensing.fields.bodies) and, where asked
for, one uniform background. A step solves (A + damping x diag A) step = g; one that lowers the cost is taken
and the damping falls tenfold, else it rises. The fit ends when a step would lower the cost by less than the
tolerance.

The C kernel (kernel.py) gives the same answers, where it is chosen; what follows here is the reference.

Bodies that rest need not be solved again: take their fields off the measured one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.sensing.fields import kernel
from companion.sensing.fields.bodies import Body, Group
from companion.sensing.fields.dipole import FIELD_CONSTANT, UNKNOWNS
from companion.sensing.fields.equations import OWN_WINDOWS, Problem, near_rows
from companion.sensing.fields.levels import Blocks
from companion.sensing.fields.magnets import Magnets
from companion.sensing.fields.prior import Prior
from companion.sensing.sensors.layout import Floats, TableLayout

WINDOW_MM: Final = 62.0
"""Rows farther than this from a stone on the mats say little about it; one higher up is seen wider."""

HUBER: Final = 6.0
TOLERANCE: Final = 0.05
"""A step that gains less leaves about a fifth of a standard error: chi squared is in units of variance."""

STEP_LIMIT: Final = np.array([14.0, 14.0, 14.0, 0.6, 0.6, 0.6, 0.5])
"""Most that one step may change of a body's unknowns: mm, rad, logarithm."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """B bodies after a fit.

    cost: chi squared with the priors'; rows (U,): the sensors used; residual (U,): left over there, mT;
    background: mT; evaluations: of the field; converged: ended because of the tolerance, not because of the limit;
    matrix: what `normal` is made of.
    """

    bodies: tuple[Body, ...]
    cost: float
    rows: npt.NDArray[np.int64]
    residual: Floats
    background: float
    matrix: Floats | Blocks | kernel.Packed
    evaluations: int
    converged: bool

    @property
    def normal(self) -> Floats:
        """Inverse covariance (7B, 7B) of the unknowns, body by body, priors included, with one more row and column
        where the background is unknown."""
        return self.matrix if isinstance(self.matrix, np.ndarray) else self.matrix.whole()

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
    low = [2.0] * len(bodies) if floors is None else floors
    work = kernel.used()
    if work is not None:
        settings = (limit, tolerance, window, huber, *(background or ()))
        found = _compiled(work, layout, bodies, priors, measured, weight, low, settings)
        if found is not None:
            return found
    now = Group(bodies)
    near = near_rows(layout, now, weight, window)
    problem = Problem(layout, now, near, priors, measured, weight, background, huber)
    away = 0.0 if background is None else background[0]
    point = problem.evaluate(now, away)
    lowest = np.array(low, dtype=np.float64)
    damping, used, converged = 1e-3, 1, False
    while used < limit:
        step = point.step(damping)
        if float(step @ point.pull) < tolerance:
            converged = True
            break
        moves = step[: UNKNOWNS * len(bodies)].reshape(-1, UNKNOWNS)
        moves = moves / np.maximum(1.0, (np.abs(moves) / STEP_LIMIT).max(axis=1, keepdims=True))
        trial = now.moved(moves, lowest)
        trial_away = away if background is None else away + float(step[-1])
        other = problem.evaluate(trial, trial_away)
        used += 1
        if other.cost < point.cost:
            now, away, point = trial, trial_away, other
            damping = max(damping * 0.1, 1e-6)
        else:
            damping = max(damping * 10.0, 1e-2)
    return Fit(now.bodies, point.cost, problem.rows, point.residual, away, point.normal, used, converged)


def _compiled(
    work: kernel.Kernel,
    layout: TableLayout,
    bodies: Sequence[Body],
    priors: Sequence[Prior],
    measured: Floats,
    weight: Floats,
    floors: Sequence[float],
    settings: Sequence[float],
) -> Fit | None:
    """By the C kernel; None where that has no sound answer. settings: limit, tolerance, window, huber and, where the
    background is unknown, what is expected of it and its spread.
    """
    stones = [b.stones for b in bodies]
    background = settings[4:] or (0.0, 1.0)
    solved = work.fit(
        layout.columns,
        (*settings[:4], len(settings) > 4, *background, OWN_WINDOWS, FIELD_CONSTANT, *STEP_LIMIT),
        [len(s) for s in stones],
        [
            *[s.position for s in stones],
            *[s.axis for s in stones],
            *[s.side for s in stones],
            *[s.shape for s in stones],
            *[s.log_moment for s in stones],
            floors,
            *[p.centre for p in priors],
            *[p.sigma for p in priors],
            [number for p in priors for number in (p.turn_sigma, p.log_moment, p.log_sigma)],
            measured,
            weight,
        ],
    )
    if solved is None:
        return None
    found, first = list[Body](), 0
    for body, start in zip(bodies, stones, strict=True):
        at = slice(first, first + len(start))
        first = at.stop
        of = Magnets(solved.position[at], solved.axis[at], solved.log_moment[at], start.shape, solved.side[at])
        found.append(Body(body.tracks, of))
    return Fit(
        tuple(found),
        solved.cost,
        solved.rows.astype(np.int64),
        solved.residual,
        solved.background,
        solved.matrix,
        solved.evaluations,
        solved.converged,
    )
