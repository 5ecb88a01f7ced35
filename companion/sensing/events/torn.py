"""Two stones that are followed as one body, and are seen apart: they have not touched.

A hand's stone that drives one of the board's over the edge comes as near to it as what touches, for some frames in
which both are fast; then the one lies on the table and the other is over the mats, and no pose of both together
explains that. So a pair that explains badly for some looks is also fitted as two, each as strong as it was. What sticks
together is never so far apart.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from companion.sensing.events.as_one import of_both
from companion.sensing.events.pair_looks import PairLooks
from companion.sensing.events.scene import Scene
from companion.sensing.events.two_again import two_again
from companion.sensing.fields.births import LYING_MM, Births
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.bodies import part as part_of
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.rivals import EXPLAINS, costs_of
from companion.sensing.fields.solver import fit
from companion.sensing.sensors.layout import Floats
from companion.sensing.tracks.movers import ODD, SEEN_GAIN, Mover
from companion.sensing.tracks.strangers import APART_MM
from companion.sensing.tracks.tracker import Tracker
from companion.table import BoardTime

PLACE_MM, TURN, MOMENT_SIGMA = 30.0, 2.0, 0.1
KEEPS_MOMENT: Final = 3.0 * MOMENT_SIGMA


@dataclass(slots=True)
class Torn:
    """Looks at the pairs of one table. came: (3,) mm where stones that are part of a pair now were before, by track."""

    came: dict[int, Floats] = field(default_factory=dict)
    _looks: PairLooks = field(default_factory=PairLooks)

    def touch(self, m: Mover) -> None:
        """This body is about to be joined to another."""
        if m.single:
            self.came[m.body.tracks[0]] = m.body.centre

    def step(self, scene: Scene, t_us: BoardTime, measured: bool = True) -> None:
        """Take a frame; what is seen apart is two bodies again, and told where a collapse was."""
        movers = scene.tracker.movers
        joined = {k for m in movers if not m.single for k in m.body.tracks}
        self.came = {k: place for k, place in self.came.items() if k in joined}
        for m in self._looks.due(movers, measured):
            seen = self._named(_apart(scene.tracker, m)) if m.misfit > ODD else ()
            if self._looks.agree(m, bool(seen)):
                two_again(scene, m, seen, rest=False, note="torn", t_us=t_us)

    def _named(self, seen: tuple[Body, ...]) -> tuple[Body, ...]:
        """Their fields hardly tell which is which; neither has gone far from where it was."""
        if not seen:
            return ()
        a, b = seen
        other = Body(a.tracks, b.stones), Body(b.tracks, a.stones)
        return min((seen, other), key=lambda bodies: sum(map(self._way, bodies)))

    def _way(self, body: Body) -> float:
        """Squared, mm2."""
        way = body.centre - self.came.get(body.tracks[0], body.centre)
        return float(way @ way)


def _apart(tr: Tracker, m: Mover) -> tuple[Body, ...]:
    """Its two stones where they are seen, if they are apart, and that explains the reading where the pair does not."""
    target = tr.residual + m.kept
    floors = [2.0 - tr.layout.table_below] * 2
    pair = of_both(m.body, m.log_moment, MOMENT_SIGMA)
    one = fit(tr.layout, [m.body], [pair], target, tr.weight, limit=8, floors=floors[:1])
    for bodies in _starts(tr, m, target):
        two = fit(tr.layout, bodies, [_prior(tr, b) for b in bodies], target, tr.weight, limit=20, floors=floors)
        a, b = two.bodies
        if two.cost > EXPLAINS * len(two.rows) or float(np.linalg.norm(a.centre - b.centre)) < APART_MM:
            continue
        if not all(_is_there(tr, stone, two.bodies, target) for stone in two.bodies):
            continue
        rows, (together, apart) = costs_of([one, two], tr.model, target, tr.weight)
        if apart < min(EXPLAINS * rows, together * EXPLAINS / ODD):
            return two.bodies
    return ()


def _starts(tr: Tracker, m: Mover, target: Floats) -> Iterator[list[Body]]:
    """Either stone where the pair is, or where both together show most, and the other where what that leaves shows."""
    births = Births(tr.layout, LYING_MM)
    noise = float(np.median(tr.sigma))
    damp = np.minimum(1.0, np.sqrt(tr.weight) * noise)
    for k in (0, 1):
        stone = part_of(m.body, [k])
        first = fit(tr.layout, [stone], [_prior(tr, stone)], target, tr.weight, limit=12).bodies[0]
        left = (target - tr.model.fields(first.stones).sum(0)) * damp
        other = part_of(m.body, [1 - k])
        for c in births.search(left, noise, first.centre[None], APART_MM, most=1):
            there = c.magnets(float(np.exp(_known(tr, other))), other.stones.shape[0].tolist())
            yield [first, Body(other.tracks, there)]


def _is_there(tr: Tracker, stone: Body, both: tuple[Body, ...], target: Floats) -> bool:
    """Whether the reading misses this one, and it is as strong as it was: else it is none, or two in a stack."""
    if abs(stone.log_moment - _known(tr, stone)) > KEEPS_MOMENT:
        return False
    left = target - sum((tr.model.fields(o.stones).sum(0) for o in both), np.zeros(len(target)))
    own = tr.model.fields(stone.stones).sum(0)
    return float(tr.weight @ ((left + own) ** 2 - left**2)) > SEEN_GAIN


def _known(tr: Tracker, stone: Body) -> float:
    """Logarithm of the moment of one of a pair, as it was known before they were one."""
    return tr.known.get(stone.tracks[0], stone.log_moment)


def _prior(tr: Tracker, stone: Body) -> Prior:
    return Prior(stone.centre, np.full(3, PLACE_MM), TURN, _known(tr, stone), MOMENT_SIGMA)
