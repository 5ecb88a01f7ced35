"""The field of a stone: three dipoles in a row along its moment, and how it changes with the stone's pose.

A stone is a moment m (A.m2) along a unit vector u (towards its north pole) at a centre p (mm). The moment is
shared by three dipoles at p, p + h u and p - h u, the middle one with the part w and the others with (1 -
w)/2 each; h ("half-length", mm) and w ("centre weight") are the two constants of the shape. A long stone has
w < 1; for a flat one, magnetised through its thickness, w > 1: the first correction to a single dipole goes
with h^2 (1 - w), which is L^2/12 - R^2/4 for a disc of thickness L and radius R (second moment of the
magnetisation about its axis).

Field along a sensor's axis a, with d from the dipole to the sensor, in mT:
    B = K m [3 (u.d)(a.d)/|d|^5 - (u.a)/|d|^3],   K = 1e5 mT.mm3/(A.m2)
Seven unknowns a stone: x, y, z (mm), a turn vector (rad, about the axes of the board), log m. The turn about
u itself changes nothing: its slope is 0.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from companion.sensing.layout import Floats, TableLayout

FIELD_CONSTANT: Final = 1e5
"""mu0/4pi in mT.mm3/(A.m2)."""

UNKNOWNS: Final = 7
"""Of a stone, or of stones that move as one, in this order: shift (mm), turn vector (rad), logarithm of the moment."""

DEFAULT_SHAPE: Final = (2.0, 3.25)
"""Half-length (mm) and centre weight of the population, until a stone's own are learned.

