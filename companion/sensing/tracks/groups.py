"""Bodies side by side in a frame: which are solved together, the field of each, and what it explains."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.sensors.layout import Floats
from companion.sensing.tracks.movers import Mover

TOGETHER_MM: Final = 110.0


def groups(active: Sequence[Mover]) -> list[list[Mover]]:
    """Bodies that must be solved together: those within TOGETHER_MM of each other, chained."""
    if len(active) < 2:
        return [[m] for m in active]
    centres = np.array([m.body.centre for m in active])
    d = centres[:, None] - centres
    near = ((d * d).sum(axis=2) < TOGETHER_MM**2).tolist()
    left, out = list(range(len(active))), []
    while left:
        group = [left.pop()]
        for k in group:
            found = [o for o in left if near[k][o]]
            left = [o for o in left if not near[k][o]]
            group.extend(found)
        out.append([active[k] for k in group])
    return out


def gains(active: Sequence[Mover], left: Floats, weight: Floats) -> list[float]:
    """Gain in chi squared by assuming each of them, on what all leave over."""
    if not active:
        return []
    own = np.array([m.kept for m in active])
    out: list[float] = ((own * (own + 2.0 * left)) @ weight).tolist()
    return out


def fields(model: FieldModel, bodies: Sequence[Body]) -> Floats:
    """Field (B, S) mT of each body."""
    stones = bodies[0].stones if len(bodies) == 1 else bodies[0].stones.joined(*(b.stones for b in bodies[1:]))
    out = model.fields(stones)
    if len(stones) > len(bodies):
        starts = np.cumsum([0, *(len(b.tracks) for b in bodies[:-1])])
        return np.asarray(np.add.reduceat(out, starts, axis=0))
    return out


def median(values: Floats) -> float:
    """numpy's own takes ten times longer over so few."""
    order, half = np.sort(values), len(values) // 2
    return float(order[half] if len(values) % 2 else 0.5 * (order[half - 1] + order[half]))
