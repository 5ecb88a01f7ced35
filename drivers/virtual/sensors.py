"""What the sensors and the load cell of the virtual table measure, in counts.

Field of a stone: three dipoles in a row along its moment m, the middle one with weight w, the others (1 - w)/2 at h
before and behind it. B along a sensor's axis a, with d from dipole to sensor and u the moment's direction:
K m [3 (u.d)(a.d)/|d|^5 - (u.a)/|d|^3], K = 1e5 mT.mm3/(A.m2).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from drivers.virtual.place import Floats, Place
from drivers.virtual.world import Where, World

TILE: Final = 55  # sensors of a tile, in the order of its multiplexers
MULTIPLEXERS, ON_ONE = 4, 14  # of a tile, and sensors on each; the last has one less
_K: Final = 1e5
_HALF_LENGTH, _MIDDLE = 2.0, 3.25  # of flat ferrite stones
_NOISE_COUNTS = 0.7
_GAIN_SPREAD, _OFFSET_SPREAD = 0.01, 2.0
_LOAD_NOISE_G, _LOAD_LAG_S = 0.03, 0.008


class Sensors:
    """Of one world. pressed_g: how hard a hand leans on the board now, grams; laid_g: what else stands on it."""

    def __init__(self, world: World, seed: int = 0) -> None:
        self._world, self._place = world, world.place
        self._rng = np.random.default_rng(seed)
        count = len(self._place.gain)
        self._gain = self._place.gain * self._rng.normal(1.0, _GAIN_SPREAD, count)
        self._offset = self._place.offset + self._rng.normal(0.0, _OFFSET_SPREAD, count)
        self._fields: Floats = np.zeros((world.count, count))
        self._seen: Floats = np.full((world.count, 6), np.nan)  # position and moment for which the field was computed
        self._grams = 0.0
        self.pressed_g = self.laid_g = 0.0

    def move(self, place: Place) -> None:
        """The tiles lie elsewhere, with the same sensors in them."""
        self._place = place
        self._seen[:] = np.nan

    def field(self) -> Floats:
        """mT along each sensor's axis, (S,)."""
        world = self._world
        here = np.where(world.where == Where.PILE, 0.0, world.moment)
        now = np.column_stack([world.position, here[:, None] * world.axis])
        moved = np.flatnonzero((now != self._seen).any(axis=1))
        if moved.size:
            self._fields[moved] = _fields(self._place, now[moved, :3], now[moved, 3:])
            self._seen[moved] = now[moved]
        total: Floats = self._fields.sum(axis=0)
        return total

    def counts(self) -> NDArray[np.int64]:
        """One scan, (S,), within the converter's range."""
        raw = self._offset + self._gain * self.field() + self._rng.normal(0.0, _NOISE_COUNTS, len(self._gain))
        return np.clip(np.rint(raw), 0, self._place.full_scale).astype(np.int64)

    def load(self, seconds: float) -> int:
        """The load cell's next conversion, so long after the one before; 24 bit with sign."""
        world = self._world
        true = float(world.mass[world.where == Where.BOARD].sum()) + self.pressed_g + self.laid_g
        self._grams += (true - self._grams) * (1.0 - float(np.exp(-seconds / _LOAD_LAG_S)))
        grams = self._grams + self._rng.normal(0.0, _LOAD_NOISE_G)
        return round(self._place.load_offset + self._place.load_gain * grams)


def _fields(place: Place, at: Floats, moment: Floats) -> Floats:
    """Fields (N, S) of stones at (N, 3) with moments (N, 3)."""
    out = np.zeros((len(at), len(place.gain)))
    length = np.linalg.norm(moment, axis=1)
    unit = moment / np.maximum(length, 1e-9)[:, None]
    for shift, weight in ((0.0, _MIDDLE), (_HALF_LENGTH, (1 - _MIDDLE) / 2), (-_HALF_LENGTH, (1 - _MIDDLE) / 2)):
        d = place.sensors[None] - (at + shift * unit)[:, None]
        r2 = (d * d).sum(axis=2)
        along = (place.axes[None] * d).sum(axis=2)
        out += _K * weight * (3.0 * (unit[:, None] * d).sum(axis=2) * along / r2 - unit @ place.axes.T) * r2**-1.5
    found: Floats = out * length[:, None]
    return found
