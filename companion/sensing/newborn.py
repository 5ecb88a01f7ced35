"""When what is left over is a stone that has no track: at most one unknown stone is in a hand at a time.

While a stone is carried, anything else that seems to come is most likely its ghost, so nothing is born. But a
carried stone that is hardly seen (beside the mats, high up) and a stone that is clearly seen elsewhere are one
and the same: it has moved faster than its track could follow, and the track is set to where it is.

After a gap in which stones may have been put down unseen, what lies on the board is born whatever hands do.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.births import Births, Candidate
from companion.sensing.bodies import Body, align
from companion.sensing.dipole import FieldModel
from companion.sensing.fallen import Seen, seen_beside
from companion.sensing.layout import Floats, TableLayout
from companion.sensing.movers import Mover, Phase
from companion.sensing.prior import Prior
from companion.sensing.solver import Fit, fit
from companion.sensing.stones import Population
from companion.table import BoardTime

AVERAGE: Final = 6
BIRTH_SCORE: Final = 90.0
BIRTH_GAIN: Final = 45.0
APART_MM: Final = 28.0
MISFIT: Final = 1.8
MISFIT_MM: Final = 120.0
AFTER_HAND_US: Final = 250_000
FINDS_US: Final = 2_000_000
"""For so long after a gap stones are found that came unseen: one in some 80 ms, twenty at the most."""

CLEAR_GAIN: Final = 100.0
"""Evidence a frame of a stone that is clearly seen: 50 mm over the mats; beside the mats or at 70 mm it has less."""

BEYOND_GAIN: Final = 4.0 * CLEAR_GAIN
FULL_EVIDENCE: Final = 250.0
"""Of a body that is seen as well as one can be; evidence is counted up to 300."""

LOW_MM: Final = 9.0
HIGH_MM, SIDE_MM, FAR_MM, CROWDED_MM = 60.0, 5.0, 60.0, 45.0

UNSEEN_MM: Final = 20.0
FALLEN_MM: Final = 60.0
FETCHED_MM: Final = 130.0
"""A stone taken from the table is seen again no farther off, measured level."""


class Newborn:
    """The births of one table's tracks."""

    def __init__(self, layout: TableLayout, sigma: Floats, population: Population) -> None:
        """sigma (S,) mT: noise of a reading; population: what stones are like."""
        self._moment, self._log_spread, self._shape = population
        self._layout, self._sigma = layout, sigma
        self._model = FieldModel.of(layout)
        self._births = Births(layout)
        self._recent: deque[Floats] = deque(maxlen=AVERAGE)
        self._busy_until: BoardTime = 0
        self._finds_until: BoardTime = 0
        self.parked: list[tuple[BoardTime, Mover]] = []
        self.gone: list[Mover] = []  # had left beside the mats: what has come is another stone
        self.risen: list[Mover] = []  # lay on the table, and are seen higher now
        self.next_track = 1

    def see(self, left: Floats) -> None:
        """What one frame leaves over, (S,) mT."""
        self._recent.append(left)

    def again(self) -> None:
        """The tracks have changed: what was left over before says nothing any more."""
        self._recent.clear()

    def blind(self, t_us: BoardTime) -> None:
        """A gap ends now in which anything may have happened."""
        self._finds_until = t_us + FINDS_US
        self.again()

    def unseen(self, m: Mover) -> bool:
        """It may have come in a gap."""
        return m.born_us < self._finds_until and low_over(self._layout, m.body)

    def finding(self, t_us: BoardTime) -> bool:
        """Whether a gap has just been."""
        return t_us < self._finds_until

    def find(self, movers: Sequence[Mover], handled: bool, weight: Floats, t_us: BoardTime) -> Mover | None:
        """A track that begins (not among movers yet) or that was set elsewhere (one of them); None: neither.

        handled: a stone on the board is still held; weight (S,) 1/mT2 of one frame.
        """
        busy = self._hand_busy(movers, handled, t_us)
        if len(self._recent) < AVERAGE:
            return None
        carried = [m for m in movers if m.carried and m.single] if busy else []
        lost = [m for m in carried if self._much(m) < np.inf]
        finding = self.finding(t_us)
        if busy and not lost and not finding:
            return None
        mean = np.mean(self._recent, axis=0)
        if busy and not finding and self._all_seen(mean, self._trust(weight), lost, movers):
            return None
        damp = np.minimum(1.0, np.sqrt(weight) * self._sigma)
        known = np.array([m.body.centre for m in movers]).reshape(-1, 3)
        noise = float(np.median(self._sigma)) / np.sqrt(AVERAGE)
        for c in self._births.search(mean * damp, noise, known, APART_MM, least=BIRTH_SCORE):
            found = self._try(c, movers, mean, weight)
            if found is None:
                continue
            body, gain = found
            if self._may_be_fallen(body, movers, mean, weight):
                continue
            if not busy:
                return self._begin(body, gain, t_us)
            if finding and gain > CLEAR_GAIN and low_over(self._layout, body):
                return self._begin(body, gain, t_us)
            if any(_apart(m, body.centre) < CROWDED_MM for m in movers):
                continue
            for m in lost:
                if gain > self._much(m) and _apart(m, body.centre) > FAR_MM:
                    if m.phase is Phase.HAND and float(self._layout.beside(m.body.centre[:2])) > SIDE_MM:
                        self.gone.append(m)
                        return self._begin(body, gain, t_us)
                    if m.phase is Phase.HAND:  # what was taken for it told nothing of its moment
                        m.log_moment, m.log_sigma = float(np.log(self._moment)), self._log_spread
                    self._set(m, body, gain, t_us)
                    return m
        return None

    def _all_seen(self, mean: Floats, trust: Floats, lost: Sequence[Mover], movers: Sequence[Mover]) -> bool:
        """Whether too little is left over for any of the lost to be elsewhere: no stone there could gain more than all
        of it. What lies on the table may yet have been seen higher up, by less.
        """
        least = min(self._much(m) for m in lost)
        most = float(trust @ (mean * mean)) / AVERAGE
        return most <= least and not any(m.phase is Phase.TABLE for m in movers)

    def _trust(self, weight: Floats) -> Floats:
        """Weight (S,) 1/mT2 of the mean of AVERAGE frames: only their noise is less. weight: of one frame."""
        noise = self._sigma**2 * (1 - 1 / AVERAGE)
        out: Floats = np.where(weight > 0.0, 1.0 / (1.0 / np.maximum(weight, 1e-9) - noise), 0.0)
        return out

    def _hand_busy(self, movers: Sequence[Mover], handled: bool, t_us: BoardTime) -> bool:
        carried = any(m.carried for m in movers)
        rising = any(m.phase is Phase.BOARD and m.awake and m.low_us is None for m in movers)
        if handled or carried or rising:
            self._busy_until = t_us + AFTER_HAND_US
        return t_us < self._busy_until

    def _much(self, m: Mover) -> float:
        """Evidence a frame, elsewhere, from which on the track of the carried stone m has stayed behind.

        Where it is hardly seen, twice its own is enough; where it seems to be seen, it must be what no leftover shows.
        """
        c = m.body.centre
        far = float(c[2]) > HIGH_MM or float(self._layout.beside(c[:2])) > SIDE_MM
        if far or m.evidence < CLEAR_GAIN / 2.0:
            return max(CLEAR_GAIN, 2.0 * m.evidence)
        return BEYOND_GAIN if m.evidence < FULL_EVIDENCE else float("inf")

    def _try(self, c: Candidate, movers: Sequence[Mover], mean: Floats, weight: Floats) -> tuple[Body, float] | None:
        """The stone there and its evidence a frame, if it is one."""
        body = Body((self.next_track,), c.magnets(self._moment, self._shape))
        prior = Prior(c.place, np.array([25.0, 25.0, 25.0]), 2.0, float(np.log(self._moment)), self._log_spread)
        w = self._trust(weight)
        body = fit(self._layout, [body], [prior], mean, w, limit=12).bodies[0]
        own = self._model.fields(body.stones).sum(0)
        gain = float((w * (mean**2 - (mean - own) ** 2)).sum())
        at = body.centre
        if gain < BIRTH_GAIN or at[2] > 85.0 or float(self._layout.beside(at[:2])) > 32.0:
            return None
        if at[2] < LOW_MM and gain / AVERAGE < CLEAR_GAIN:
            return None  # so low a stone is seen well
        for m in movers:
            if _apart(m, at) < 0.8 * APART_MM:
                return None
            odd = m.phase is Phase.BOARD and m.awake and (not m.single or m.misfit > MISFIT)
            if odd and _apart(m, at) < MISFIT_MM and not self._both(m, body, mean, w):
                return None  # what is left over belongs to a body that is not understood yet
        return body, gain / AVERAGE

    def _both(self, m: Mover, body: Body, mean: Floats, weight: Floats) -> bool:
        """Whether the newborn stone is there beside the single stone m, rather than m having moved there."""
        if not m.single:
            return False
        both, alone = self._two_or_one(m, body, mean, weight)
        here = both.bodies[0].centre
        return alone.cost - both.cost > CLEAR_GAIN and float(np.linalg.norm(here - m.body.centre)) < 10.0

    def _two_or_one(self, m: Mover, body: Body, mean: Floats, weight: Floats) -> tuple[Fit, Fit]:
        """Fits of what the single stone m shows and what is left over: by it and the newborn, by the newborn alone."""
        c = m.body.centre
        prior = Prior(c, np.full(3, 6.0), 0.5, m.log_moment, 0.1)
        new = Prior(body.centre, np.full(3, 10.0), 1.0, float(np.log(self._moment)), self._log_spread)
        target = mean + m.kept
        both = fit(self._layout, [m.body, body], [prior, new], target, weight, limit=8)
        return both, fit(self._layout, [body], [new], target, weight, limit=8)

    def _may_be_fallen(self, body: Body, movers: Sequence[Mover], mean: Floats, weight: Floats) -> bool:
        """Near a stone that lies on the table, or beside the mats near one that falls to it, it may be that one."""
        over = float(self._layout.beside(body.centre[:2])) <= 0.0
        near = [m for m in movers if m.phase is Phase.TABLE and _level(m, body.centre) < FALLEN_MM]
        for m in near:
            if over and (m.awake or m.rested is None):
                continue  # it is not known where it lies
            if over or m.weak_us is None:
                new = Prior(body.centre, np.full(3, 10.0), 1.0, float(np.log(self._moment)), self._log_spread)
                seen = seen_beside(self._layout, m, body, new, mean + m.kept, weight)
                if seen is Seen.BOTH:
                    continue
                if seen is Seen.RISEN:
                    self.risen.append(m)
                return True
        return not over and any(m.weak_us is not None for m in near)

    def _begin(self, body: Body, evidence: float, t_us: BoardTime) -> Mover:
        """A new track, or that of a parked body, which has come again."""
        parked = [e for e in self.parked if not e[1].fetched or _level(e[1], body.centre) < FETCHED_MM]
        if parked:
            self.parked.remove(parked[-1])
            m = parked[-1][1]
        else:
            m = Mover(body, Phase.HAND, t_us, born_at=body.centre, held=True)
            self.next_track += 1
        self._set(m, body, evidence, t_us)
        return m

    def unseen_hand(self, near: Mover, t_us: BoardTime) -> Mover:
        """A track of a stone in a hand that must be near this body, though it is not seen; what is born next is it."""
        over = near.body.centre + np.array([0.0, 0.0, UNSEEN_MM])
        body = Body((self.next_track,), Candidate(over, near.body.axis, 0.0).magnets(self._moment, self._shape))
        m = Mover(body, Phase.HAND, t_us, born_at=over, smooth=over, held=True)
        self.next_track += 1
        self.parked.append((t_us, m))
        return m

    def _set(self, m: Mover, body: Body, evidence: float, t_us: BoardTime) -> None:
        """Pose a track where the newborn stone is."""
        turn = align(m.body.axis, body.axis)
        m.set(m.body.moved(np.concatenate([body.centre - m.body.centre, turn, [0.0]])), t_us)
        if not m.told:
            m.born_us, m.born_at = t_us, m.body.centre
        m.evidence = min(evidence, 300.0)
        m.kept = self._model.fields(m.body.stones).sum(0)
        self._recent.clear()


def low_over(layout: TableLayout, body: Body) -> bool:
    """Over a mat, no higher than a stone that lies there."""
    return float(body.centre[2]) < LOW_MM and float(layout.beside(body.centre[:2])) <= 0.0


def _level(m: Mover, place: Floats) -> float:
    return float(np.linalg.norm((m.body.centre - place)[:2]))


def _apart(m: Mover, place: Floats) -> float:
    return float(np.linalg.norm(m.body.centre - place))
