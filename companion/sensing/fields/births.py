"""Where a stone that has no track yet shows in the residual: a matched filter over a lattice of places.

Each place keeps the whitened fields of the three unit moments there; the score is how much of the residual,
in units of its noise squared, the best moment at that place explains.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.sensing.fields.dipole import FIELD_CONSTANT
from companion.sensing.fields.magnets import Magnets, magnet
from companion.sensing.sensors.layout import Floats, TableLayout

PITCH_MM = 13.0
HEIGHTS_MM = (14.0, 26.0, 42.0, 60.0)
LYING_MM = (3.4, 7.0, 20.0)
"""Heights of the lattice for stones in a hand, and for stones that may lie on the board."""
MARGIN_MM = 32.0
MOMENT_RANGE = (0.06, 0.9)
"""A m2: at a place of the lattice, off the stone by up to half a pitch; wider than the stones' own range."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A place (3,) mm with the moment (3,) A m2 that fits best there, and its score."""

    place: Floats
    moment: Floats
    score: float

    def magnets(self, moment: float, shape: Sequence[float]) -> Magnets:
        """One stone there with a usual moment, lying along the fitted one."""
        return magnet(self.place, self.moment, moment, shape)


class Births:
    """The filter for one table; about 0.4 ms a search for four tiles."""

    def __init__(self, layout: TableLayout, heights: tuple[float, ...] = HEIGHTS_MM, beside: float = 0.0) -> None:
        """heights: of the lattice's layers over the mats; beside: no place is nearer to them, measured level; mm."""
        where = tuple(each.tobytes() for each in (layout.position, layout.axis, layout.triangles))
        lattice = _lattice(_Table(where, layout), heights, beside)
        self._place, self._root, self._white = lattice.place, lattice.root, lattice.white

    def search(
        self, residual: Floats, noise: float, apart: Floats, apart_mm: float, most: int = 3, least: float = 0.0
    ) -> list[Candidate]:
        """The best places, best first, none within apart_mm of the points (n, 3) or of each other.

        residual (S,) mT with untrusted sensors at 0, or damped; noise: mT of one of its entries; least: scores below it
        are not asked for.
        """
        part = (self._white @ residual.astype(np.float32)).reshape(-1, 3)
        energy = np.einsum("pi,pi->p", part, part)
        # Only where it may be enough, by single precision and some room, all else is worked out.
        at = np.flatnonzero(energy >= 0.999 * least * noise**2)
        part, place = part[at].astype(np.float64), self._place[at]
        score = (part * part).sum(axis=1) / noise**2
        moment = np.einsum("pji,pj->pi", self._root[at], part)
        size = np.sqrt((moment * moment).sum(axis=1))
        score[(size < MOMENT_RANGE[0]) | (size > MOMENT_RANGE[1]) | (score < least)] = 0.0
        if len(apart) and len(at):
            away = np.sqrt(((place[:, None] - apart[None]) ** 2).sum(-1)).min(axis=1)
            score[away < apart_mm] = 0.0
        out: list[Candidate] = []
        while len(out) < most and len(score):
            k = int(score.argmax())
            if score[k] <= 0.0:
                break
            out.append(Candidate(place[k], moment[k], float(score[k])))
            score[((place - place[k]) ** 2).sum(axis=1) < (1.6 * PITCH_MM) ** 2] = 0.0
        return out


@dataclass(frozen=True, slots=True)
class _Table:
    """A layout by where its sensors and mats are, all that a lattice hangs on."""

    where: tuple[bytes, ...]
    layout: TableLayout = field(compare=False)


@dataclass(frozen=True, slots=True, eq=False)
class _Lattice:
    """place (P, 3) mm; root (P, 3, 3): what whitens the three fields there; white (3P, S): those fields, whitened."""

    place: Floats
    root: Floats
    white: npt.NDArray[np.float32]


@lru_cache(maxsize=6)
def _lattice(table: _Table, heights: tuple[float, ...], beside: float) -> _Lattice:
    """Some 60 ms of work, so that all filters of a table share it: two of a tracker have the same, and sensing begins
    anew with those it had. Kept: the six kinds that one table has, of up to 5 MB each for four tiles.
    """
    layout = table.layout
    low, high = layout.position[:, :2].min(0) - MARGIN_MM, layout.position[:, :2].max(0) + MARGIN_MM
    x, y = np.meshgrid(np.arange(low[0], high[0], PITCH_MM), np.arange(low[1], high[1], PITCH_MM * 0.87))
    x[1::2] += PITCH_MM / 2.0
    flat = np.stack([x.ravel(), y.ravel()], 1)
    away = layout.beside(flat)
    flat = flat[(away >= beside) & (away <= MARGIN_MM)]
    place = np.concatenate([np.column_stack([flat, np.full(len(flat), h)]) for h in heights])
    kernel = _unit_fields(layout, place)
    # a uniform field is no stone: take it out of the kernels
    kernel -= kernel.mean(axis=2, keepdims=True)
    gram = kernel @ kernel.transpose(0, 2, 1)
    root = np.linalg.inv(np.linalg.cholesky(gram + 1e-9 * np.eye(3)))
    white = np.ascontiguousarray((root @ kernel).reshape(-1, layout.count), dtype=np.float32)
    for each in (place, root, white):
        each.flags.writeable = False
    return _Lattice(place, root, white)


def _unit_fields(layout: TableLayout, place: Floats) -> npt.NDArray[np.float64]:
    """(P, 3, S) mT for moments of 1 A m2 along x, y, z at places (P, 3)."""
    d = layout.position[None] - place[:, None]
    r2 = (d * d).sum(-1)
    along = (layout.axis[None] * d).sum(-1)
    out = 3.0 * d * (along / r2)[..., None] - layout.axis[None]
    out *= (FIELD_CONSTANT * r2**-1.5)[..., None]
    result: npt.NDArray[np.float64] = out.transpose(0, 2, 1)
    return result
