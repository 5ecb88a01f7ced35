"""Rigid bodies of magnets: what sticks together moves as one, and is solved as one.

A body is one stone or a cluster. Its unknowns are a shift, a turn and a common factor of the moments, whatever the
number of stones, so a carried cluster costs no more than a carried stone and cannot come apart into ghosts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

FIELD = 1.0e5  # mu0 / 4 pi in mT mm^3 / (A m^2)
WINDOW_MM = 75.0  # rows farther from a body than this say nothing about it


@dataclass(slots=True)
class Body:
    """Stones that move together. tracks: their ids; pos (n, 3) mm, axis (n, 3) unit moments, moment (n,) A m^2."""

    tracks: tuple[int, ...]
    pos: Array
    axis: Array
    moment: Array

    @property
    def centre(self) -> Array:
        """(3,) mm, weighted by the moments, which go with the masses."""
        c: Array = self.moment @ self.pos / self.moment.sum()
        return c

    def moved(self, step: Array) -> "Body":
        """The body after a step (7,): shift mm, turn vector rad, change of the moments' logarithm."""
        c, turn = self.centre, rotation(step[3:6])
        return Body(
            self.tracks, (self.pos - c) @ turn.T + c + step[:3], self.axis @ turn.T, self.moment * np.exp(step[6])
        )

    def shifted(self, by: Array) -> "Body":
        """The same body, shifted by (3,) mm."""
        return Body(self.tracks, self.pos + by, self.axis, self.moment)


def joined(a: Body, b: Body) -> Body:
    """One body of two."""
    return Body(
        a.tracks + b.tracks,
        np.concatenate([a.pos, b.pos]),
        np.concatenate([a.axis, b.axis]),
        np.concatenate([a.moment, b.moment]),
    )


def rotation(turn: Array) -> Array:
    """The (3, 3) rotation of a turn vector (Rodrigues)."""
    angle = float(np.sqrt(turn @ turn))
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = turn / angle
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    out: Array = np.eye(3) + np.sin(angle) * k + (1.0 - np.cos(angle)) * (k @ k)
    return out


@dataclass(frozen=True, slots=True)
class Shape:
    """Three collinear dipoles a stone: centre and +-half_mm along the axis; outer: share of each outer one."""

    half_mm: float = 4.0
    outer: float = -0.25

    def dipoles(self, body: Body) -> tuple[Array, Array, Array]:
        """Places (3n, 3), unit directions (3n, 3) and strengths (3n,) of a body's dipoles."""
        arm = self.half_mm * body.axis
        q = np.concatenate([body.pos, body.pos + arm, body.pos - arm])
        v = np.concatenate([body.axis] * 3)
        m = np.concatenate([(1.0 - 2.0 * self.outer) * body.moment, self.outer * body.moment, self.outer * body.moment])
        return q, v, FIELD * m


def field(sensors: Array, dipoles: tuple[Array, Array, Array]) -> Array:
    """Bz (K,) in mT at sensors (K, 3)."""
    q, v, k = dipoles
    d = sensors[:, None, :] - q
    r2 = np.einsum("kdi,kdi->kd", d, d)
    a = np.einsum("kdi,di->kd", d, v)
    out: Array = ((3.0 * a * d[:, :, 2] - v[:, 2] * r2) * r2**-2.5) @ k
    return out


