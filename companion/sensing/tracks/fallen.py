"""Stones on the table beside the mats: where each has come to lie, and whether it still lies there.

Such a stone gives a sensor some tenths of a mT at most, so a frame says little of where it is: followed from frame to
frame its track trembles until it is lost, and then its field is learned as drift, or is taken for the next stone. But
on the table its height is known and it does not move by itself. So it is fitted once, on the median of what was seen
while it came to rest, and from then on only two things are possible: it lies there, or a hand has taken it. The ratio
of their likelihoods tells them apart within a few frames.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from companion.sensing.fields.births import Births
from companion.sensing.fields.bodies import Body, align
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.prior import FLAT_HEIGHT, UPRIGHT_HEIGHT, Prior
from companion.sensing.fields.solver import fit
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import BoardTime

ROLLS_US: Final = 150_000
"""From the edge down to the table, and until it has come to rest there."""
FRAMES: Final = 25
"""Of which the median is fitted."""
FEWEST: Final = 5
FITS: Final = 3
"""At first the hand is often still near; later ones know better."""
AT_LAST_US: Final = 8_000_000
NEAR_MM: Final = 80.0
"""Of what moves so near more is left over than the fallen stone gives."""
FOLLOWS_ANOTHER: Final = 3.0
"""Chi squared a row: a track that misfits so much, over the mats, follows another stone."""
BESIDE_MM: Final = 2.0
"""A stone that lies on the table lies beside the mats, by half its width or nearly."""
REACH_MM: Final = 70.0
"""So far from where it was last seen a stone comes to lie."""
LIES_GAIN: Final = 60.0
"""In chi squared, of the median's, by assuming it there: eight standard errors."""
SEEN: Final = 4.0
"""In chi squared a frame; fainter ones cannot be watched."""
TAKEN: Final = 0.3
"""Its evidence is +1 while it lies there and -1 when it has gone, in units of what its field is worth."""
SNAPS_MM: Final = 28.0
"""So near to each other no two stones lie."""
FASTEST, SLOWEST, FULL = 0.35, 0.05, 100.0
"""Share of a frame in the running mean of the evidence, and what a field is worth that has the largest."""

_TURN: Final = 2.0


def table_prior(layout: TableLayout, m: Mover, place: Floats, sigma_mm: float) -> Prior:
    """Of a stone that lies on the table or falls on it, at place (3,) mm or near."""
    flat, upright = FLAT_HEIGHT[0], UPRIGHT_HEIGHT[0]
    height = 0.5 * (flat + upright) - layout.table_below
    sigma = np.array([sigma_mm, sigma_mm, 0.5 * (upright - flat)])
    return Prior(np.array([place[0], place[1], height]), sigma, _TURN, m.log_moment, max(m.log_sigma, 0.2))


@dataclass(slots=True)
class _Watch:
    """Of one stone. since_us: when it left the board; seen: (S,) mT of each frame since it came to rest, while it is to
    be fitted; lies: it has been fitted; fits: how often; worth: of its field, running mean of chi squared a frame;
    moved: it is seen elsewhere.
    """

    since_us: BoardTime
    seen: list[Floats] = field(default_factory=list)
    lies: bool = False
    fits: int = 0
    worth: float = 0.0
    moved: bool = False


