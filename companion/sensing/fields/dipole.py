"""The field of a stone: dipoles in rows along its moment, and how it changes with the stone's pose.

A stone is a moment m (A.m2) along a unit vector u (towards its north pole) at a centre p (mm). The moment is
shared by three dipoles in a row at 0, h u and -h u, the middle one with the part w and the others with (1 - w)/2
each; a stone that is longer than wide is two such rows of half the moment, at p + e l and p - e l, where l is the unit
vector of its long side, square to u. h ("half-length", mm), w ("centre weight") and e ("elongation", mm) are the three
constants of the shape; with e = 0 it is one row and l has no say. The first corrections to a single dipole go
with h^2 (1 - w) = Saxis - Sshort and e^2 = Slong - Sshort, where S is the second moment of the magnetisation about
the middle, L^2/12 for a length L (uniform magnetisation; its trace changes no field, Laplace).

Field along a sensor's axis a, with d from the dipole to the sensor, in mT:
    B = K m [3 (u.d)(a.d)/|d|^5 - (u.a)/|d|^3],   K = 1e5 mT.mm3/(A.m2)
Seven unknowns a stone: x, y, z (mm), a turn vector (rad, about the axes of the board), log m. The turn about
u itself changes nothing where e = 0: its slope is 0.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from companion.sensing.fields import kernel
from companion.sensing.fields.magnets import Magnets
from companion.sensing.sensors.layout import Floats, TableLayout

FIELD_CONSTANT: Final = 1e5
"""mu0/4pi in mT.mm3/(A.m2)."""

UNKNOWNS: Final = 7
"""Of a stone, or of stones that move as one, in this order: shift (mm), turn vector (rad), logarithm of the moment."""

ROW: Final = 3
"""Dipoles in a row."""


class FieldModel:
    """Fields of stones at a fixed set of R sensors; keeps the sensors as columns so that each frame is
    cheap.
    """

    def __init__(self, position: Floats, axis: Floats) -> None:
        """position and axis of the sensors: (R, 3) mm, or (N, R, 3) where each of N stones has its own R."""
        if position.ndim == 2:
            position, axis = position[None], axis[None]
        self._at = position.transpose(2, 0, 1)[:, :, None, :].copy()
        self._axis = axis.transpose(2, 0, 1)[:, :, None, :].copy()
        self.rows = position.shape[-2]
        # The same for all stones: as the C kernel takes them.
        self._columns = np.array(np.concatenate([position[0].T, axis[0].T]), order="C") if len(position) == 1 else None

    @classmethod
    def of(cls, layout: TableLayout, rows: npt.NDArray[np.int64] | None = None) -> "FieldModel":
        """The model for all of a table's sensors or for those at `rows`, (R,) or (N, R)."""
        if rows is None:
            return cls(layout.position, layout.axis)
        return cls(layout.position[rows], layout.axis[rows])

    def fields(self, magnets: Magnets) -> Floats:
        """Field of each stone along each sensor's axis, (N, R) mT."""
        work = kernel.used()
        if work is not None and self._columns is not None:
            stones = (magnets.position, magnets.axis, magnets.side, magnets.shape, magnets.log_moment)
            return work.fields(self._columns, stones, FIELD_CONSTANT)
        u, long, along, across, scale = _nodes(magnets)
        d = self._at - (magnets.position.T[:, :, None, None] + along * u + across * long)
        inverse2 = 1.0 / (d * d).sum(axis=0)
        inverse3 = inverse2 * np.sqrt(inverse2)
        alpha = (u * d).sum(axis=0)
        beta = (self._axis * d).sum(axis=0)
        gamma = (u * self._axis).sum(axis=0)
        out: Floats = (scale * inverse3 * (3.0 * alpha * beta * inverse2 - gamma)).sum(axis=1)
        return out

    def jacobian(self, magnets: Magnets) -> tuple[Floats, Floats]:
        """Fields (N, R) mT and their slopes (7, N, R) by the unknowns of each stone (see the module)."""
        u, long, along, across, scale = _nodes(magnets)
        d = self._at - (magnets.position.T[:, :, None, None] + along * u + across * long)
        a = self._axis
        inverse2 = 1.0 / (d * d).sum(axis=0)
        alpha = (u * d).sum(axis=0)
        beta = (a * d).sum(axis=0)
        gamma = (u * a).sum(axis=0)
        strength = scale * inverse2 * np.sqrt(inverse2)  # K m w / r^3
        triple = 3.0 * strength * inverse2
        mixed = alpha * beta * inverse2
        field = (strength * (3.0 * mixed - gamma)).sum(axis=1)
        # dB/dd = triple [beta u + alpha a + (gamma - 5 alpha beta/r2) d], for each of the dipoles
        by_u = triple * beta
        g = by_u * u
        g += (triple * alpha) * a
        g += (triple * (gamma - 5.0 * mixed)) * d
        # dB/du = triple beta d - strength a - along dB/dd
        by_u = by_u * d
        by_u -= strength * a
        by_u -= along * g
        out = np.empty((UNKNOWNS, len(magnets), self.rows))
        np.negative(g.sum(axis=2), out=out[:3])
        # with a turn w, u changes by w x u, the field by w (u x dB/du)
        _across(u[:, :, 0], by_u.sum(axis=2), out[3:6])
        if along.shape[1] > ROW:
            # and l by w x l: dB/dl = -across dB/dd
            turn = np.empty_like(out[3:6])
            _across(long[:, :, 0], (across * g).sum(axis=2), turn)
            out[3:6] -= turn
        out[6] = field
        return field, out


