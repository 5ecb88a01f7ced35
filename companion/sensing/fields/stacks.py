"""How stones stick together: side by side, or one on the other, face to face."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body, align, joined
from companion.sensing.fields.magnets import Magnets, turned
from companion.sensing.sensors.layout import Floats

CONTACT_MM: Final = 16.0
"""Centres nearer than this touch: stones are 13-20 mm across; attracting ones never rest a few mm apart."""

STACK_MM: Final = 6.8
BESIDE_MM: Final = 5.0


def distance(a: Body, b: Body) -> float:
    """Smallest distance in mm between centres of stones of two bodies."""
    d = a.stones.position[:, None] - b.stones.position[None]
    return float(np.sqrt((d * d).sum(-1).min()))


def distances(bodies: Sequence[Body]) -> list[list[float]]:
    """`distance` of each two of them, (B, B)."""
    place = np.concatenate([b.stones.position for b in bodies])
    d = place[:, None] - place
    away = (d * d).sum(axis=2)
    if len(place) > len(bodies):
        starts = np.cumsum([0, *(len(b.tracks) for b in bodies[:-1])])
        away = np.minimum.reduceat(np.minimum.reduceat(away, starts, axis=0), starts, axis=1)
    out: list[list[float]] = np.sqrt(away).tolist()
    return out


def touching(a: Body, b: Body) -> bool:
    """Whether their nearest stones may touch as they are.

    Stones of up to 20 mm across touch so far apart only side by side: one that hovers a thickness and more above the
    other's plane does not.
    """
    d = a.stones.position[:, None] - b.stones.position[None]
    away = np.sqrt((d * d).sum(-1))
    i, k = np.unravel_index(int(away.argmin()), away.shape)
    above = min(abs(float(d[i, k] @ a.stones.axis[i])), abs(float(d[i, k] @ b.stones.axis[k])))
    return 4.0 < float(away[i, k]) < CONTACT_MM + (4.0 if above < BESIDE_MM else 0.0)


def ways(a: Body, b: Body) -> list[Body]:
    """Ways in which b may stick to a or a to b: as they are now if they touch, and stone on stone."""
    out: list[Body] = []
    if touching(a, b):
        out.append(joined(a, b))
    for first, second in ((a, b), (b, a)):
        if len(second.tracks) > 1 and len(first.tracks) == 1:
            continue
        stones = first.stones
        for k in range(len(first.tracks)):
            as_first = _turned_to(second, stones.axis[k])
            for side in (1.0, -1.0):
                place = stones.position[k] + side * STACK_MM * stones.axis[k]
                if len(first.tracks) > 1:
                    others = np.delete(stones.position, k, axis=0)
                    if float(np.sqrt(((others - place) ** 2).sum(1)).min()) < 5.0:
                        continue
                out.append(joined(first, _set_on(as_first, place)))
        if len(a.tracks) == len(b.tracks) == 1 and distance(a, b) < CONTACT_MM:
            break
    return out


def _set_on(body: Body, place: Floats) -> Body:
    """The body moved to a place, (3,) mm."""
    if len(body.tracks) > 1:
        return body.shifted(place - body.centre)
    s = body.stones
    return Body(body.tracks, Magnets(place[None].copy(), s.axis, s.log_moment, s.shape, s.side))


def _turned_to(body: Body, axis: Floats) -> Body:
    """The body; a single stone with the axis of the one it sticks to."""
    if len(body.tracks) > 1:
        return body
    s = body.stones
    turn = align(s.axis[0], axis)
    return Body(body.tracks, replace(s, axis=axis[None].copy(), side=turned(s.side, turn[None])))