Found from 74 views of single stones of five flat ferrite shapes (pebble, wedge, kite, block, bar; 13-20 mm
across, 6-8 mm thick) at rest, flat or on edge, 8 mm above a simulated grid, with place, axis and moment
fitted for each. The rms over the sensors within 60 mm was least near h^2 (1 - w) = -9 mm2; it hardly depends
on h, but the worst sensor does: with h = 5 mm a dipole comes so near to a sensor under a flat stone's middle
that 20-40 % are missed there. Left over with these constants, rms / worst sensor as parts of the peak: flat
pebble and wedge 0.4 / 3 %, flat kite and block 0.5-0.8 / 6 %, flat bar 2.4 / 12 % (it is not round, the
model is); on edge 0.5-1 / 3-5 %. A flat stone fitted so has 0-9 % too little moment and lies 0.3 mm too low,
a flat bar up to 1 mm wrong; one on edge has 3-6 % too much and stands 0.4-0.8 mm too high.
"""

DEFAULT_MOMENT: Final = 0.29
DEFAULT_MOMENT_SPREAD: Final = 0.27
"""Geometric mean (A.m2) and spread of the logarithm over the same population (0.19-0.46 A.m2)."""


@dataclass(frozen=True, slots=True, eq=False)
class Magnets:
    """N stones as the field sees them.

    position (N, 3) mm of the centres; axis (N, 3) unit vectors towards the north pole; log_moment (N,),
    natural logarithm of A.m2; shape (N, 2): half-length in mm, centre weight.
    """

    position: Floats
    axis: Floats
    log_moment: Floats
    shape: Floats

    def __len__(self) -> int:
        return len(self.log_moment)

    @property
    def moment(self) -> Floats:
        """Moments (N,) in A.m2."""
        return np.exp(self.log_moment)

    def take(self, which: npt.ArrayLike) -> "Magnets":
        """Those at the indices (or where a boolean mask is true)."""
        at = indices(which)
        return Magnets(self.position[at], self.axis[at], self.log_moment[at], self.shape[at])

    def joined(self, other: "Magnets") -> "Magnets":
        """These and then the others."""
        return Magnets(
            np.concatenate([self.position, other.position]),
            np.concatenate([self.axis, other.axis]),
            np.concatenate([self.log_moment, other.log_moment]),
            np.concatenate([self.shape, other.shape]),
        )

    def stepped(self, step: Floats) -> "Magnets":
        """Each stone moved by its own step (N, 7) of the unknowns."""
        axis = turned(self.axis, step[:, 3:6])
        return Magnets(self.position + step[:, :3], axis, self.log_moment + step[:, 6], self.shape)


def indices(which: npt.ArrayLike) -> npt.NDArray[Any]:
    """An index array or a mask; an empty list picks nothing."""
    at = np.asarray(which)
    return at if at.size else at.astype(np.int64)


def magnet(
    position: npt.ArrayLike,
    axis: npt.ArrayLike,
    moment: float = DEFAULT_MOMENT,
    shape: tuple[float, float] = DEFAULT_SHAPE,
) -> Magnets:
    """One stone; the axis need not be of unit length. Raises ValueError where it is 0 or the moment is not
    above 0.
    """
    direction = np.asarray(axis, dtype=np.float64).reshape(1, 3)
    length = float(np.linalg.norm(direction))
    if length == 0.0 or moment <= 0.0:
        raise ValueError("a magnet needs an axis that is not 0 and a moment above 0")
    return Magnets(
        np.array(position, dtype=np.float64).reshape(1, 3),
        direction / length,
        np.array([np.log(moment)]),
        np.array([shape], dtype=np.float64),
    )


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

    @classmethod
    def of(cls, layout: TableLayout, rows: npt.NDArray[np.int64] | None = None) -> "FieldModel":
        """The model for all of a table's sensors or for those at `rows`, (R,) or (N, R)."""
        if rows is None:
            return cls(layout.position, layout.axis)
        return cls(layout.position[rows], layout.axis[rows])

    def fields(self, magnets: Magnets) -> Floats:
        """Field of each stone along each sensor's axis, (N, R) mT."""
        u, offset, scale = _nodes(magnets)
        d = self._at - (magnets.position.T[:, :, None, None] + offset * u)
        inverse2 = 1.0 / (d * d).sum(axis=0)
        inverse3 = inverse2 * np.sqrt(inverse2)
        alpha = (u * d).sum(axis=0)
        beta = (self._axis * d).sum(axis=0)
        gamma = (u * self._axis).sum(axis=0)
        out: Floats = (scale * inverse3 * (3.0 * alpha * beta * inverse2 - gamma)).sum(axis=1)
        return out

    def jacobian(self, magnets: Magnets) -> tuple[Floats, Floats]:
        """Fields (N, R) mT and their slopes (7, N, R) by the unknowns of each stone (see the module)."""
        u, offset, scale = _nodes(magnets)
        d = self._at - (magnets.position.T[:, :, None, None] + offset * u)
        dx, dy, dz = d
        ux, uy, uz = u
        ax, ay, az = self._axis
        inverse2 = 1.0 / (dx * dx + dy * dy + dz * dz)
        alpha = ux * dx + uy * dy + uz * dz
        beta = ax * dx + ay * dy + az * dz
        gamma = ux * ax + uy * ay + uz * az
        strength = scale * inverse2 * np.sqrt(inverse2)  # K m w / r^3
        triple = 3.0 * strength * inverse2
        mixed = alpha * beta * inverse2
        field = (strength * (3.0 * mixed - gamma)).sum(axis=1)
        # dB/dd = triple [beta u + alpha a + (gamma - 5 alpha beta/r2) d]
        radial = triple * (gamma - 5.0 * mixed)
        by_u = triple * beta
        by_a = triple * alpha
        out = np.empty((UNKNOWNS, len(magnets), self.rows))
        gx = by_u * ux + by_a * ax + radial * dx
        gy = by_u * uy + by_a * ay + radial * dy
        gz = by_u * uz + by_a * az + radial * dz
        np.negative(gx.sum(axis=1), out=out[0])
        np.negative(gy.sum(axis=1), out=out[1])
        np.negative(gz.sum(axis=1), out=out[2])
        # dB/du = triple beta d - strength a - offset dB/dd
        vx = (by_u * dx - strength * ax - offset * gx).sum(axis=1)
        vy = (by_u * dy - strength * ay - offset * gy).sum(axis=1)
        vz = (by_u * dz - strength * az - offset * gz).sum(axis=1)
        # with a turn w, u changes by w x u, the field by w (u x dB/du)
        ux, uy, uz = ux[:, 0], uy[:, 0], uz[:, 0]
        np.subtract(uy * vz, uz * vy, out=out[3])
        np.subtract(uz * vx, ux * vz, out=out[4])
        np.subtract(ux * vy, uy * vx, out=out[5])
        out[6] = field
        return field, out


def _nodes(magnets: Magnets) -> tuple[Floats, Floats, Floats]:
    """Axis (3, N, 1, 1), offsets of the dipoles along it (N, 3, 1) in mm, and their K m w (N, 3, 1)."""
    half, centre = magnets.shape[:, 0], magnets.shape[:, 1]
    count = len(magnets)
    offset = np.zeros((count, 3, 1))
    offset[:, 1, 0] = half
    offset[:, 2, 0] = -half
    scale = np.empty((count, 3, 1))
    strength = FIELD_CONSTANT * np.exp(magnets.log_moment)
    scale[:, 0, 0] = strength * centre
    scale[:, 1, 0] = scale[:, 2, 0] = strength * (0.5 - 0.5 * centre)
    return magnets.axis.T[:, :, None, None], offset, scale
