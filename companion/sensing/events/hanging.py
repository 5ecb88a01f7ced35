"""Whether three stones that seem to hang still over the mats lie there after all.

While they snap their fields melt together, and they are followed on from the pose of that moment. The search for how
they would lie takes longer than several frames, and a hand may hold stones still for as long as it likes: of one pose
it is asked soon at first, then ever more seldom.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import with_moments
from companion.sensing.fields.columns import STONES, Columns
from companion.sensing.sensors.layout import Floats
from companion.sensing.tracks.movers import Mover
from companion.table import BoardTime

HANGS_S: Final = 0.3  # in which a hand that carries stones would have moved them
ELSEWHERE_MM: Final = 8.0
"""So far from where it was asked last it is another pose: half a stone; a still hand moves them by less."""


@dataclass(slots=True)
class Hanging:
    """_asked: of each body for which it was not so, where that was, (3,) mm, and for how long it must hang still until
    it is asked there again, s.
    """

    _asked: dict[Mover, tuple[Floats, float]] = field(default_factory=dict)

    def lies(self, scene: Scene, m: Mover, t_us: BoardTime) -> bool:
        """Whether the lifted body m lies; it is posed so."""
        tracker = scene.tracker
        if len(m.body.tracks) != STONES or m.low_us is not None or tracker.beside(m) > 0.0:
            return False
        self._asked = {o: asked for o, asked in self._asked.items() if o in tracker.movers}
        at, wait = self._asked.get(m, (m.body.centre, HANGS_S))
        if float(np.linalg.norm(m.body.centre - at)) > ELSEWHERE_MM:
            wait = HANGS_S
        if m.still(t_us) <= wait:
            return False
        since, m.still_us = m.still_us, t_us
        self._asked[m] = m.body.centre, 2.0 * wait
        mean, weight = tracker.shown(m, tracker.weight > 0.0)
        body = Columns(tracker.layout, mean, weight, tracker.floor(m)).lying(with_moments(m.body, tracker.known))
        if body is None:
            return False
        del self._asked[m]
        m.set(body, t_us)
        m.kept = tracker.model.fields(body.stones).sum(0)
        m.still_us = m.low_us = since
        return True
