"""One stone at rest, fitted with its long side turned several ways, and as each kind of stone that is known.

Of a stone that lies flat the field shows the long side only as the second correction to a dipole: from a wrong start
the fit stays in a minimum about a quarter turn off, mm beside the place. So the best of several turns about
the moment is the start, and the fit found is tried once more from a quarter turn off.

With a learned set the stones are gathered into kinds of like shape. Each kind is fitted with the same weak prior of the
moment, so that the costs can be compared; within a kind the moment tells the stones apart. The best stone's own
constants and moment then hold the last fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import turned
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import WINDOW_MM, Fit, fit
from companion.sensing.fields.stones import LearnedStone, StoneSet
from companion.sensing.sensors.layout import Floats, TableLayout

STARTS: Final = 4
_LIKE: Final = np.array([0.45, 0.8])  # centre weight and elongation within a kind
_FLAT_AXIS: Final = 0.9
_HEIGHT_SPREAD: Final = 0.2  # mm, of a learned stone's own when it lies flat
_OWN_LOG_SPREAD: Final = 0.015  # of the moment between two fits of one stone: gains, shape
_WIDE_LOG_SPREAD: Final = 0.3

_EDGE_LOG_SPREAD: Final = 0.04  # the same of one that stands on edge: it was learned lying
_SHAPE_SAYS: Final = 0.25
"""How much a kind's chi squared counts for the identity: what the shapes miss is alike at neighbouring sensors, which
are no independent witnesses. Of 148 rests those named with over 0.9 were right in 47 % with 1, and are all right.
"""

MISFIT: Final = 0.052
"""What the population's shape leaves over of a field, as a part of that field: 0.02 within 8 mm of the stone, 0.07 from
8 to 12 mm, with true gains. Without it, gains that are known well make a fit trust the nearest sensors most, where the
shape is most wrong: 148 rests were 0.26 mm off (median; 1.2 mm at 95 %) with true gains, and are 0.21 (0.69).
"""

OWN_MISFIT: Final = 0.015
"""The same of a learned stone's own shape."""


def rolled(body: Body, angle: float) -> Body:
    """The body of one stone turned about its moment, rad."""
    s = body.stones
    return Body(body.tracks, replace(s, side=turned(s.side, angle * s.axis)))


def shaped(body: Body, shape: Sequence[float]) -> Body:
    """The body of one stone with other constants of its shape."""
    return Body(body.tracks, replace(body.stones, shape=np.array([shape], dtype=np.float64)))


@dataclass(frozen=True, slots=True, eq=False)
class Lain:
    """found: the fit; likelihood (n,): log-likelihoods of the set's stones, None without a set."""

    found: Fit
    likelihood: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    layout: TableLayout
    measured: Floats
    weight: Floats
    floor: float

    def solve(self, start: Body, prior: Prior, limit: int) -> Fit:
        return fit(self.layout, [start], [prior], self.measured, self.weight, limit=limit, floors=[self.floor])

    def best_turn(self, body: Body) -> Body:
        """Of STARTS turns of the long side the one that fits best as it lies."""
        if not body.stones.shape[0, 2]:
            return body
        d = self.layout.position[:, :2] - body.centre[:2]
        rows = np.flatnonzero(((d * d).sum(axis=1) < WINDOW_MM**2) & (self.weight > 0.0))
        starts = [rolled(body, np.pi * k / STARTS) for k in range(STARTS)]
        fields = FieldModel.of(self.layout, rows).fields(starts[0].stones.joined(*(b.stones for b in starts[1:])))
        costs = (self.weight[rows] * (self.measured[rows] - fields) ** 2).sum(axis=1)
        return starts[int(costs.argmin())]

    def both_turns(self, start: Body, prior: Prior, limit: int) -> Fit:
        best = self.solve(self.best_turn(start), prior, limit)
        if not start.stones.shape[0, 2]:
            return best
        other = self.solve(rolled(best.bodies[0], np.pi / 2.0), prior, limit)
        return other if other.cost < best.cost else best


