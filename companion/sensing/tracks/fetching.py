"""A stone that fell beside the mats and is too faint there to be seen lying: seen when a hand takes it up.

On the table, 30 mm beside the mats, a stone is worth one to two in chi squared a frame: nobody can watch it there
(fallen.py). But a hand that takes it up brings it nearer to the sensors at the edge, for most of a second. So it is
looked for in what has changed within half a second (changes.py) of all that sensors show: what lies on the board is in
both means. It must be that stone, whose strength is known, low over the table and near where it fell.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from companion.sensing.fields.births import Births, Candidate
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.changes import Change, Changes
from companion.sensing.tracks.fallen import BESIDE_MM, REACH_MM
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import BoardTime

WATCH_US: Final = 20_000_000
"""A turn goes on for ten seconds after the last hand (Y35); later nothing depends on who took it."""
HEIGHTS_MM: Final = (0.0, 20.0, 40.0)
HIGHEST_MM: Final = 45.0
"""Over the mats; the next player's stone comes higher, and is not to be taken for it."""
LEAST: Final = 60.0
"""Of chi squared. In game2-hard one has 74 to 121 for half a second, and what comes by itself 22."""
NEAR_MM: Final = 25.0
_TURN: Final = 2.0


@dataclass(slots=True)
class Fetching:
    """Those of one table; sigma (S,) mT: noise of a reading."""

    layout: TableLayout
    sigma: Floats
    _changes: Changes = field(init=False)
    _births: Births | None = None
    _unseen: dict[Mover, BoardTime] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._changes = Changes(self.sigma)

    def lost(self, m: Mover, t_us: BoardTime) -> None:
        """This one fell, and nothing is seen of where it lies; it was last followed where it is."""
        if m.single:
            self._unseen[m] = t_us
            self._changes.again()

    def again(self) -> None:
        """What was shown before says nothing of what comes now."""
        self._changes.again()

    def see(self, movers: Sequence[Mover], shown: Floats, valid: Bools, t_us: BoardTime) -> Mover | None:
        """A frame, shown (S,) mT where valid (S,): the stone that a hand has taken up, posed where that was seen."""
        for m in [m for m, since in self._unseen.items() if t_us - since > WATCH_US]:
            del self._unseen[m]
        if not self._unseen:
            return None
        if any(m.awake and m.phase is not Phase.BOARD and (m.told or m.phase is not Phase.HAND) for m in movers):
            self._changes.again()  # what is known to be there explains what changes
            return None
        change = self._changes.see(shown, valid)
        if change is None or float(change.trust @ change.by**2) < LEAST:
            return None
        places = self._places(change)
        seen = [found for m in self._unseen for found in self._taken(m, places, change)]
        if not seen:
            return None
        _, m, body = min(seen, key=lambda found: found[0])
        m.body, m.smooth = body, body.centre
        del self._unseen[m]
        self._changes.again()  # or what is left of this change would be another one's
        return m

    def _places(self, change: Change) -> list[Candidate]:
        """Where over the table one stone explains it best."""
        if self._births is None:
            self._births = Births(self.layout, HEIGHTS_MM, BESIDE_MM)
        return self._births.search(change.damped, change.noise, np.zeros((0, 3)), 0.0)

    def _taken(self, m: Mover, places: Sequence[Candidate], change: Change) -> Iterator[tuple[float, Mover, Body]]:
        """This stone where it may be what has changed, with the cost of that."""
        for c in places:
            body = self._fitted(m, c, change)
            own = FieldModel.of(self.layout).fields(body.stones).sum(axis=0)
            cost = float(change.trust @ (change.by - own) ** 2)
            gain = float(change.trust @ change.by**2) - cost
            if gain > LEAST and change.explained(own) and self._there(m, body):
                yield cost, m, body

    def _fitted(self, m: Mover, c: Candidate, change: Change) -> Body:
        start = Body(m.body.tracks, c.magnets(m.body.moment, m.body.stones.shape[0].tolist()))
        prior = Prior(c.place, np.full(3, NEAR_MM), _TURN, m.log_moment, max(m.log_sigma, 0.2))
        floor = 2.0 - self.layout.table_below
        return fit(self.layout, [start], [prior], change.by, change.trust, limit=12, floors=[floor]).bodies[0]

    def _there(self, m: Mover, body: Body) -> bool:
        """Low over the table, near where it fell."""
        at = body.centre
        beside = float(self.layout.beside(at[:2]))
        return (
            float(np.linalg.norm((at - m.body.centre)[:2])) < REACH_MM
            and float(at[2]) < HIGHEST_MM
            and beside > BESIDE_MM
        )
