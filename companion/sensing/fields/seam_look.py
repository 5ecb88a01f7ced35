"""What one stone at rest near a seam says of how the tiles under it lie to each other.

The sensors of two tiles see it at one place, if the tiles lie where they are believed to. Unknown of the stone are its
place, height, turn, moment, the two constants of its shape that differ most between stones, and a uniform field.
All of them are eliminated (Schur complement), and what is left are normal equations of the tiles' shifts and turns
alone, to first order about where they are believed. Looks at several stones add up.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import Magnets
from companion.sensing.fields.prior import FLAT_HEIGHT
from companion.sensing.sensors.layout import Bools, Floats, Ints, TableLayout

WINDOW_MM: Final = 45.0
SEAM_MM: Final = 34.0
"""Sensors farther away than this add nothing that errors of gains and shapes do not drown."""

LEAST_INFORMATION: Final = 0.3
"""1/mm2 along the best direction: a stone that tells less than to 2 mm is seen by one tile only."""

_ROUNDS: Final = 5
_HUBER: Final = 3.0
_KNOWN: Final = np.array([0.0, 0.0, FLAT_HEIGHT[1], 0.05, 0.05, 0.7, 0.3, 0.06, 0.6, 0.8])
"""Spreads of the stone's unknowns, 0 for nothing known: x, y, z (mm), turn (rad; the last is about its own axis), log
moment, uniform field (mT), centre weight and elongation of the shape."""
_SHAPE_STEP: Final = 0.05
_SHAPE_RANGE: Final = np.array([[0.3, 6.0], [0.05, 7.0]])


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """normal (3n, 3n), pull (3n,): of shift x, y (mm) and turn (rad, about its middle) of each of n tiles; information:
    the most that it tells of the shift of any tile, 1/mm2; place (2,): of the stone, mm.
    """

    normal: Floats
    pull: Floats
    information: float
    place: Floats


def at_seam(layout: TableLayout, place: Floats) -> bool:
    """Whether sensors of more than one tile are so near to a place (2,) mm that they see a stone there well."""
    near = np.hypot(*(layout.position[:, :2] - place).T) < SEAM_MM
    tiles = layout.tile[near]
    return len(tiles) > 0 and bool((tiles != tiles[0]).any())


def look(layout: TableLayout, stone: Magnets, measured: Floats, variance: Floats, valid: Bools) -> Look:
    """stone: one that lies flat, as fitted; measured (S,) mT: what it alone gives; variance (S,) mT2; valid (S,)."""
    away = np.hypot(*(layout.position[:, :2] - stone.position[0, :2]).T)
    rows = np.flatnonzero((away < WINDOW_MM) & valid)
    model = FieldModel.of(layout, rows)
    firm = np.divide(1.0, _KNOWN**2, out=np.zeros(len(_KNOWN)), where=_KNOWN > 0.0)
    usual = np.array([stone.log_moment[0], 0.0, *stone.shape[0, 1:]])
    now, uniform = stone, 0.0
    for _ in range(_ROUNDS):
        own, left, robust, held = _equations(model, now, uniform, measured[rows], variance[rows], firm, usual)
        step = np.linalg.solve((own * robust) @ own.T + np.diag(firm), own @ (robust * left) - held)
        now = now.stepped(np.clip(step[None, :7], -5.0, 5.0))
        shape = now.shape.copy()
        shape[0, 1:] = np.clip(shape[0, 1:] + step[8:], *_SHAPE_RANGE.T)
        now, uniform = replace(now, shape=shape), uniform + float(step[7])
    own, left, robust, held = _equations(model, now, uniform, measured[rows], variance[rows], firm, usual)
    outer = _by_tiles(layout, rows, own)
    cross = (outer * robust) @ own.T
    gain = np.linalg.solve((own * robust) @ own.T + np.diag(firm), cross.T).T
    normal = (outer * robust) @ outer.T - gain @ cross.T
    pull = outer @ (robust * left) - gain @ (own @ (robust * left) - held)
    blocks = [normal[k : k + 2, k : k + 2] for k in range(0, len(normal), 3)]
    return Look(normal, pull, max(float(np.linalg.eigvalsh(b)[-1]) for b in blocks), now.position[0, :2].copy())


def _equations(
    model: FieldModel, stone: Magnets, uniform: float, measured: Floats, variance: Floats, firm: Floats, usual: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Slopes (10, R) by the stone's unknowns, what is left over (R,) mT, weights (R,), pull of what is known (10,)."""
    field, slopes = model.jacobian(stone)
    own = np.vstack([slopes[:, 0], np.ones(model.rows), np.zeros((2, model.rows))])
    for k in (1, 2):
        shape = stone.shape.copy()
        shape[0, k] += _SHAPE_STEP
        own[7 + k] = (model.fields(replace(stone, shape=shape))[0] - field[0]) / _SHAPE_STEP
    left = measured - field[0] - uniform
    deviation = np.abs(left) / np.sqrt(variance)
    robust = np.minimum(1.0, _HUBER / np.maximum(deviation, 1e-9)) / variance
    axis, up = stone.axis[0], np.sign(stone.axis[0, 2])
    off = np.zeros(len(firm))
    off[2:5] = stone.position[0, 2] - FLAT_HEIGHT[0], -axis[1] * up, axis[0] * up  # the turn that sets it upright
    off[6:] = np.array([stone.log_moment[0], uniform, *stone.shape[0, 1:]]) - usual
    return own, left, robust, firm * off


def _by_tiles(layout: TableLayout, rows: Ints, own: Floats) -> Floats:
    """Slopes (3n, R) by the tiles' unknowns: a sensor that moves sees what it would if the stone moved back."""
    tile, at = layout.tile[rows], np.arange(len(rows))
    arms = layout.position[rows, :2] - layout.triangles.mean(axis=1)[tile]
    out = np.zeros((3 * len(layout.triangles), len(rows)))
    out[3 * tile, at], out[3 * tile + 1, at] = -own[0], -own[1]
    out[3 * tile + 2, at] = own[0] * arms[:, 1] - own[1] * arms[:, 0]
    return out
