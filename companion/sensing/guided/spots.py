"""Where a stone is put to check a table: a spot of each tile that is none of it turned by a third, and of each seam."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from companion.sensing.guided.tiles import seams
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.sensors.multiplexers import multiplexers

INSIDE_MM: Final = 25.0
"""From the mat's edges: the tiles beside it see next to nothing of a stone there."""
FAR_MM: Final = 22.0
"""From the tile's middle: a third of a turn takes it 38 mm away, more than twice what a hand is off."""
SEES_MM: Final = 24.0
"""Within it a sensor shows 2 mT or more of the stone."""
_LEAST_SEEING: Final = 2  # sensors of a multiplexer
_THIRDS: Final = (0, 1, 2)


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """place (2,) mm, table frame; tiles: one, or the two of a seam."""

    place: Floats
    tiles: tuple[int, ...]

    def called(self, names: Sequence[str]) -> str:
        return "/".join(names[k] for k in self.tiles)

    @staticmethod
    def third(told: Floats, own: Floats) -> tuple[int, float]:
        """By how many thirds of a turn, counter-clockwise, the place (2,) in a tile's frame is the told one turned, and
        how far off it is then, mm.
        """
        away = [float(np.hypot(*(own - turned(told, k)))) for k in _THIRDS]
        k = int(np.argmin(away))
        return k, away[k]


def turned(point: Floats, thirds: int) -> Floats:
    """A point (2,) turned about the middle, counter-clockwise."""
    angle = thirds * 2.0 * np.pi / 3.0
    cos, sin = np.cos(angle), np.sin(angle)
    out: Floats = np.array([cos * point[0] - sin * point[1], sin * point[0] + cos * point[1]])
    return out


def in_tile(layout: TableLayout, tile: int, point: Floats) -> Floats:
    """A point (2,) of the table frame in the tile's: from its middle, with corner 0 at +y."""
    corners = layout.triangles[tile]
    up = corners[0] - corners.mean(axis=0)
    up = up / np.hypot(*up)
    by = point - corners.mean(axis=0)
    out: Floats = np.array([by[0] * up[1] - by[1] * up[0], by @ up])
    return out


def spots(layout: TableLayout) -> list[Spot]:
    """First the tiles', then the seams' middles."""
    out = [Spot(_spot(layout, tile), (tile,)) for tile in range(len(layout.triangles))]
    for a, b in seams(layout):
        ends = [(layout.triangles[k] + np.roll(layout.triangles[k], -1, axis=0)) / 2.0 for k in (a, b)]
        away = np.hypot(*np.moveaxis(ends[0][:, None] - ends[1][None], -1, 0))
        i, j = np.unravel_index(int(away.argmin()), away.shape)
        out.append(Spot((ends[0][i] + ends[1][j]) / 2.0, (a, b)))
    return out


def _spot(layout: TableLayout, tile: int) -> Floats:
    """Between three sensors, so that one that is deaf leaves two; well inside and far from the middle; of such places
    one that sensors of most multiplexers see, so that wires of any two are told apart.
    """
    own = np.flatnonzero(layout.tile == tile)
    at = layout.position[:, :2]
    near = [[int(j) for j in layout.neighbours[k] if layout.tile[j] == tile] for k in own]
    threes = [
        [k, a, b]
        for k, beside in zip(own.tolist(), near, strict=True)
        for a, b in combinations(beside, 2)
        if b in near[a - int(own[0])]
    ]
    places = np.array([at[three].mean(axis=0) for three in threes]) if threes else at[own]
    corners = layout.triangles[tile]
    edge = np.roll(corners, -1, axis=0) - corners
    by = places[:, None] - corners[None]
    deep = np.abs(edge[:, 0] * by[..., 1] - edge[:, 1] * by[..., 0]) / np.hypot(*edge.T)
    far = np.hypot(*(places - corners.mean(axis=0)).T)
    fit = (deep.min(axis=1) >= INSIDE_MM) & (far >= FAR_MM)
    away = np.hypot(*np.moveaxis(places[:, None] - at[own][None], -1, 0))
    seen = np.zeros(len(places))
    for part in multiplexers(own):
        seen += (away[:, np.searchsorted(own, part)] < SEES_MM).sum(axis=1) >= _LEAST_SEEING
    # Where no place is well inside, as on other tiles than these, what is seen best.
    place: Floats = places[int(np.argmax(10.0 * fit + seen + 1e-3 * far))]
    return place