def _across(a: Floats, b: Floats, out: Floats) -> None:
    """Vector products of a (3, N, 1) and b (3, N, R) into out (3, N, R)."""
    np.subtract(a[1] * b[2], a[2] * b[1], out=out[0])
    np.subtract(a[2] * b[0], a[0] * b[2], out=out[1])
    np.subtract(a[0] * b[1], a[1] * b[0], out=out[2])


def _nodes(magnets: Magnets) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Of K dipoles a stone (ROW, or twice as many where any stone is elongated): axis and long side (3, N, 1, 1), how
    far along the axis and along the long side each one is (N, K, 1) in mm, and its K m w (N, K, 1).
    """
    half, centre, elongation = magnets.shape.T
    count = len(magnets)
    along = np.zeros((count, ROW, 1))
    along[:, 1, 0] = half
    along[:, 2, 0] = -half
    scale = np.empty((count, ROW, 1))
    strength = FIELD_CONSTANT * np.exp(magnets.log_moment)
    scale[:, 0, 0] = strength * centre
    scale[:, 1, 0] = scale[:, 2, 0] = strength * (0.5 - 0.5 * centre)
    across = np.zeros((count, ROW, 1))
    if elongation.any():
        across += elongation[:, None, None]
        across = np.concatenate([across, -across], axis=1)
        along = np.concatenate([along, along], axis=1)
        scale = np.concatenate([0.5 * scale, 0.5 * scale], axis=1)
    return magnets.axis.T[:, :, None, None], magnets.side.T[:, :, None, None], along, across, scale


def far_fields(layout: TableLayout, rows: npt.NDArray[np.int64], magnets: Magnets) -> Floats:
    """Field (N, R) mT of each stone at the sensors `rows` as of one dipole: from 60 mm on within 0.5 % of its own."""
    at, axis = layout.position[rows], layout.axis[rows]
    dx, dy, dz = at.T[:, None, :] - magnets.position.T[:, :, None]
    ux, uy, uz = magnets.axis.T[:, :, None]
    ax, ay, az = axis.T[:, None, :]
    inverse2 = 1.0 / (dx * dx + dy * dy + dz * dz)
    strength = (FIELD_CONSTANT * magnets.moment)[:, None] * inverse2 * np.sqrt(inverse2)
    along = (ux * dx + uy * dy + uz * dz) * (ax * dx + ay * dy + az * dz)
    out: Floats = strength * (3.0 * along * inverse2 - (ux * ax + uy * ay + uz * az))
    return out
