"""Whether stones are where the tracks say: each is taken away in thought, and the reading must miss it.

A cluster has as many unknowns as one stone, so the one with fewer stones is preferred only where it explains the
reading about as well with the moments its stones are known to have.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body, align, joined, part, with_moments
from companion.sensing.fields.magnets import turned
from companion.sensing.fields.prior import FLAT_HEIGHT, UPRIGHT_HEIGHT, Prior
from companion.sensing.fields.solver import fit
from companion.sensing.fields.stacks import ways
from companion.sensing.sensors.layout import Floats
from companion.sensing.tracks.movers import Mover
from companion.sensing.tracks.tracker import Tracker

MOMENT_SIGMA: Final = 0.1
"""Of the logarithm: a stone that has been followed is known so well."""

MARGIN: Final = 10.0
TEMPER: Final = 4.0
"""What the model misses makes chi squared, twice the logarithm of a likelihood, too large: by two."""
PLACE_MM: Final = 8.0


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """The stone of a cluster that the reading misses least; gain: of chi squared without it; rest: the others, as they
    fit best then.
    """

    track: int
    rest: Body
    gain: float


def doubted(
    tracker: Tracker, m: Mover, may_go: Sequence[int], enough: float = float("inf"), first: int | None = None
) -> Doubt | None:
    """The stone of the cluster m, of those that may go, whose absence explains the newest reading best; None where none
    may go. enough: of chi squared; where the absence of one gains more, no other is asked for: of thirteen stones each
    is a fit of all the others. first: the stone to begin with.
    """
    target = tracker.residual + m.kept
    body = with_moments(m.body, tracker.known)
    everything: float | None = None
    best: Doubt | None = None
    for k, track in sorted(enumerate(body.tracks), key=lambda each: each[1] != first):
        if track not in may_go:
            continue
        if everything is None:
            everything = min(_cost(tracker, m, start, target)[0] for start in _poses(body))
        others = part(body, [i for i in range(len(body.tracks)) if i != k])
        cost, found = min((_cost(tracker, m, start, target) for start in _lyings(others)), key=lambda each: each[0])
        if best is None or everything - cost > best.gain:
            best = Doubt(track, found, everything - cost)
            if best.gain > enough:
                break
    return best


def gain_of(p: float, margin: float) -> float:
    """Gain of chi squared from which on a stone is less than p `likely`."""
    return margin + TEMPER * float(np.log(1.0 / p - 1.0))


def likely(doubt: Doubt | None, margin: float) -> float:
    """The probability that the stone is there all the same; margin: of chi squared, the word of its track."""
    return 1.0 if doubt is None else chance((margin - min(doubt.gain, margin)) / TEMPER)


def chance(log_odds: float) -> float:
    """The probability of what has these odds, as a natural logarithm of any size."""
    return float(0.5 + 0.5 * np.tanh(0.5 * log_odds))


def _lyings(body: Body) -> list[Body]:
    """A single stone as it is, flat with either pole up, and on edge four ways: what it was thought to touch may have
    held its pose in a wrong place."""
    if len(body.tracks) > 1:
        return [body]
    s, out = body.stones, [body]
    for axis in np.array([(0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)], dtype=np.float64):
        place = s.position.copy()
        place[0, 2] = FLAT_HEIGHT[0] if axis[2] else UPRIGHT_HEIGHT[0]
        side = turned(s.side, align(s.axis[0], axis)[None])
        out.append(Body(body.tracks, replace(s, position=place, axis=axis[None], side=side)))
    return out


def _poses(body: Body) -> list[Body]:
    """The cluster as it is, and each stone of a pair on the other."""
    if len(body.tracks) != 2:
        return [body]
    return [body, *ways(part(body, [0]), part(body, [1]))]


def _cost(tracker: Tracker, m: Mover, body: Body, target: Floats) -> tuple[float, Body]:
    """Chi squared of the stones, each by itself, and how they fit best."""
    alone = [part(body, [i]) for i in range(len(body.tracks))]
    priors = [Prior(b.centre, np.full(3, PLACE_MM), 0.7, float(b.stones.log_moment[0]), MOMENT_SIGMA) for b in alone]
    floors = [tracker.floor(m)] * len(alone)
    found = fit(tracker.layout, alone, priors, target, tracker.weight, limit=12, floors=floors)
    out = found.bodies[0]
    for b in found.bodies[1:]:
        out = joined(out, b)
    return found.cost, out
