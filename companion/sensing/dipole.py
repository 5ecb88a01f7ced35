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

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from companion.sensing import kernel
from companion.sensing.layout import Floats, TableLayout

FIELD_CONSTANT: Final = 1e5
"""mu0/4pi in mT.mm3/(A.m2)."""

UNKNOWNS: Final = 7
"""Of a stone, or of stones that move as one, in this order: shift (mm), turn vector (rad), logarithm of the moment."""

DEFAULT_SHAPE: Final = (2.0, 2.3, 2.4)
"""Half-length (mm), centre weight and elongation (mm) of the population, until a stone's own are learned.

Found from 60 views of single stones of five flat ferrite shapes (pebble, wedge, kite, block, bar; 13-20 mm
across, 6-8 mm thick) that lie 8 mm above a simulated grid, with place and turn known. Shape by shape, with h = 2 mm,
the constants (w; e) that leave least are pebble 2.2; 1.8, kite 2.1; 2.4, block 2.9; 2.5, bar 1.7; 4.3,
wedge 2.8; 1.3, and leave 0.04-0.06 mT rms of a peak of 10-30 mT (0.03 of it noise); the default is their middle.
One row of dipoles (e = 0) leaves 0.07-0.35 mT, and places a flat bar 1 mm wrong, where two rows place it
within 0.1 mm.
"""

ROUND_SHAPE: Final = (2.0, 3.25, 0.0)
"""The same for stones without a long side: one row, whose turn about the moment shows nowhere."""

ROW: Final = 3
"""Dipoles in a row."""

DEFAULT_MOMENT: Final = 0.29
DEFAULT_MOMENT_SPREAD: Final = 0.27
"""Geometric mean (A.m2) and spread of the logarithm over the same population (0.19-0.46 A.m2)."""


@dataclass(frozen=True, slots=True, eq=False)
class Magnets:
    """N stones as the field sees them.

    position (N, 3) mm of the centres; axis (N, 3) unit vectors towards the north pole; log_moment (N,),
    natural logarithm of A.m2; shape (N, 3): half-length in mm, centre weight, elongation in mm; side (N, 3): unit
    vectors along the long side, square to the axis.
    """

    position: Floats
    axis: Floats
    log_moment: Floats
    shape: Floats
    side: Floats

    def __len__(self) -> int:
        return len(self.log_moment)

    @property
    def moment(self) -> Floats:
        """Moments (N,) in A.m2."""
        return np.exp(self.log_moment)

    def take(self, which: npt.ArrayLike) -> "Magnets":
        """Those at the indices (or where a boolean mask is true)."""
        at = indices(which)
        return Magnets(self.position[at], self.axis[at], self.log_moment[at], self.shape[at], self.side[at])

    def joined(self, *others: "Magnets") -> "Magnets":
        """These and then the others."""
        parts = (self, *others)
        return Magnets(
            np.concatenate([s.position for s in parts]),
            np.concatenate([s.axis for s in parts]),
            np.concatenate([s.log_moment for s in parts]),
            np.concatenate([s.shape for s in parts]),
            np.concatenate([s.side for s in parts]),
        )

    def stepped(self, step: Floats) -> "Magnets":
        """Each stone moved by its own step (N, 7) of the unknowns."""
        turn = step[:, 3:6]
        side = turned(self.side, turn) if self.shape[:, 2].any() else self.side
        return replace(
            self,
            position=self.position + step[:, :3],
            axis=turned(self.axis, turn),
            log_moment=self.log_moment + step[:, 6],
            side=side,
        )


def indices(which: npt.ArrayLike) -> npt.NDArray[Any]:
    """An index array or a mask; an empty list picks nothing."""
    at = np.asarray(which)
    return at if at.size else at.astype(np.int64)


def magnet(
    position: npt.ArrayLike,
    axis: npt.ArrayLike,
    moment: float = DEFAULT_MOMENT,
    shape: Sequence[float] = ROUND_SHAPE,
    side: npt.ArrayLike | None = None,
) -> Magnets:
    """One stone. Neither axis nor side need be of unit length, nor the side square to the axis; None: any side.
    shape: its elongation may be left out and is then 0.

    Raises ValueError where the axis is 0, the side lies along it or the moment is not above 0.
    """
    direction = np.asarray(axis, dtype=np.float64).reshape(1, 3)
    length = float(np.linalg.norm(direction))
    if length == 0.0 or moment <= 0.0:
        raise ValueError("a magnet needs an axis that is not 0 and a moment above 0")
    axes = direction / length
    long = square(axes) if side is None else np.asarray(side, dtype=np.float64).reshape(1, 3)
    long = long - (long * axes).sum() * axes
    if float(np.linalg.norm(long)) < 1e-9:
        raise ValueError("the long side of a magnet cannot lie along its axis")
    return Magnets(
        np.array(position, dtype=np.float64).reshape(1, 3),
        axes,
        np.array([np.log(moment)]),
        np.array([[*shape, 0.0][:3]], dtype=np.float64),
        long / np.linalg.norm(long),
    )


def square(axis: Floats) -> Floats:
    """For each unit vector (N, 3) some unit vector square to it."""
    away = np.zeros_like(axis)
    away[np.arange(len(axis)), np.abs(axis).argmin(axis=1)] = 1.0
    out = cross(axis, away)
    out /= np.sqrt((out * out).sum(axis=1, keepdims=True))
    return out


def turned(vectors: Floats, turn: Floats) -> Floats:
    """Vectors (N, 3) turned by turn vectors (N, 3), rad (Rodrigues' rotation formula)."""
    angle = np.sqrt((turn * turn).sum(axis=1, keepdims=True))
    pole = turn / np.maximum(angle, 1e-12)
    cosine = np.cos(angle)
    along = (pole * vectors).sum(axis=1, keepdims=True)
    out: Floats = cosine * vectors + np.sin(angle) * cross(pole, vectors) + (1.0 - cosine) * along * pole
    return out


def cross(a: Floats, b: Floats) -> Floats:
    """Vector products (N, 3); numpy's own takes longer over a few vectors."""
    out = np.empty_like(b)
    out[:, 0] = a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1]
    out[:, 1] = a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]
    out[:, 2] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return out


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
