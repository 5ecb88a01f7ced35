"""Rigid bodies of magnets: what sticks together moves as one, and is solved as one.

A body is one stone or a cluster. Its unknowns are a shift, a turn and a common factor of the moments, whatever the
number of stones, so a carried cluster costs no more than a carried stone and cannot come apart into ghosts.
The derivatives follow from the stones' own (companion.sensing.dipole): with a turn w about the body's centre c a stone
at p shifts by w x (p - c) and its axis u turns by w x u.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.sensing.dipole import FieldModel, Magnets, tangents
from companion.sensing.layout import Floats, TableLayout

UNKNOWNS = 7
"""Of a body, in this order: shift (mm), turn vector (rad), change of the moments' logarithm."""

WINDOW_MM = 62.0
"""Rows farther than this from a stone that lies on the mats say little about it; one higher up is seen wider."""

SHIFT_LIMIT_MM = 14.0
TURN_LIMIT = 0.6


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """Stones that move together. tracks: their ids; stones: N of them, in the same order."""

    tracks: tuple[int, ...]
    stones: Magnets

    @property
    def centre(self) -> Floats:
        """(3,) mm, weighted by the moments, which go with the masses."""
        m = self.stones.moment
        c: Floats = m @ self.stones.position / m.sum()
        return c

    @property
    def moment(self) -> float:
        """Sum of the stones' moments' sizes, A m2."""
        return float(self.stones.moment.sum())

    @property
    def axis(self) -> Floats:
        """(3,) unit vector of the body's whole moment (of its first stone where the moments cancel)."""
        total = self.stones.moment @ self.stones.axis
        size = float(np.sqrt(total @ total))
        out: Floats = total / size if size > 0.05 * self.moment else self.stones.axis[0]
        return out

    def moved(self, step: Floats) -> "Body":
        """The body after a step (7,) of its unknowns."""
        c, turn = self.centre, rotation(step[3:6])
        s = self.stones
        place = (s.position - c) @ turn.T + c + step[:3]
        axis = s.axis @ turn.T
        return Body(self.tracks, Magnets(place, axis, s.log_moment + step[6], s.shape))

    def shifted(self, by: Floats) -> "Body":
        """The same body, shifted by (3,) mm."""
        s = self.stones
        return Body(self.tracks, Magnets(s.position + by, s.axis, s.log_moment, s.shape))


def joined(a: Body, b: Body) -> Body:
    """One body of two, each stone where it is."""
    return Body(a.tracks + b.tracks, a.stones.joined(b.stones))


def part(body: Body, which: Sequence[int]) -> Body:
    """The body of some of the stones, by their places in `tracks`."""
    return Body(tuple(body.tracks[i] for i in which), body.stones.take(list(which)))


def rotation(turn: Floats) -> Floats:
    """The (3, 3) rotation of a turn vector (Rodrigues)."""
    angle = float(np.sqrt(turn @ turn))
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = turn / angle
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    out: Floats = np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * (k @ k)
    return out


def align(a: Floats, b: Floats) -> Floats:
    """The turn vector that takes the unit vector a to b by the shortest way."""
    across = np.cross(a, b)
    sine, cosine = float(np.sqrt(across @ across)), float(a @ b)
    if sine < 1e-9:
        side = np.eye(3)[int(np.argmin(np.abs(a)))]
        square = np.cross(a, side)
        out: Floats = np.zeros(3) if cosine > 0.0 else np.pi * square / np.linalg.norm(square)
        return out
    return across / sine * float(np.arctan2(sine, cosine))


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """What is known of a body before a frame, with standard deviations.

    centre (3,) and sigma (3,) mm; turn_sigma: rad from the start; log_moment (of the sum of the moments), log_sigma.
    """

    centre: Floats
    sigma: Floats
    turn_sigma: float
    log_moment: float
    log_sigma: float


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Bodies after a fit; cost: chi squared with the priors'; rows: sensors used; residual there, mT."""

    bodies: tuple[Body, ...]
    cost: float
    rows: np.ndarray[tuple[int], np.dtype[np.int64]]
    residual: Floats


