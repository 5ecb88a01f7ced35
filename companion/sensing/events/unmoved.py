"""A stone that lies alone where it lay has touched none: a collapse that was seen in it was none.

Of two attracting magnets that touch the lighter one moves, and both fields go on together. So while two stones are
followed as one body, the reading is also asked whether the one that had lain on the board lies there still, in the pose
that it had, and the other is not with it: a hand's stone that went by, or what its way left over. Both ways are judged
over the same sensors (companion/sensing/fields/rivals.py).
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from companion.sensing.events.as_one import of_both
from companion.sensing.events.pair_looks import PairLooks
from companion.sensing.events.scene import Scene
from companion.sensing.events.two_again import two_again
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.rivals import EXPLAINS, costs_of
from companion.sensing.fields.solver import fit
from companion.sensing.sensors.layout import Floats
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import BoardTime

NO_WORSE: Final = 40.0
"""Of chi squared, by which two stones, with six unknowns more, may explain the reading better. Of 55 pairs that had
stuck together (five games, three deals, 25 scenes) they did by 99 and more at the worst look and by 132 and more at the
median one; of six that had not, where a hand's track ran to the stone that it had pushed, by 12 and less.
"""

PLACE_MM, TURN = 1.0, 0.15
"""From the pose that a stone had at rest; the trembling of a track that was still. Of one that has come farther it is
asked where it has stood."""

MOMENT_SIGMA: Final = 0.1
STOOD_FRAMES: Final = 30
"""So long a stone must have stood, after it was pushed, to count as lying there; a snap takes a fifth of it."""


@dataclass(slots=True)
class Unmoved:
    """lay: of stones that are part of a pair now, how they lay before, by track."""

    lay: dict[int, Body] = field(default_factory=dict)
    _looks: PairLooks = field(default_factory=PairLooks)

    def touch(self, m: Mover) -> None:
        """This body is about to be joined to another."""
        if not m.single or m.phase is not Phase.BOARD:
            return
        lay = m.rested
        if lay is None or float(np.linalg.norm(m.smooth - lay)) > PLACE_MM:
            stood = _stood(m)
            lay = lay if stood is None else stood
        if lay is not None:
            self.lay[m.body.tracks[0]] = m.body.shifted(lay - m.body.centre)

    def step(self, scene: Scene, t_us: BoardTime, measured: bool = True) -> None:
        """Look at the pairs; what turns out to be none is two bodies again, and told where a collapse was."""
        movers = scene.tracker.movers
        joined = {k for m in movers if not m.single for k in m.body.tracks}
        self.lay = {k: body for k, body in self.lay.items() if k in joined}
        for m in self._looks.due(movers, measured):
            if not self.lay.keys() & set(m.body.tracks):
                continue
            found = self._alone(scene, m)
            if self._looks.agree(m, bool(found)):
                two_again(scene, m, found, rest=True, note="unmoved", t_us=t_us)

    def _alone(self, scene: Scene, m: Mover) -> tuple[Body, ...]:
        """The stones of the pair that had lain, as they lie now, where that explains the reading as well; else none."""
        tr = scene.tracker
        target = tr.residual + m.kept
        lain = [self.lay[k] for k in m.body.tracks if k in self.lay]
        pair = of_both(m.body, m.log_moment, MOMENT_SIGMA)
        priors = [Prior(b.centre, np.full(3, PLACE_MM), TURN, b.log_moment, MOMENT_SIGMA) for b in lain]
        one = fit(tr.layout, [m.body], [pair], target, tr.weight, limit=8, floors=[tr.floor(m)])
        apart = fit(tr.layout, lain, priors, target, tr.weight, limit=4)
        rows, (together, alone) = costs_of([one, apart], tr.model, target, tr.weight)
        return apart.bodies if alone < min(together + NO_WORSE, EXPLAINS * rows) else ()


def _stood(m: Mover) -> Floats | None:
    """Where it has stood of late, (3,) mm; None if it has moved meanwhile."""
    if len(m.trail) < STOOD_FRAMES:
        return None
    way = np.array(m.trail)[-STOOD_FRAMES:]
    before, after = (half.mean(axis=0) for half in np.split(way, 2))
    return None if float(np.linalg.norm(after - before)) > PLACE_MM else way.mean(axis=0)