def fit_lying(
    layout: TableLayout, body: Body, prior: Prior, measured: Floats, weight: Floats, floor: float, limit: int = 8
) -> Fit:
    """The fit of a body of one stone alone; arguments as for companion.sensing.fields.solver.fit."""
    return _Task(layout, measured, weight, floor).both_turns(body, prior, limit)


class Lying:
    """Fits single stones at rest, of a learned set or of the population."""

    def __init__(self, layout: TableLayout, stones: StoneSet | None) -> None:
        self._layout, self._stones = layout, stones
        self._kinds = [] if stones is None else kinds(stones.stones)

    def variance(self, field: Floats, single: bool) -> Floats:
        """Of what errors of gains and shapes leave over of the field (S,) mT of one body, (S,) mT2. single: not of
        several that stick together, whose near fields no learned shape describes.
        """
        misfit = OWN_MISFIT if single and self._stones is not None else MISFIT
        return (self._layout.gain_spread**2 + misfit**2) * field**2

    def fit(
        self,
        body: Body,
        prior: Prior,
        measured: Floats,
        weight: Floats,
        floor: float,
        over: bool,
        known: Floats | float = 0.0,
    ) -> Lain:
        """over: the stone lies on a mat, so that its height is known; known (n,): log-likelihoods of the stones from
        elsewhere; the others as for fit_lying.
        """
        task = _Task(self._layout, measured, weight, floor)
        if self._stones is None:
            return Lain(task.both_turns(body, prior, 8))
        flat = over and abs(float(body.stones.axis[0, 2])) > _FLAT_AXIS
        own = _OWN_LOG_SPREAD if abs(float(body.stones.axis[0, 2])) > _FLAT_AXIS else _EDGE_LOG_SPREAD
        members = self._stones.stones
        likelihood = np.full(len(members), -np.inf)
        fits: list[tuple[float, Fit]] = []
        for kind in self._kinds:
            wide = self._prior(prior, [members[i] for i in kind], flat, self._stones.moment[0], _WIDE_LOG_SPREAD)
            shape = np.mean([members[i].shape for i in kind], axis=0)
            found = task.solve(task.best_turn(shaped(body, shape)), wide, 6)
            moment, spread = float(np.log(found.bodies[0].moment)), float(found.sigma()[0, 6])
            for i in kind:
                variance = spread**2 + members[i].log_spread ** 2 + own**2
                off = moment - float(np.log(members[i].moment))
                likelihood[i] = -0.5 * (_SHAPE_SAYS * found.cost + off**2 / variance + np.log(variance))
            fits.append((found.cost, found))
        # What the model misses makes chi squared too large, and a wrong stone too unlikely.
        cost, found = min(fits, key=lambda f: f[0])
        likelihood = likelihood / max(1.0, cost / max(1, len(found.rows)))
        best = members[int((likelihood + known).argmax())]
        firm = self._prior(prior, [best], flat, best.moment, float(np.hypot(best.log_spread, own)))
        found = task.both_turns(shaped(found.bodies[0], best.shape), firm, 6)
        return Lain(found, likelihood)

    def _prior(self, prior: Prior, stones: list[LearnedStone], flat: bool, moment: float, log_spread: float) -> Prior:
        centre, sigma = prior.centre.copy(), prior.sigma.copy()
        if flat:
            centre[2] = 0.5 * float(np.mean([s.thickness for s in stones]))
            sigma[2] = _HEIGHT_SPREAD
        return Prior(centre, sigma, prior.turn_sigma, float(np.log(moment)), log_spread)


def kinds(stones: Sequence[LearnedStone]) -> list[npt.NDArray[np.int64]]:
    """Places of the stones in groups of like shape, each stone in one; greedy, in the order of elongation."""
    constants = np.array([s.shape[1:] for s in stones])
    left = list(np.lexsort((constants[:, 0], constants[:, 1])))
    out = []
    while left:
        near = [i for i in left if bool((np.abs(constants[i] - constants[left[0]]) <= _LIKE).all())]
        out.append(np.array(near))
        left = [i for i in left if i not in near]
    return out
