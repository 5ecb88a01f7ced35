"""Whether what looked like two stones (or one) is a pair that has snapped together, decided by the fit.

Most snaps end as a stack: two stones face to face, moments adding; one dipole row of double moment fits it
well and one stone seems to vanish (DESIGN, section 6). Others end side by side with the poles opposite. Each
hypothesis is fitted to the same reading; the least cost tells: chi2 of the rows, the priors' cost, and
6 ln(rows) for each stone that is assumed, so that one more stone has to earn its six unknowns (Schwarz,
Estimating the Dimension of a Model, 1978).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from companion.sensing.dipole import PARAMETERS, Magnets
from companion.sensing.layout import Bools, Floats
from companion.sensing.prior import Priors, Rest
from companion.sensing.solver import Solution, Solver


class Pairing(StrEnum):
    """How two stones may lie."""

    APART = "apart"  # as they were tracked
    STACK = "stack"  # face to face, one on the other: the moments add
    BESIDE = "beside"  # touching, flat, poles opposite
    ONE = "one"  # one of the two has gone; the other stays


@dataclass(frozen=True, slots=True, eq=False)
class Explanation:
    """One hypothesis after its fit. magnets: of a stack or of one, a single one (a stack's has the moments'
    sum). gain: by how much its cost is below that of APART (negative: worse). solution: of the fit."""

    pairing: Pairing
    magnets: Magnets
    cost: float
    gain: float
    solution: Solution


def explain_pair(
    solver: Solver,
    field: Floats,
    valid: Bools,
    pair: Magnets,
    priors: Priors,
    frozen: Floats | None = None,
    background: float = 0.0,
    variance: Floats | None = None,
    thickness: float = 6.8,
    width: float = 15.0,
) -> list[Explanation]:
    """All hypotheses on a pair of stones, best first.

    pair: the two as last tracked; priors: of the two, their moments above all (other priors are used for
    APART and ONE only). frozen, background, variance: as for Solver.solve. thickness and width (mm) of a
    stone say where a stack's centre lies and how far apart two stand beside each other. Raises ValueError
    where they are not two.
    """
    if len(pair) != 2 or len(priors) != 2:
        raise ValueError(f"a pair is two stones with their priors: {len(pair)} and {len(priors)} given")
    weight = solver.weights(field, valid, variance)
    target = field if frozen is None else field - frozen
    moments = Priors.free(2, priors.log_moment, priors.log_moment_weight**-0.5)

    flat = moments.resting([0, 1], Rest.FLAT)

    def fitted(pairing: Pairing, starts: Sequence[Magnets], prior: Priors) -> Explanation:
        best: Explanation | None = None
        for start in starts:
            found = solver.solve(field, valid, start, prior, frozen, background, variance, limit=25)
            away = target - solver.field(found.magnets) - found.background
            part = np.sqrt(weight) * np.abs(away)
            rows = np.where(part <= solver.huber, part * part, solver.huber * (2.0 * part - solver.huber))
            offset = (found.background - background) / solver.background_spread
            size = PARAMETERS * len(start) * float(np.log(max(found.rows, 2)))
            cost = float(rows.sum()) + prior.cost(found.magnets) + offset * offset + size
            if best is None or cost < best.cost:
                best = Explanation(pairing, found.magnets, cost, 0.0, found)
        if best is None:
            raise ValueError("a hypothesis needs at least one start")
        return best

    both = _stack_prior(moments)
    out = [
        fitted(Pairing.APART, [pair], priors),
        fitted(Pairing.STACK, _stacks(pair, thickness), both),
        fitted(Pairing.BESIDE, _beside(pair, thickness, width), flat),
        fitted(Pairing.ONE, [pair.take([0])], priors.take([0])),
        fitted(Pairing.ONE, [pair.take([1])], priors.take([1])),
    ]
    apart = out[0].cost
    out = [Explanation(e.pairing, e.magnets, e.cost, apart - e.cost, e.solution) for e in out]
    return sorted(out, key=lambda e: e.cost)


def _stack_prior(moments: Priors) -> Priors:
    """The prior of the sum of two moments."""
    each = np.exp(moments.log_moment)
    total = float(each.sum())
    spread = float(np.sqrt((each * each / moments.log_moment_weight).sum())) / total
    return Priors.free(1, np.log(total), spread)


def _stacks(pair: Magnets, thickness: float) -> list[Magnets]:
    """One magnet of both moments: standing where either was or between them, poles as either had them, or
    lying.
    """
    log = np.array([np.log(pair.moment.sum())])
    places = [*pair.position, pair.position.mean(axis=0)]
    axes = [np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -1.0])]
    level = (pair.position[1] - pair.position[0]) * [1.0, 1.0, 0.0]
    if np.hypot(level[0], level[1]) > 1.0:
        axes += [level / np.linalg.norm(level), -level / np.linalg.norm(level)]
    out = []
    for place in places:
        for axis in axes:
            height = thickness if axis[2] else 6.5
            at = np.array([[place[0], place[1], height]])
            out.append(Magnets(at, axis[None], log, pair.shape[:1]))
    return out


def _beside(pair: Magnets, thickness: float, width: float) -> list[Magnets]:
    """Flat and touching with opposite poles, about either place or between them, in four directions."""
    out = []
    for centre in (*pair.position, pair.position.mean(axis=0)):
        for turn in np.arange(4) * np.pi / 2:
            step = 0.5 * width * np.array([np.cos(turn), np.sin(turn)])
            at = np.array([[*(centre[:2] - step), thickness / 2], [*(centre[:2] + step), thickness / 2]])
            axis = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
            out.append(Magnets(at, axis, pair.log_moment, pair.shape))
    return out
