"""What the sensors would have given if the stones of a recording, or the places of its sensors, had been others.

The truth has every stone's pose 20 times a second; between two the stone is taken to go straight on. Only the
difference between two modelled fields is added to what was recorded, so what the model leaves out of a field (3 % of
it at rest) is left out of the difference only. The least true are the 50 ms around a snap.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import DEFAULT_SHAPE, Magnets
from companion.sensing.sensors.layout import TableLayout

NEAR_MM = 250.0
"""Farther from the middle, or above the mats, a stone's field is below a tenth of a count."""

STILL_MM, STILL_TURN = 0.02, 1e-3
"""Poses that differ by less are written as the same: the truth rounds to 0.001."""

Array = npt.NDArray[np.float64]


def of_other_stones(layout: TableLayout, poses: dict[str, Any], moments: Array, factors: Array, t: Array) -> Array:
    """Field (T, S) mT to be added at the frames that begin at t (T,) s where stone n has factors[n] times its moment.

    poses: t (P,) s and pose (P, N, 7): mm above the table that the board stands on, quaternion w, x, y, z. moments (N,)
    A.m2 as they were.
    """
    out = np.zeros((len(t), layout.count))
    model = FieldModel.of(layout)
    for n, factor in enumerate(factors):
        _add(out, layout, poses, n, t, lambda one, by=factor - 1.0: by * model.fields(one), moments[n])
    return _as_read(out, layout, t)


def of_other_places(layout: TableLayout, shift: Array, poses: dict[str, Any], moments: Array, t: Array) -> Array:
    """The same where every sensor lies `shift` (S, 3) mm from where it was."""
    out = np.zeros((len(t), layout.count))
    before, after = FieldModel.of(layout), FieldModel.of(replace(layout, position=layout.position + shift))
    for n in range(len(moments)):
        _add(out, layout, poses, n, t, lambda one: after.fields(one) - before.fields(one), moments[n])
    return _as_read(out, layout, t)


def _add(out: Array, layout: TableLayout, poses: dict[str, Any], n: int, t: Array, field: Any, moment: float) -> None:
    """Add one stone's part; where it lies still it is computed once."""
    at, pose = np.asarray(poses["t"], dtype=float), np.asarray(poses["pose"], dtype=float)[:, n].copy()
    turned_round = np.cumprod(np.sign(np.concatenate([[1.0], (pose[1:, 3:] * pose[:-1, 3:]).sum(axis=1)])) + 0.0)
    pose[:, 3:] *= np.where(turned_round == 0.0, 1.0, turned_round)[:, None]
    now = np.stack([np.interp(t, at, pose[:, k]) for k in range(7)], axis=1)
    now[:, 3:] /= np.linalg.norm(now[:, 3:], axis=1, keepdims=True)
    now[:, 2] -= layout.table_below
    near = (np.hypot(now[:, 0], now[:, 1]) < NEAR_MM) & (np.abs(now[:, 2]) < NEAR_MM)
    moved = np.abs(np.diff(now, axis=0))
    new = np.concatenate([[True], (moved[:, :3] > STILL_MM).any(axis=1) | (moved[:, 3:] > STILL_TURN).any(axis=1)])
    which = np.flatnonzero(new & near | near & np.concatenate([[True], ~near[:-1]]))
    if not len(which):
        return
    w, x, y, z = now[which, 3:].T
    count = len(which)
    # The magnetisation lies along a stone's own z axis, its long side along x.
    one = Magnets(
        now[which, :3],
        np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1),
        np.full(count, np.log(moment)),
        np.tile(np.array(DEFAULT_SHAPE), (count, 1)),
        np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1),
    )
    last = np.searchsorted(which, np.arange(len(t)), side="right") - 1
    out[near] += field(one)[last[near]]


def _as_read(frames: Array, layout: TableLayout, t: Array) -> Array:
    """Each sensor at the moment of its own reading within the frame."""
    return np.stack([np.interp(t + layout.delay_us[k] / 1e6, t, frames[:, k]) for k in range(layout.count)], axis=1)
