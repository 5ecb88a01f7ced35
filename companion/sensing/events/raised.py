"""A board's stone that rises, and what it shows is not of one stone: the next player's has come to it unseen.

No stone rises by itself, and one in fingers shows what it showed as it lay, elsewhere. A stone in a hand that comes
down fast on one at the edge drives that over it, and the track goes with the stronger field: it follows the hand's from
then on, and explains neither. So long as one stone is followed where two are no other is born.
"""

from dataclasses import dataclass, field
from typing import Final

from companion.sensing.events import approaching
from companion.sensing.events.scene import MS, Scene
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import BoardTime

NOT_ALONE: Final = 8.0
"""Chi squared a row: far more than one stone leaves over, whatever its shape."""
LASTS_US: Final = 100 * MS
"""A snap is over sooner, and a track has found its stone again."""


@dataclass(slots=True)
class Raised:
    """_since: since when each of them has been explained so badly."""

    _since: dict[Mover, BoardTime] = field(default_factory=dict)

    def step(self, scene: Scene, t_us: BoardTime) -> None:
        """Tell of the hand that must be there, where none is known."""
        tracker = scene.tracker
        waiting = [m for _, m in tracker.newborn.parked if m.phase is Phase.HAND]
        hands = [m for m in tracker.movers if m.phase is Phase.HAND]
        if scene.placed or scene.collapses.open or any(m.told for m in (*waiting, *hands)):
            self._since.clear()
            return
        odd = [m for m in tracker.movers if m.phase is Phase.LIFTED and m.single and m.misfit > NOT_ALONE]
        self._since = {m: self._since.get(m, t_us) for m in odd}
        for m, since in self._since.items():
            if t_us - since >= LASTS_US:
                near = hands[-1:] or waiting[-1:] or [tracker.newborn.unseen_hand(m, since)]
                approaching.approach(scene, near[0])
                return
