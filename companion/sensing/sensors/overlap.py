"""Tiles that lie in each other: a table.json that cannot be true."""

from itertools import combinations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

BUMPED_MM = 10.0
"""Further than this no bump or rounding of the numbers puts two tiles that touch into each other."""


def check_apart(triangles: Floats) -> None:
    """Tiles may touch at corners and seams. triangles: corners of each, mm, (n, 3, 2).

    Raises ValueError, naming the tiles, where two lie more than BUMPED_MM in each other.
    """
    for a, b in combinations(range(len(triangles)), 2):
        if overlap(triangles[a], triangles[b]) > BUMPED_MM:
            raise ValueError(
                f"table.json: tiles[{a}] and tiles[{b}] lie in the same place: x, y or rot of one of them is wrong"
            )


def overlap(one: Floats, other: Floats) -> float:
    """How far one of two triangles (3, 2) would have to move to be free of the other, mm; not above 0 where they are
    apart. By the separating axes: https://en.wikipedia.org/wiki/Hyperplane_separation_theorem.
    """
    edges = np.concatenate([np.roll(each, -1, axis=0) - each for each in (one, other)])
    normals = np.stack([-edges[:, 1], edges[:, 0]]) / np.hypot(edges[:, 0], edges[:, 1])
    p, q = one @ normals, other @ normals
    return float(np.minimum(p.max(axis=0) - q.min(axis=0), q.max(axis=0) - p.min(axis=0)).min())
