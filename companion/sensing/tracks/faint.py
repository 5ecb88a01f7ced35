"""A stone in a hand that is too faint to be followed from frame to frame: seen by what changes within half a second.

Over a noisy table a stone 70 mm high is worth five of chi squared a frame, less than a track can live on. But what a
hand brings was not there before: the change of two means (changes.py) shows it five times as clearly, and nothing of
what stones at rest leave over, which stays as it was. What is learned meanwhile as left over counts as shown: of a
stone that hovered out of sight for a second half was learned, and when it left, what that left behind seemed to come.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.fields.births import Births, Candidate
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.changes import Change, Changes
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.strangers import AVERAGE, Left, Strangers

HEIGHTS_MM: Final = (42.0, 60.0, 75.0)
"""Lower down a stone is seen in each frame."""
LEAST: Final = 60.0
"""Of chi squared. By white noise the best of all places comes over 25 every two minutes and to 33 in half an hour
(24 000 looks); what hum and drift do was not measured, and is what the rest is for.
"""
HIGHEST_MM: Final = 66.0
"""The zone ends 80 mm over the mats, but what hovers 85 to 95 mm high seems some 12 mm lower: of eleven looks at such
in game3-nominal ten showed 70 mm and more.
"""
OVER_MM: Final = 3.0
FITS: Final = 5
"""After so many the stone's far field and what all sensors share are told apart; with one its height is 10 mm too low,
as what they share has been taken for the median."""
_NOT_NUMBERED: Final = 0


class Faint:
    """The changes of one table."""

    def __init__(self, layout: TableLayout, sigma: Floats, strangers: Strangers) -> None:
        """sigma (S,) mT: noise of a reading."""
        self._layout, self._sigma, self._model = layout, sigma, FieldModel.of(layout)
        self._births, self._strangers = Births(layout, HEIGHTS_MM), strangers
        self._changes = Changes(sigma)
        self.again()

    def again(self) -> None:
        """What was shown before says nothing of what comes now."""
        self._changes.again()
        self._since: Floats | None = None  # what had been learned as left over before the first block, (S,) mT

    def see(self, movers: Sequence[Mover], left: Floats, learned: Floats, valid: Bools) -> Body | None:
        """Take what a frame leaves over, left (S,) mT, beside what was learned (S,) mT, where valid (S,); the stone
        that has come, not numbered yet, where the frame ends a look that shows one.
        """
        active = [m for m in movers if m.awake]
        if any(m.told or m.phase is not Phase.HAND for m in active):
            self.again()
            return None
        if self._since is None:
            self._since = learned
        shown = left + learned - self._since
        for m in active:
            shown += m.kept
        change = self._changes.see(shown, valid)
        return None if change is None else self._look(change, [m for m in movers if not m.awake])

    def _look(self, change: Change, resting: Sequence[Mover]) -> Body | None:
        places = self._births.search(change.damped, change.noise, np.zeros((0, 3)), 0.0, most=1, least=LEAST)
        body = self._stone(places[0], change, resting) if places else None
        if body is None:
            return None
        # A stone that goes changes as much as one with its poles turned that comes: but it was shown before.
        return body if float(change.trust @ (change.both * self._field(body))) > 0.0 else None

    def _stone(self, place: Candidate, change: Change, resting: Sequence[Mover]) -> Body | None:
        """The stone near a place, if it is in the zone and nearly all that has changed."""
        used, shared = change.trust > 0.0, 0.0
        found = self._found(place, change.by, change.trust, resting)
        for _ in range(FITS - 1):
            if found is None:
                return None
            shared = float((change.by - self._field(found[0]))[used].mean())
            place = Candidate(found[0].centre, found[0].moment * found[0].axis, 0.0)
            found = self._found(place, np.where(used, change.by - shared, 0.0), change.trust, resting)
        if found is None:
            return None
        body, gain = found
        at = body.centre
        zone = float(at[2]) < HIGHEST_MM and float(self._layout.beside(at[:2])) <= OVER_MM
        return body if zone and gain > LEAST and change.explained(self._field(body) + shared) else None

    def _found(
        self, place: Candidate, change: Floats, trust: Floats, resting: Sequence[Mover]
    ) -> tuple[Body, float] | None:
        found = self._strangers.found(place, _NOT_NUMBERED, resting, Left(change, trust, trust))
        self._strangers.risen.clear()  # where a stone on the table is now a change does not say
        return None if found is None else (found[0], found[1] * AVERAGE)

    def _field(self, body: Body) -> Floats:
        out: Floats = self._model.fields(body.stones).sum(axis=0)
        return out
