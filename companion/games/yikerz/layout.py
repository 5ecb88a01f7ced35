"""How the four triangles lie (Y05): presets, and whether an arrangement is legal.

Legal: every triangle touches another by a side or a corner, none overlap (so two pairs apart are legal).
Lengths in mm, angles in degrees counter-clockwise; the tile frame has its origin in the centroid and
corner 0 at +y (docs/recordings.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import cos, hypot, inf, radians, sin, sqrt
from typing import Any, TypeAlias

Point: TypeAlias = tuple[float, float]

TILES = 4
FREE = "free"
"""Name of an arrangement that is given tile by tile."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One triangle: its centroid and how far it is turned."""

    x: float
    y: float
    rot: float = 0.0


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an arrangement is not legal. code: layout_overlaps or layout_apart; tile: which triangle, from
    0.
    """

    code: str
    tile: int


def presets(side: float) -> dict[str, tuple[Tile, ...]]:
    """The named arrangements for triangles of this side; the sheet names them, the shapes are ours (Y05)."""
    height, half = side * sqrt(3) / 2, side / 2
    out = 2 * height / 3
    turns = (0.0, 90.0, 180.0, 270.0)
    return {
        # one large triangle, a strip, four that meet in a corner
        "novice": (Tile(-half, 0), Tile(half, 0), Tile(0, height), Tile(0, height / 3, 180)),
        "intermediate": (
            Tile(-1.5 * half, 0),
            Tile(-0.5 * half, height / 3, 180),
            Tile(0.5 * half, 0),
            Tile(1.5 * half, height / 3, 180),
        ),
        "advanced": tuple(Tile(out * sin(radians(t)), -out * cos(radians(t)), t) for t in turns),
    }


NAMES: tuple[str, ...] = (*presets(1.0), FREE)
"""What a layout may be called."""


def corners(tile: Tile, side: float) -> tuple[Point, ...]:
    """The three corners, corner 0 first, counter-clockwise."""
    out = []
    for angle in (90.0, 210.0, 330.0):
        a = radians(angle + tile.rot)
        out.append((tile.x + side / sqrt(3) * cos(a), tile.y + side / sqrt(3) * sin(a)))
    return tuple(out)


def fault(tiles: Sequence[Tile], side: float, slack: float) -> Fault | None:
    """The first triangle that overlaps another or touches none, by more than `slack` mm; None if all are
    legal.
    """
    outlines = [corners(tile, side) for tile in tiles]
    for one, other in combinations(range(len(tiles)), 2):
        if _depth(outlines[one], outlines[other]) > slack:
            return Fault("layout_overlaps", other)
    for one, outline in enumerate(outlines):
        gaps = [_gap(outline, other) for k, other in enumerate(outlines) if k != one]
        if min(gaps, default=inf) > slack:
            return Fault("layout_apart", one)
    return None


def _edges(outline: Sequence[Point]) -> list[tuple[Point, Point]]:
    return [(outline[k], outline[(k + 1) % len(outline)]) for k in range(len(outline))]


def _depth(one: Sequence[Point], other: Sequence[Point]) -> float:
    """How deep two convex outlines overlap: the least over the normals of their edges (separating axes)."""
    depth = inf
    for (ax, ay), (bx, by) in [*_edges(one), *_edges(other)]:
        length = hypot(bx - ax, by - ay)
        nx, ny = (by - ay) / length, (ax - bx) / length
        first = [nx * x + ny * y for x, y in one]
        second = [nx * x + ny * y for x, y in other]
        depth = min(depth, max(first) - min(second), max(second) - min(first))
    return depth


def _gap(one: Sequence[Point], other: Sequence[Point]) -> float:
    """The least distance between two outlines: from a corner of one to an edge of the other."""
    pairs = [(p, e) for p in one for e in _edges(other)] + [(p, e) for p in other for e in _edges(one)]
    return min(_to_edge(point, edge) for point, edge in pairs)


def _to_edge(point: Point, edge: tuple[Point, Point]) -> float:
    (px, py), ((ax, ay), (bx, by)) = point, edge
    ex, ey = bx - ax, by - ay
    u = max(0.0, min(1.0, ((px - ax) * ex + (py - ay) * ey) / (ex * ex + ey * ey)))
    return hypot(px - ax - u * ex, py - ay - u * ey)


def tiles_of(values: Any) -> tuple[Tile, ...]:
    """Four tiles of JSON values, each x, y, rot. Raises ValueError where they are not."""
    right = isinstance(values, list | tuple) and len(values) == TILES
    if not right or not all(isinstance(v, list | tuple) and len(v) == 3 for v in values):
        raise ValueError(f"{TILES} tiles, each x, y, rot, are wanted")
    for number in (number for value in values for number in value):
        plain = isinstance(number, int | float) and not isinstance(number, bool)
        if not plain or not abs(number) < 1e5:
            raise ValueError(f"a tile's place is a number, not {number!r}")
    return tuple(Tile(float(x), float(y), float(rot)) for x, y, rot in values)