def field_and_slope(sensors: Array, dipoles: tuple[Array, Array, Array], centre: Array) -> tuple[Array, Array]:
    """Bz (K,) and its derivatives (K, 7) with respect to a body's step (see `Body.moved`)."""
    q, v, k = dipoles
    d = sensors[:, None, :] - q
    r2 = np.einsum("kdi,kdi->kd", d, d)
    a = np.einsum("kdi,di->kd", d, v)
    dz = d[:, :, 2]
    f = k * r2**-2.5
    num = 3.0 * a * dz - v[:, 2] * r2
    b = (f * num).sum(1)
    # -slope by the dipole's place
    g = (3.0 * f * dz)[:, :, None] * v - (f * (2.0 * v[:, 2] + 5.0 * num / r2))[:, :, None] * d
    g[:, :, 2] += 3.0 * f * a
    # slope by its direction
    h = (3.0 * f * dz)[:, :, None] * d
    h[:, :, 2] -= f * r2
    arm = q - centre
    jac = np.empty((len(sensors), 7))
    jac[:, :3] = -g.sum(1)
    for i, j, l in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        jac[:, 3 + i] = (h[:, :, l] * v[:, j] - h[:, :, j] * v[:, l] - g[:, :, l] * arm[:, j] + g[:, :, j] * arm[:, l]).sum(1)
    jac[:, 6] = b
    return b, jac


@dataclass(frozen=True, slots=True)
class Prior:
    """What is known of a body before the frame: expected centre and moment, and how sure (standard deviations).

    centre (3,) with sigma (3,) mm; turn_sigma rad; log_moment, log_sigma of the sum of the moments.
    """

    centre: Array
    sigma: Array
    turn_sigma: float
    log_moment: float
    log_sigma: float


def solve(
    bodies: Sequence[Body],
    priors: Sequence[Prior],
    sensors: Array,
    measured: Array,
    variance: Array,
    shape: Shape,
    iterations: int = 4,
) -> tuple[list[Body], Array, float]:
    """Levenberg-Marquardt on all bodies together.

    measured, variance (K,): mT, what these bodies alone should produce at sensors (K, 3). Returns the bodies, the
    residual (K,) and the cost (chi squared with the priors').
    """
    now = list(bodies)
    n = len(now)
    weight = 1.0 / variance
    lam = 1e-3

    def penalty(b: Body, p: Prior, start: Body) -> tuple[Array, Array]:
        err = np.empty(7)
        err[:3] = b.centre - p.centre
        err[3:6] = 0.0
        err[6] = np.log(b.moment.sum()) - p.log_moment
        w = np.empty(7)
        w[:3] = p.sigma**-2.0
        w[3:6] = p.turn_sigma**-2.0
        w[6] = p.log_sigma**-2.0
        return err, w

    def evaluate(bs: list[Body]) -> tuple[Array, Array, float]:
        parts = [field_and_slope(sensors, shape.dipoles(b), b.centre) for b in bs]
        r = measured - np.sum([p[0] for p in parts], axis=0)
        jac = np.concatenate([p[1] for p in parts], axis=1)
        cost = float(r @ (weight * r))
        for b, p in zip(bs, priors, strict=True):
            err, w = penalty(b, p, b)
            cost += float(err @ (w * err))
        return r, jac, cost

    r, jac, cost = evaluate(now)
    for _ in range(iterations):
        hess = jac.T @ (weight[:, None] * jac)
        grad = jac.T @ (weight * r)
        for i, (b, p) in enumerate(zip(now, priors, strict=True)):
            err, w = penalty(b, p, b)
            s = slice(7 * i, 7 * i + 7)
            grad[s] -= w * err
            hess[range(7 * i, 7 * i + 7), range(7 * i, 7 * i + 7)] += w
        damp = lam * np.diag(hess)
        step = np.linalg.solve(hess + np.diag(damp), grad)
        big = max(float(np.abs(step.reshape(n, 7)[:, :3]).max()) / 15.0, float(np.abs(step.reshape(n, 7)[:, 3:6]).max()) / 0.6, 1.0)
        step /= big
        trial = [b.moved(step[7 * i : 7 * i + 7]) for i, b in enumerate(now)]
        tr, tj, tc = evaluate(trial)
        if tc < cost:
            done = cost - tc < 1e-3 * cost + 0.02
            now, r, jac, cost = trial, tr, tj, tc
            lam = max(lam * 0.2, 1e-6)
            if done:
                break
        else:
            lam *= 8.0
            if lam > 1e4:
                break
    return now, r, cost
