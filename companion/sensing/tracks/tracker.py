"""From readings to tracks: who is where in each frame. What that means is decided in companion.sensing.events.life.

Only bodies in motion (and their neighbours) are solved each frame, the fields of the others are kept. What is
left over at rest - errors of offsets, gains and shapes - is learned into `bare` (no stone near) and `extra`
(owned by the resting body next to it, forgotten when that moves away; its rows are trusted less, `scar`,
until they are learned anew), so that a new stone stands out.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.lying import Lying
from companion.sensing.fields.magnets import length
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.fields.stones import POPULATION, StoneSet
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.asleep import lying_cluster, lying_prior
from companion.sensing.tracks.bumped import Bumped
from companion.sensing.tracks.crosstalk import Crosstalk
from companion.sensing.tracks.dark import dark_at, half_blind, place_errors
from companion.sensing.tracks.fallen import Fallen, table_prior
from companion.sensing.tracks.fetching import Fetching
from companion.sensing.tracks.identity import Identity
from companion.sensing.tracks.leftovers import Leftovers
from companion.sensing.tracks.lies import Lies
from companion.sensing.tracks.movers import LIFT_MM, Mover, Phase
from companion.sensing.tracks.needed import needed
from companion.sensing.tracks.newborn import Newborn
from companion.sensing.tracks.sleepers import NEAR_HAND_MM, Sleepers
from companion.sensing.tracks.together import Solved, Together, over
from companion.table import BoardTime

SLEEP_S: Final = 0.30
FREEZE_US: Final = 100_000
"""A multiplexer that is missing for some frames only stops no stone that slides."""
BIRTH_EVERY: Final = 3


class Tracker:
    """All bodies of one table."""

    def __init__(self, layout: TableLayout, sigma: Floats, stones: StoneSet | None = None) -> None:
        """sigma (S,) mT: noise of a reading; stones: the learned set that is played with."""
        self.layout, self.sigma = layout, sigma
        self.movers: list[Mover] = []
        self.leftovers = Leftovers(layout)
        self.residual = np.zeros(layout.count)
        self.sharp = np.zeros(layout.count)
        self.weight = np.ones(layout.count)
        self.model = FieldModel.of(layout)
        self._fields: deque[Floats] = deque(maxlen=24)
        self._frame = 0
        self._quiet_frames = 0
        self.population = POPULATION if stones is None else (*stones.moment, stones.shape)
        self.newborn = Newborn(layout, sigma, self.population)
        self.fallen = Fallen(layout, sigma)
        self.fetching = Fetching(layout, sigma)
        self.identity = Identity(stones)
        self.crosstalk = Crosstalk(layout)
        self.bumped = Bumped(layout)
        self._lain = Lying(layout, stones)
        self.known: dict[int, float] = {}  # log moment of each stone, as it was when it was last single
        self.handled: set[int] = set()  # tracks on the board that a hand still holds (life tells)
        self._sleepers = Sleepers(layout)
        self._lies = Lies(self.model)
        self._together = Together(layout, self.model, self.prior, self.floor)
        self._explained = np.zeros(layout.count)  # by all bodies
        self.taken: Mover | None = None  # a stone that fell, and that a hand takes up in this frame
        self.glimpsed: Body | None = None  # a stone in a hand that this frame has shown, too faint to be followed

    # ------------------------------------------------------------------ a frame
    def step(
        self, t_us: BoardTime, field: Floats, valid: Bools, doubt: Floats | None = None, measured: bool = True
    ) -> None:
        """Take one reading: field (S,) mT, valid (S,); doubt (S,): mT^2 of variance besides the noise; measured: it is
        not filled in (companion.sensing.between).
        """
        self._frame += 1
        clean = np.where(valid, self.leftovers.taken_from(field), 0.0)
        spread = self.sigma**2 + self.leftovers.scar + (self.layout.gain_spread * (field - self.leftovers.bare)) ** 2
        if doubt is not None:
            spread += doubt
        self.sharp = np.where(valid, 1.0 / spread, 0.0)
        active = [m for m in self.movers if m.awake]
        loose = self._lies.loose(active)
        spread += self.leftovers.spread(loose)
        weight = np.where(valid, 1.0 / spread, 0.0)
        self._fields.append(clean)
        self._sleepers.see([m for m in self.movers if not m.awake])
        clean = clean - self._sleepers.field
        self._aside(active)
        found = self._lies.solved(self._together, loose, active, clean, weight, t_us)
        whole = bool(valid.all())
        for m in active:
            one = found.get(m) or Solved(m.body, m.kept)
            if not whole and m in found and half_blind(self.layout, one.body.centre[:2], valid):
                m.blur_mm = float(place_errors(self.model, one.body, weight).max())
            else:
                m.blur_mm = 0.0
            m.follow(one.body, t_us, measured)
            m.kept, m.misfit = one.kept, one.misfit
        left = over(active, {}, clean)
        self._aside(active)
        self._explained = self._sleepers.field + clean - left
        left = np.where(valid, left, 0.0)  # nothing is left over, or learned, where nothing is measured
        self.residual, self.weight = left, weight
        self.leftovers.share(left, weight * self.sigma**2)
        self.newborn.see(left)
        self.glimpsed = self.newborn.faint.see(self.movers, left, self.leftovers.learned, valid)
        for m, gain in zip(active, needed(self.layout, self.model, active, left, weight, t_us), strict=True):
            m.judge(gain, self.population, t_us)
        self.fallen.see(self.movers, left, weight, t_us)
        self.taken = self.fetching.see(self.movers, field, valid, t_us)
        if self.taken is not None:
            self.movers.append(self.taken)
        self._wake(left, weight, t_us)
        if self._frame % BIRTH_EVERY == 0:
            self._birth(t_us, weight)
        self._learn(t_us, valid)

    def expected(self) -> Floats:
        """What sensors (S,) should show if all is as in the frame before, mT."""
        return self.leftovers.added_to(self._explained)

    def floor(self, m: Mover) -> float:
        """No centre of a stone of this body can be lower, mm over the mats."""
        return 2.0 if self.beside(m) <= 0.0 else -self.layout.table_below + 2.0

    def beside(self, m: Mover) -> float:
        """mm from the mats to the body's centre, measured level."""
        if m.aside is None or m.aside[0] is not m.body:
            self._aside([m])
        assert m.aside is not None
        return m.aside[1]

    def dark(self, m: Mover) -> bool:
        """Whether it is over the board where no sensor sees any more."""
        return dark_at(self.layout, m.body.centre[:2], self.weight > 0.0) and self.beside(m) <= 0.0

    def blurred(self, m: Mover) -> bool:
        """Whether by those farther off, too, nobody could tell if it has been lifted."""
        return self.dark(m) and float(place_errors(self.model, m.body, self.weight)[2]) > LIFT_MM / 3.0

    def _aside(self, movers: Sequence[Mover]) -> None:
        """Work out for all of them what `beside` tells."""
        moved = [m for m in movers if m.aside is None or m.aside[0] is not m.body]
        if moved:
            away = self.layout.beside([m.body.centre[:2] for m in moved]).tolist()
            for m, mm in zip(moved, away, strict=True):
                m.aside = (m.body, mm)

    def prior(self, m: Mover) -> Prior:
        """What is known of it before the next frame."""
        if m.phase is Phase.TABLE:
            return table_prior(self.layout, m, m.ahead, 12.0)
        return m.prior()

    # ------------------------------------------------------------------ wake and sleep
    def _wake(self, left: Floats, weight: Floats, t_us: BoardTime) -> None:
        hands = [m.body.centre for m in self.movers if m.carried]
        for m in self._sleepers.stirred(left, weight, hands):
            if m.phase is Phase.TABLE:
                continue
            m.awake, m.pinned, m.loose = True, m.lain is not None, 0
            m.velocity = np.zeros(3)
            m.anchor, m.still_us = m.smooth.copy(), t_us
            m.evidence = 300.0

    def _learn(self, t_us: BoardTime, valid: Bools) -> None:
        moving = [m for m in self.movers if (m.awake and (m.told or m.phase is not Phase.HAND)) or self.fallen.falls(m)]
        whole = bool((self.weight > 0.0).all())
        for m in [m for m in self.movers if m.awake]:
            if m.rested is not None and length(m.rested - m.smooth) > 3.0:
                self.leftovers.forget(m)
            if not whole and m.phase is Phase.BOARD and self.blurred(m):
                m.unseen = m.unseen or (t_us, m.body)
                if t_us - m.unseen[0] >= FREEZE_US:
                    self._freeze(m, m.unseen[1])
                continue
            m.unseen = None
            if m.phase is not Phase.BOARD or not m.still(t_us) > SLEEP_S:
                continue
            if any(k in self.handled for k in m.body.tracks):
                continue
            hands = [o for o in moving if o is not m and (o.phase is not Phase.BOARD or o.still(t_us) < SLEEP_S)]
            near = NEAR_HAND_MM + 8.0
            carried = [o for o in hands if o.phase is not Phase.TABLE]
            if not any(length(o.body.centre - m.body.centre) < near for o in carried):
                self._rest(m, t_us, valid, valid & self.leftovers.calm(hands))
        self.leftovers.heal(self.residual, moving)
        if moving:
            self._quiet_frames = 0
            return
        self._quiet_frames += 1
        self.leftovers.quiet(self.residual, self._quiet_frames > 20)

    def _freeze(self, m: Mover, body: Body) -> None:
        """No sensor sees it any more: it stays where it was when that began, as this body."""
        m.body, m.kept = body, self.model.fields(body.stones).sum(0)
        m.awake, m.pinned, m.velocity = False, False, np.zeros(3)
        m.smooth = m.rested = m.body.centre
        m.relaid, m.unseen = False, None
        self.own()
        self.newborn.again()

    def _rest(self, m: Mover, t_us: BoardTime, valid: Bools, calm: Bools) -> None:
        """Solve it once more on the mean of the last frames, then keep its field, and where it is calm what is left."""
        mean, weight = self.shown(m, valid)
        prior = lying_prior(m, self.beside(m) <= 0.0)
        if m.single:
            by_weight = self.identity.by_weight(m.body.tracks[0])
            lain = self._lain.fit(m.body, prior, mean, weight, self.floor(m), self.beside(m) <= 0.0, by_weight)
            body, floor = lain.found.bodies[0], self.floor(m)
            self.crosstalk.lain(
                mean,
                valid,
                lambda field: fit(self.layout, [body], [prior], field, weight, limit=4, floors=[floor]).cost,
            )
            self.identity.keep(k for o in self.movers for k in o.body.tracks)
            if lain.likelihood is not None:
                self.identity.seen(m.body.tracks[0], lain.likelihood)
        else:
            body = lying_cluster(self.layout, m.body, self.known, prior, mean, weight, self.floor(m))
        m.body = body
        if m.single:
            m.log_moment, m.log_sigma = float(np.log(m.body.moment)), 0.05
            others = [o for o in self.movers if o is not m]
            self.bumped.lain(m, others, mean, self.sigma**2 / 4.0 + self.leftovers.scar, valid)
        m.awake, m.velocity = False, np.zeros(3)
        m.smooth = m.body.centre
        if m.rested is not None and float(np.linalg.norm(m.rested - m.body.centre)) > 2.0:
            self.leftovers.forget(m)
        m.rested, m.relaid = m.body.centre, False
        m.lain, m.lain_us, m.pinned = m.body if m.single else None, t_us, False
        m.kept = self.model.fields(m.body.stones).sum(0)
        self.own()
        change = self.leftovers.rest(m, mean - m.kept, calm)
        for past in self._fields:
            past -= change
        self.newborn.again()

    def shown(self, m: Mover, valid: Bools) -> tuple[Floats, Floats]:
        """What m alone showed in the last frames: the mean (S,) mT, and its weight (S,) 1/mT2."""
        mean = np.mean(self._fields, axis=0)
        for o in self.movers:
            if o is not m:
                mean = mean - o.kept
        spread = self.sigma**2 / 4.0 + self._lain.variance((mean + m.kept) / 2.0, m.single)
        return mean, np.where(valid, 1.0 / spread, 0.0)

    def own(self) -> None:
        """Which sensors belong to which resting body, after a change of either."""
        self.leftovers.own([m for m in self.movers if m.rested is not None and not m.awake])

    # ------------------------------------------------------------------ births, ends, joins
    def blind(self, t_us: BoardTime) -> None:
        """A gap ends now in which anything may have happened."""
        self.newborn.blind(t_us)
        self.fetching.again()

    def _birth(self, t_us: BoardTime, weight: Floats) -> None:
        m = self.newborn.find(self.movers, bool(self.handled), weight, t_us)
        while self.newborn.strangers.risen:
            self.fallen.rises(self.newborn.strangers.risen.pop())
        for gone in self.newborn.gone:
            if gone in self.movers:
                self.drop(gone)
        if m is not None and m not in self.movers:
            self.movers.append(m)

    def lay(self, m: Mover, t_us: BoardTime) -> None:
        """It has come to rest on the table; its track ends where nothing is seen of it there."""
        if self.fallen.lay(m, self.weight):
            self.own()
            self.newborn.again()
        else:
            self.fetching.lost(m, t_us)
            self.drop(m)

    def park(self, m: Mover, t_us: BoardTime) -> None:
        """Its field is lost, though it has not been seen leaving: what is born next is this body again."""
        self.drop(m)
        self.newborn.parked.append((t_us, m))

    def drop(self, m: Mover) -> None:
        """End a track."""
        if m.rested is not None:
            self.leftovers.forget(m)
        self.movers.remove(m)
        self.own()
