"""The field of a known stone close by, as a sheet of dipoles whose strengths are learned with the gains.

Upright dipoles at the height of its centre and two level ones in its middle, other strengths for either pole up: near
by, a real stone is not round and its axis not quite upright, and three dipoles in a row leave as much of its field as
the gains differ. With the true gains the sheet leaves 0.065 mT of fields of 17 mT within 12 mm, and what the sensors'
noise and zeros leave beyond.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.fields.dipole import FIELD_CONSTANT
from companion.sensing.fields.magnets import DEFAULT_MOMENT
from companion.sensing.sensors.layout import Floats

_SHEET: Final = [(x, y, 0, 0, 0, 1) for x in range(-9, 10, 3) for y in range(-9, 10, 3) if x * x + y * y < 85]
_DIPOLES: Final = np.array([*_SHEET, (0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0)], dtype=np.float64)  # place in mm, axis
STRENGTH: Final = DEFAULT_MOMENT / len(_SHEET) * _DIPOLES[:, 5]
"""A.m2 of each dipole, before anything is known of the stone."""
STRENGTH_SPREAD: Final = 0.1

PLACED: Final = np.array([0.3, 0.3, 0.05])
"""Spread of how a person puts a stone on a mark: mm, mm, and rad of its turn about the upright."""
LEAST_PLACED: Final = np.array([0.03, 0.03, 0.005])
"""The same, of the most careful one: the sensors themselves lie no better."""
_SMALL: Final = np.array([0.05, 0.05, 0.01])


@dataclass(frozen=True, slots=True, eq=False)
class Lain:
    """place (3,) mm as told; pole: 1 or -1; off (3,): how far from it the stone lies: mm, mm, rad."""

    place: Floats
    pole: int
    off: Floats


def near_fields(position: Floats, axis: Floats, lain: Lain, strength: Floats) -> tuple[Floats, Floats]:
    """At R sensors (position and axis (R, 3)) the field of each dipole at 1 A.m2, (R, dipoles) mT, and the slopes
    (R, 3) of the whole field of these strengths (dipoles,) by `off`.
    """
    slopes = np.empty((len(position), 3))
    for k, small in enumerate(_SMALL):
        step = np.zeros(3)
        step[k] = small
        more, less = (_fields(position, axis, lain, lain.off + sign * step) @ strength for sign in (1.0, -1.0))
        slopes[:, k] = (more - less) / (2.0 * small)
    return _fields(position, axis, lain, lain.off), slopes


def _fields(position: Floats, axis: Floats, lain: Lain, off: Floats) -> Floats:
    sine, cosine = np.sin(off[2]), np.cos(off[2])
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    place = lain.place + [off[0], off[1], 0.0] + _DIPOLES[:, :3] @ turn.T
    moment = lain.pole * _DIPOLES[:, 3:] @ turn.T
    d = position[:, None, :] - place
    square = (d * d).sum(axis=2)
    along = np.einsum("rk,rdk->rd", axis, d) * (moment * d).sum(axis=2)
    out: Floats = FIELD_CONSTANT * (3.0 * along / square**2.5 - axis @ moment.T / square**1.5)
    return out
