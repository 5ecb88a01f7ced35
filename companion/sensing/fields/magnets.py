"""Stones as their field sees them: where they are, how they are turned, how strong they are, and the constants of
their shapes. What the constants mean stands in companion.sensing.fields.dipole.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from companion.sensing.sensors.layout import Floats

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


def length(vector: Floats) -> float:
    """Of a vector (N,); numpy's own takes five times longer."""
    return sqrt(float(vector @ vector))


def cross(a: Floats, b: Floats) -> Floats:
    """Vector products (N, 3); numpy's own takes longer over a few vectors."""
    out = np.empty_like(b)
    out[:, 0] = a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1]
    out[:, 1] = a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2]
    out[:, 2] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return out
