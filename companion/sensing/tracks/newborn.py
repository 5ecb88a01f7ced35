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

from companion.sensing.fields.births import Births, Candidate
from companion.sensing.fields.bodies import Body, align
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.stones import Population
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.faint import Faint
from companion.sensing.tracks.movers import SEEN_GAIN, Mover, Phase
from companion.sensing.tracks.strangers import APART_MM, AVERAGE, LOW_MM, Left, Strangers, apart, level
from companion.table import BoardTime

BIRTH_SCORE: Final = 90.0
AFTER_HAND_US: Final = 250_000
FINDS_US: Final = 2_000_000
"""For so long after a gap stones are found that came unseen: one in some 80 ms, twenty at the most."""

BEYOND_GAIN: Final = 4.0 * SEEN_GAIN
FULL_EVIDENCE: Final = 250.0
"""Of a body that is seen as well as one can be; evidence is counted up to 300."""

HIGH_MM, SIDE_MM, FAR_MM, CROWDED_MM = 60.0, 5.0, 60.0, 45.0

UNSEEN_MM: Final = 20.0
FETCHED_MM: Final = 130.0
"""A stone taken from the table is seen again no farther off, measured level."""


class Newborn:
    """The births of one table's tracks."""

    def __init__(self, layout: TableLayout, sigma: Floats, population: Population) -> None:
        """sigma (S,) mT: noise of a reading; population: what stones are like."""
        self._moment, self._log_spread, _ = population
        self._layout, self._sigma = layout, sigma
        self._model = FieldModel.of(layout)
        self._births = Births(layout)
        self.strangers = Strangers(layout, sigma, population)
        self.faint = Faint(layout, sigma, Strangers(layout, sigma, population))
        self._recent: deque[Floats] = deque(maxlen=AVERAGE)
        self._busy_until: BoardTime = 0
        self._finds_until: BoardTime = 0
        self.parked: list[tuple[BoardTime, Mover]] = []
        self.gone: list[Mover] = []  # had left beside the mats: what has come is another stone
        self.next_track = 1

    def see(self, left: Floats) -> None:
        """What one frame leaves over, (S,) mT."""
        self._recent.append(left)

    def again(self) -> None:
        """The tracks have changed: what was left over before says nothing any more."""
        self._recent.clear()
        self.faint.again()

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
        left = self.strangers.left(np.mean(self._recent, axis=0), weight)
        if busy and not finding and self._all_seen(left, lost, movers):
            return None
        damp = np.minimum(1.0, np.sqrt(weight) * self._sigma)
        known = np.array([m.body.centre for m in movers]).reshape(-1, 3)
        noise = float(np.median(self._sigma)) / np.sqrt(AVERAGE)
        for c in self._births.search(left.mean * damp, noise, known, APART_MM, least=BIRTH_SCORE):
            found = self.strangers.found(c, self.next_track, movers, left)
            if found is None:
                continue
            body, gain = found
            if not busy:
                return self._begin(body, gain, t_us)
            if finding and gain > SEEN_GAIN and low_over(self._layout, body):
                return self._begin(body, gain, t_us)
            if any(apart(m, body.centre) < CROWDED_MM for m in movers):
                continue
            for m in lost:
                if gain > self._much(m) and apart(m, body.centre) > FAR_MM:
                    if m.phase is Phase.HAND and float(self._layout.beside(m.body.centre[:2])) > SIDE_MM:
                        self.gone.append(m)
                        return self._begin(body, gain, t_us)
                    if m.phase is Phase.HAND:  # what was taken for it told nothing of its moment
                        m.log_moment, m.log_sigma = float(np.log(self._moment)), self._log_spread
                    self._set(m, body, gain, t_us)
                    return m
        return None

    def _all_seen(self, left: Left, lost: Sequence[Mover], movers: Sequence[Mover]) -> bool:
        """Whether too little is left over for any of the lost to be elsewhere. What lies on the table may be seen
        higher now, by less.
        """
        least = min(self._much(m) for m in lost)
        return left.most <= least and not any(m.phase is Phase.TABLE for m in movers)

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
        hardly = m.evidence < SEEN_GAIN / 2.0 or float(c[2]) > HIGH_MM
        if hardly or float(self._layout.beside(c[:2])) > SIDE_MM:
            return max(SEEN_GAIN, 2.0 * m.evidence)
        return BEYOND_GAIN if m.evidence < FULL_EVIDENCE else float("inf")

    def _begin(self, body: Body, evidence: float, t_us: BoardTime) -> Mover:
        """A new track, or that of a parked body, which has come again."""
        parked = [e for e in self.parked if not e[1].fetched or level(e[1], body.centre) < FETCHED_MM]
        if parked:
            self.parked.remove(parked[-1])
            m = parked[-1][1]
        else:
            m = Mover(body, Phase.HAND, t_us, born_at=body.centre, held=True)
            self.next_track += 1
        self._set(m, body, evidence, t_us)
        return m

    def glimpsed_hand(self, body: Body, t_us: BoardTime) -> Mover:
        """The track of a stone in a hand that is seen too faintly to be followed; what is born next is it."""
        lost = [entry for entry in self.parked if entry[1].phase is Phase.HAND]
        m = lost[-1][1] if lost else Mover(Body((self.next_track,), body.stones), Phase.HAND, t_us, held=True)
        if lost:
            self.parked.remove(lost[-1])
        else:
            self.next_track += 1
        m.body = Body(m.body.tracks, body.stones)
        m.born_at = m.smooth = body.centre
        self.parked.append((t_us, m))
        return m

    def unseen_hand(self, near: Mover, t_us: BoardTime) -> Mover:
        """A track of a stone in a hand that must be near this body, though it is not seen; what is born next is it."""
        over = near.body.centre + np.array([0.0, 0.0, UNSEEN_MM])
        body = self.strangers.body(Candidate(over, near.body.axis, 0.0), self.next_track)
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