@dataclass(slots=True)
class Fallen:
    """The stones on the table beside one board (Phase.TABLE); asleep once it is known where they lie."""

    layout: TableLayout
    sigma: Floats
    _births: Births | None = None
    _watched: dict[Mover, _Watch] = field(default_factory=dict)

    def see(self, movers: list[Mover], left: Floats, weight: Floats, t_us: BoardTime) -> None:
        """Take a frame: what all bodies leave over, left (S,) mT with weight (S,) 1/mT2."""
        here = [m for m in movers if m.phase is Phase.TABLE]
        for gone in self._watched.keys() - set(here):
            del self._watched[gone]
        for m in here:
            watch = self._watched.get(m)
            if watch is None:
                watch = self._watched[m] = _Watch(t_us)
            if watch.lies:
                self._watch(m, watch, left, weight, t_us)
                if watch.fits < FITS and m.weak_us is None and _calm(m, movers):
                    watch.seen.append(left + m.kept)
            elif self._astray(m) if m.awake else _worse(m, left, weight):
                self._hold(m, left + m.kept, weight)
            if not watch.lies:
                m.weak_us = m.weak_us or t_us
                if t_us - watch.since_us >= ROLLS_US and _calm(m, movers):
                    watch.seen.append(left + m.kept)

    def _astray(self, m: Mover) -> bool:
        """Its track is lost, or has run to something else."""
        over = m.misfit > FOLLOWS_ANOTHER and float(self.layout.beside(m.body.centre[:2])) <= 0.0
        return m.weak_us is not None or over

    def _hold(self, m: Mover, shown: Floats, weight: Floats) -> None:
        """Until it is known where it lies it is held where this frame has it."""
        m.awake, m.rested, m.kept = False, None, np.zeros(self.layout.count)
        found = self._fit(m, shown, weight)
        if found is not None and found[2] > FULL:
            m.body, m.kept = found[:2]

    def _watch(self, m: Mover, watch: _Watch, left: Floats, weight: Floats, t_us: BoardTime) -> None:
        worth = float((m.kept * m.kept) @ weight)
        rate = min(max(worth / FULL, SLOWEST), FASTEST)
        watch.worth += rate * (worth - watch.worth)
        m.evidence += rate * (worth + 2.0 * float((m.kept * left) @ weight) - m.evidence)
        m.weak_us = None if m.evidence > 0.5 * watch.worth else (m.weak_us or t_us)

    def falls(self, m: Mover) -> bool:
        """Whether it is not known where it lies; or, of one that is clearly seen, whether it still does.

        What is left over may then be its field, and is not to be learned.
        """
        watch = self._watched.get(m)
        if m.phase is not Phase.TABLE or watch is None or not watch.lies:
            return m.phase is Phase.TABLE
        return m.weak_us is not None and watch.worth > FULL

    def may_be_one(self, m: Mover, movers: list[Mover]) -> bool:
        """Whether what seems to be put down on the table, m, lies where one that fell may, whose place is not known.

        A hand that has pushed a stone over the edge goes up and is lost from sight, and its track goes on to what that
        one shows. Two stones so near would not lie apart.
        """
        falls = [o for o in movers if o is not m and o.phase is Phase.TABLE and o in self._watched]
        return any(
            not self._watched[o].lies and float(np.linalg.norm((o.body.centre - m.body.centre)[:2])) < REACH_MM
            for o in falls
        )

    def takes_away(self, m: Mover, movers: list[Mover]) -> Mover | None:
        """The stone that lay on the table and has been taken, where the hand's track, m, seems to be put down by it.

        What is missed of the one looks like another with its poles turned; two stones so near would not lie apart.
        """
        lie = [o for o in movers if o is not m and o in self._watched and self._watched[o].lies]
        return next((o for o in lie if float(np.linalg.norm(o.body.centre - m.body.centre)) < SNAPS_MM), None)

    def landed(self, m: Mover, t_us: BoardTime) -> bool:
        """Whether it has had the time to come to rest, or to be fitted better."""
        watch = self._watched.get(m)
        if watch is None:
            return False
        return len(watch.seen) >= FRAMES or (not watch.lies and t_us - watch.since_us >= AT_LAST_US)

    def taken(self, m: Mover) -> bool:
        """Whether a stone that lay there does so no more."""
        watch = self._watched.get(m)
        return watch is not None and watch.lies and (watch.moved or m.evidence < -TAKEN * watch.worth)

    def rises(self, m: Mover) -> None:
        """It has been seen to move."""
        self._watched[m].moved = True

    def lay(self, m: Mover, weight: Floats) -> bool:
        """Find where it lies, and pose it there asleep. weight (S,) 1/mT2 of a frame. False: nothing is seen of it."""
        watch = self._watched[m]
        watch.fits += 1
        if len(watch.seen) < FEWEST:
            return False
        found = self._fit(m, np.median(watch.seen, axis=0), weight)
        if found is None:
            watch.seen = []
            return watch.lies
        body, own, worth = found
        m.body, m.kept, m.awake, m.velocity = body, own, False, np.zeros(3)
        m.smooth = m.anchor = m.rested = body.centre
        m.evidence = watch.worth = worth
        m.weak_us = None
        watch.lies, watch.seen = True, []
        return True

    def _fit(self, m: Mover, shown: Floats, weight: Floats) -> tuple[Body, Floats, float] | None:
        """Where on the table it gives what is shown, (S,) mT; its field there, and what that is worth a frame. None: it
        is not seen.
        """
        spread = self.sigma**2 / 4.0 + (self.layout.gain_spread * shown) ** 2
        w = np.where(weight > 0.0, 1.0 / spread, 0.0)
        floor = 2.0 - self.layout.table_below
        starts = [m.body, *(self._at(m, shown, w) if m.single else ())]
        fits = [
            fit(self.layout, [b], [table_prior(self.layout, m, b.centre, 15.0)], shown, w, limit=12, floors=[floor])
            for b in starts
        ]
        body = min(fits, key=lambda found: found.cost).bodies[0]
        own = FieldModel.of(self.layout).fields(body.stones).sum(0)
        gain = float((w * (shown**2 - (shown - own) ** 2)).sum())
        worth = float((own * own) @ weight)
        if gain < LIES_GAIN or worth < SEEN or float(self.layout.beside(body.centre[:2])) < BESIDE_MM:
            return None
        return body, own, worth

    def _at(self, m: Mover, mean: Floats, weight: Floats) -> list[Body]:
        """The stone at the places beside the mats that fit best."""
        if self._births is None:
            self._births = Births(self.layout, (5.0 - self.layout.table_below,), BESIDE_MM)
        noise = float(np.median(self.sigma)) / 2.0
        damp = np.minimum(1.0, np.sqrt(weight) * noise)
        out = []
        for c in self._births.search(mean * damp, noise, np.zeros((0, 3)), 0.0):
            if float(np.linalg.norm((c.place - m.body.centre)[:2])) < REACH_MM:
                turn = align(m.body.axis, c.moment / np.linalg.norm(c.moment))
                out.append(m.body.moved(np.concatenate([c.place - m.body.centre, turn, [0.0]])))
        return out


def _worse(m: Mover, left: Floats, weight: Floats) -> bool:
    """Held where a frame had it in which more was near, it explains this one worse than nothing does."""
    return float((m.kept * (m.kept + 2.0 * left)) @ weight) < 0.0


def _calm(m: Mover, movers: list[Mover]) -> bool:
    """Nothing moves near."""
    moving = [o for o in movers if o.awake and (o.carried or o.runs)]
    return not any(float(np.linalg.norm((o.body.centre - m.body.centre)[:2])) < NEAR_MM for o in moving)