def rows_near(layout: TableLayout, bodies: Sequence[Body]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Sensors that can say something about the bodies."""
    at = np.concatenate([b.stones.position for b in bodies])
    reach = WINDOW_MM + 0.8 * np.clip(at[:, 2] - 10.0, 0.0, 60.0)
    dx = layout.position[:, 0] - at[:, 0:1]
    dy = layout.position[:, 1] - at[:, 1:2]
    return np.flatnonzero((dx * dx + dy * dy <= (reach * reach)[:, None]).any(axis=0))


def fit(
    layout: TableLayout,
    bodies: Sequence[Body],
    priors: Sequence[Prior],
    measured: Floats,
    weight: Floats,
    limit: int = 5,
    floors: Sequence[float] | None = None,
) -> Fit:
    """Levenberg-Marquardt on all bodies together, from where they are.

    measured (S,) mT: what these bodies alone should give; weight (S,): 1/mT2, 0 where a sensor is not to be trusted.
    limit: most evaluations of the field; floors: for each body, no stone's centre below it, mm over the mats.
    """
    floors = [2.0] * len(bodies) if floors is None else floors
    rows = rows_near(layout, bodies)
    rows = rows[weight[rows] > 0.0]
    model = FieldModel(layout.position[rows], layout.axis[rows])
    target, root = measured[rows], np.sqrt(weight[rows])
    now = list(bodies)
    point = _evaluate(model, now, priors, bodies, target, root)
    damping, used = 1e-3, 1
    while used < limit:
        hess, grad = point.hess.copy(), point.grad
        hess.flat[:: len(grad) + 1] *= 1.0 + damping
        step = np.linalg.solve(hess, grad).reshape(-1, UNKNOWNS)
        if float(step.ravel() @ grad) < 0.05:
            break
        shift = np.abs(step[:, :3]).max() / SHIFT_LIMIT_MM
        turn = np.abs(step[:, 3:6]).max() / TURN_LIMIT
        step /= max(1.0, float(shift), float(turn))
        trial = [_above(b.moved(s), f) for b, s, f in zip(now, step, floors, strict=True)]
        other = _evaluate(model, trial, priors, bodies, target, root)
        used += 1
        if other.cost < point.cost:
            now, point = trial, other
            damping = max(damping * 0.1, 1e-6)
        else:
            damping = max(damping * 10.0, 1e-2)
    return Fit(tuple(now), point.cost, rows, point.residual)


def _above(body: Body, floor: float) -> Body:
    low = floor - float(body.stones.position[:, 2].min())
    return body.shifted(np.array([0.0, 0.0, low])) if low > 0.0 else body


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    cost: float
    grad: Floats
    hess: Floats
    residual: Floats


def _evaluate(
    model: FieldModel,
    bodies: Sequence[Body],
    priors: Sequence[Prior],
    start: Sequence[Body],
    target: Floats,
    root: Floats,
) -> _Point:
    stones = bodies[0].stones
    for b in bodies[1:]:
        stones = stones.joined(b.stones)
    fields, slopes = model.jacobian(stones)
    first, second = tangents(stones.axis)
    about_first, about_second = np.cross(stones.axis, first), np.cross(stones.axis, second)
    size = UNKNOWNS * len(bodies)
    jac = np.empty((size, model.rows))
    prior_err, prior_weight = np.empty(size), np.empty(size)
    at = 0
    for i, (b, p) in enumerate(zip(bodies, priors, strict=True)):
        n = len(b.tracks)
        s = slice(at, at + n)
        at += n
        c = b.centre
        arm = b.stones.position - c
        place = slopes[:3, s]
        k = UNKNOWNS * i
        jac[k : k + 3] = place.sum(axis=1)
        turn = np.einsum("nj,nr->jr", about_first[s], slopes[3, s]) + np.einsum("nj,nr->jr", about_second[s], slopes[4, s])
        if n > 1:
            for x, y, z in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
                turn[x] += (arm[:, y : y + 1] * place[z] - arm[:, z : z + 1] * place[y]).sum(axis=0)
        jac[k + 3 : k + 6] = turn
        jac[k + 6] = slopes[5, s].sum(axis=0)
        prior_err[k : k + 3] = c - p.centre
        prior_err[k + 3 : k + 6] = 0.0
        prior_err[k + 6] = np.log(b.moment) - p.log_moment
        prior_weight[k : k + 3] = p.sigma**-2.0
        prior_weight[k + 3 : k + 6] = p.turn_sigma**-2.0
        prior_weight[k + 6] = p.log_sigma**-2.0
    residual = target - fields.sum(axis=0)
    deviation = root * residual
    huge = np.abs(deviation)
    scale = root
    if float(huge.max(initial=0.0)) > 6.0:  # Huber: a row far off counts linearly from there on
        scale = root * np.sqrt(np.minimum(1.0, 6.0 / np.maximum(huge, 1e-9)))
        cost = float(np.where(huge <= 6.0, huge * huge, 6.0 * (2.0 * huge - 6.0)).sum())
    else:
        cost = float(deviation @ deviation)
    jac *= scale
    grad = jac @ (scale * residual) - prior_weight * prior_err
    hess = jac @ jac.T
    hess.flat[:: size + 1] += prior_weight
    return _Point(cost + float(prior_err @ (prior_weight * prior_err)), grad, hess, residual)
