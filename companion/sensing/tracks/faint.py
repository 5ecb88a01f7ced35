"""A stone in a hand that is too faint to be followed from frame to frame: seen by what changes within half a second.

Over a noisy table a stone 70 mm high is worth five of chi squared a frame, less than a track can live on. But what a
hand brings was not there before: the mean of a quarter of a second less that of one before it shows it five times as
clearly, and nothing of what stones at rest leave over, which stays as it was. What is learned meanwhile as left over
counts as shown: of a stone that hovered out of sight for a second half was learned, and when it left, what that left
behind seemed to come. The same difference tells how uneasy the sensors are by themselves (hum, drift): most of them are
far from any one stone.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.fields.births import Births, Candidate
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.strangers import AVERAGE, Left, Strangers

BLOCK: Final = 12
"""Frames; after each such block the change is looked at."""
MEAN: Final = 2
BETWEEN: Final = 4
"""Blocks of either mean, and between them: a hand that hardly moves has come within 0.5 s."""
BLOCKS: Final = 2 * MEAN + BETWEEN
FRAMES: Final = MEAN * BLOCK
HEIGHTS_MM: Final = (42.0, 60.0, 75.0)
"""Lower down a stone is seen in each frame."""
LEAST: Final = 60.0
"""Of chi squared. By white noise the best of all places comes over 25 every two minutes and to 33 in half an hour
(24 000 looks); what hum and drift do was not measured, and is what the rest is for.
"""
EXPLAINS: Final = 1.5
"""Chi squared a sensor that may be left, in units of the unease: more is no single stone's."""
HIGHEST_MM: Final = 66.0
"""The zone ends 80 mm over the mats, but what hovers 85 to 95 mm high seems some 12 mm lower: of eleven looks at such
in game3-nominal ten showed 70 mm and more.
"""
OVER_MM: Final = 3.0
FITS: Final = 5
"""After so many the stone's far field and what all sensors share are told apart; with one its height is 10 mm too low,
as what they share has been taken for the median."""
_NOT_NUMBERED: Final = 0
_MEDIAN: Final = 0.455  # of chi squared with one degree of freedom


class Faint:
    """The changes of one table."""

    def __init__(self, layout: TableLayout, sigma: Floats, strangers: Strangers) -> None:
        """sigma (S,) mT: noise of a reading."""
        self._layout, self._sigma, self._model = layout, sigma, FieldModel.of(layout)
        self._births, self._strangers = Births(layout, HEIGHTS_MM), strangers
        self._blocks: deque[tuple[Floats, Bools]] = deque(maxlen=BLOCKS)
        self.again()

    def again(self) -> None:
        """What was shown before says nothing of what comes now."""
        self._blocks.clear()
        self._begin()
        self._since: Floats | None = None  # what had been learned as left over before the first block, (S,) mT

    def _begin(self) -> None:
        self._sum = np.zeros(len(self._sigma))
        self._valid = np.ones(len(self._sigma), dtype=np.bool_)
        self._frames = 0

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
        self._sum += left + learned - self._since
        for m in active:
            self._sum += m.kept
        self._valid &= valid
        self._frames += 1
        if self._frames < BLOCK:
            return None
        self._blocks.append((self._sum / BLOCK, self._valid))
        self._begin()
        if len(self._blocks) < BLOCKS:
            return None
        return self._look([m for m in movers if not m.awake])

    def _look(self, resting: Sequence[Mover]) -> Body | None:
        blocks = list(self._blocks)
        before, now = blocks[:MEAN], blocks[-MEAN:]
        valid = np.logical_and.reduce([ok for _, ok in (*before, *now)])
        if not valid.any():
            return None
        was, shows = np.mean([b for b, _ in before], axis=0), np.mean([b for b, _ in now], axis=0)
        change = np.where(valid, shows - was - np.median((shows - was)[valid]), 0.0)
        noise = self._sigma * np.sqrt(2.0 / FRAMES)
        unease = max(1.0, float(np.median((change / noise)[valid] ** 2)) / _MEDIAN)
        trust = np.where(valid, 1.0 / (unease * noise**2), 0.0)
        usual, nowhere = float(np.median(noise)) * unease**0.5, np.zeros((0, 3))
        places = self._births.search(change * np.sqrt(trust) * usual, usual, nowhere, 0.0, most=1, least=LEAST)
        body = self._stone(places[0], change, trust, resting) if places else None
        if body is None:
            return None
        # A stone that goes changes as much as one with its poles turned that comes: but it was shown before.
        both = np.where(valid, shows + was - np.median((shows + was)[valid]), 0.0)
        return body if float(trust @ (both * self._field(body))) > 0.0 else None

    def _stone(self, place: Candidate, change: Floats, trust: Floats, resting: Sequence[Mover]) -> Body | None:
        """The stone near a place, if it is in the zone and nearly all that has changed (S,) mT. trust: (S,) 1/mT2."""
        used, shared = trust > 0.0, 0.0
        found = self._found(place, change, trust, resting)
        for _ in range(FITS - 1):
            if found is None:
                return None
            shared = float((change - self._field(found[0]))[used].mean())
            place = Candidate(found[0].centre, found[0].moment * found[0].axis, 0.0)
            found = self._found(place, np.where(used, change - shared, 0.0), trust, resting)
        if found is None:
            return None
        body, gain = found
        at = body.centre
        zone = float(at[2]) < HIGHEST_MM and float(self._layout.beside(at[:2])) <= OVER_MM
        over = float(trust @ (change - shared - self._field(body)) ** 2)
        return body if zone and gain > LEAST and over < EXPLAINS * used.sum() else None

    def _found(
        self, place: Candidate, change: Floats, trust: Floats, resting: Sequence[Mover]
    ) -> tuple[Body, float] | None:
        found = self._strangers.found(place, _NOT_NUMBERED, resting, Left(change, trust, trust))
        self._strangers.risen.clear()  # where a stone on the table is now a change does not say
        return None if found is None else (found[0], found[1] * AVERAGE)

    def _field(self, body: Body) -> Floats:
        out: Floats = self._model.fields(body.stones).sum(axis=0)
        return out
