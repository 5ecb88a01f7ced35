"""Where the mats are, seen from above: how far beside them a point lies."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

APPROACH_OVER_MM = 80.0  # a stone in a hand is at the board within this height over the mats ...
APPROACH_BESIDE_MM = 30.0  # ... and this far outside their edges (docs/rules: Y14)


@dataclass(frozen=True, slots=True)
class Mats:
    """The triangles' corners (n, 3, 2) in mm, counter-clockwise."""

    corners: Array

    @staticmethod
    def of(side: float, tiles: Sequence[tuple[float, float, float]]) -> "Mats":
        """Equilateral triangles of a side in mm, each with its centroid's x, y (mm) and turn (degrees)."""
        angle = np.radians([90.0, 210.0, 330.0])
        base = side / np.sqrt(3.0) * np.stack([np.cos(angle), np.sin(angle)], 1)
        out = []
        for x, y, turn in tiles:
            c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
            out.append(base @ np.array([[c, s], [-s, c]]) + (x, y))
        return Mats(np.array(out))

    def beside(self, points: Array) -> Array:
        """Distance (n,) in mm of points (n, 2) from the nearest mat; 0 over one."""
        best = np.full(len(points), np.inf)
        for t in self.corners:
            d, inside = np.full(len(points), np.inf), np.ones(len(points), bool)
            for k in range(3):
                edge, r = t[(k + 1) % 3] - t[k], points - t[k]
                u = np.clip(r @ edge / (edge @ edge), 0.0, 1.0)
                d = np.minimum(d, np.hypot(*(r - u[:, None] * edge).T))
                inside &= edge[0] * r[:, 1] - edge[1] * r[:, 0] >= 0.0
            best = np.minimum(best, np.where(inside, 0.0, d))
        return best
