"""When bodies have touched: by their tracks, and by trying whether they are one body already.

A snap closes in three to seven frames, and at its end the two fields melt into one of double moment, so that
one of the tracks runs away with both and the other with nothing. So whenever two bodies near each other look
odd, the reading is also fitted with both as one body, stone on stone, and with either of them gone; the
hypothesis that fits wins.
"""

from collections import deque
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.events.as_one import compared
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.stacks import CONTACT_MM, distances
from companion.sensing.tracks.closing import apart_all_along, left_over
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import BoardTime, Note

CONTACT_FRAMES: Final = 5
SEEN_FRAMES: Final = 6
NEAR_MM: Final = 55.0
SUSPECT_MM: Final = 26.0
AGREE_FRAMES: Final = 2
NEW_FRAMES: Final = 5
"""Until then a stone that was found by a coarse search is posed too roughly to be compared."""
SNAP_FRAMES: Final = 12
"""From when a stone begins to be drawn until two frames have agreed that it sticks."""
DRAWN_MM, FLIES_MM = 6.0, 12.0
"""In so long. Of 16 contacts of a hand's stone with a single one (eight variants of three games) the latter had come
15 mm and more, in both that were none 2 mm and less."""
CLOSE_MM: Final = 30.0
SLACK: Final = 18.0
"""One body has fewer unknowns than two and may cost that much more, where the two are tracked close together."""

PATIENCE: Final = 12
"""Looks in a row that a pair is tried in vain; after that only each RETRY_US, or a crowd would cost all the time."""

RETRY_US: Final = 35_000
"""Every fourth frame, whether it comes just before or after its time."""
FAR_PAIRS: Final = 3
"""So many of the pairs that only look odd, with their tracks apart, are tried in a frame; the others have their turn in
the next ones. A track that fades in a crowd is odd beside each stone of it, and each pair takes five fits."""

NEAR_US: Final = 200_000
"""For so long after they were near."""

GONE_SLACK: Final = 8.0
MISSED: Final = 25.0
"""By so much, five standard errors, the reading must miss the stone of a track that went faster than any hand: it may
be none. How clearly it is seen by itself does not say that: of two that stick together each explains most of both.
"""
CLOSES_MM: Final = 8.0
"""In 0.3 s (movers.trail) a snap brings stones nearer by twice as much and more."""


@dataclass(frozen=True, slots=True, eq=False)
class Contact:
    """Two bodies have touched since t_us; body: both as one; gone: chi squared by which both are there rather than one;
    doubt: "slow" where only their tracks say so, and those have hardly moved: one may have lost its stone.
    """

    a: Mover
    b: Mover
    body: Body
    t_us: BoardTime
    gone: float
    doubt: Note = ""


@dataclass(slots=True, eq=False)
class _Pair:
    gaps: deque[tuple[BoardTime, float]]
    agree: int = 0
    since: BoardTime = 0
    near_us: BoardTime = 0
    vain: int = 0
    tried_us: BoardTime = 0

    @property
    def hits(self) -> list[BoardTime]:
        """When they were as near as what touches."""
        return [t for t, gap in self.gaps if gap < CONTACT_MM]

    @property
    def closed(self) -> bool:
        """Their tracks say that they touch."""
        return len(self.hits) >= CONTACT_FRAMES

    def rests(self, t_us: BoardTime) -> bool:
        """Whether it is not tried now, having been tried in vain for long."""
        return self.vain > PATIENCE and t_us - self.tried_us < RETRY_US


class Contacts:
    """Watches the pairs of one tracker's bodies."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker
        self._pairs: dict[tuple[Mover, Mover], _Pair] = {}

    def step(self, t_us: BoardTime, measured: bool = True) -> list[Contact]:
        """Contacts that this frame has made sure of; at most one a body.

        measured: it is not filled in; that would be no second look, and halfway through a snap it is the field of
        neither two stones nor one.
        """
        out: list[Contact] = []
        used: set[Mover] = set()
        alive: dict[tuple[Mover, Mover], _Pair] = {}
        watched: list[tuple[Mover, Mover, _Pair, float]] = []
        movers = [m for m in self._tracker.movers if m.awake and m.phase not in (Phase.TABLE, Phase.AWAY)]
        gaps = distances([m.body for m in movers]) if len(movers) > 1 else []
        for i, a in enumerate(movers):
            for k, b in enumerate(movers[i + 1 :], i + 1):
                key = (a, b)
                gap = gaps[i][k]
                pair = self._pairs.get(key) or _Pair(deque(maxlen=SEEN_FRAMES))
                pair.gaps.append((t_us, gap))
                if gap < NEAR_MM:
                    pair.near_us = t_us
                alive[key] = pair
                if measured and t_us - pair.near_us <= NEAR_US:
                    watched.append((a, b, pair, gap))
        odd = {m for m in movers if _odd(m)} if watched else set()
        wait = _waiting([(pair, gap) for a, b, pair, gap in watched if _far(a, b, pair, gap, odd, t_us)])
        for a, b, pair, gap in watched:
            if pair in wait or used & {a, b}:
                continue
            contact = self._judge(a, b, pair, gap, odd, t_us)
            if contact is not None:
                out.append(contact)
                used |= {a, b}
        self._pairs = alive
        return out

    def _judge(
        self, a: Mover, b: Mover, pair: _Pair, gap: float, odd: Container[Mover], t_us: BoardTime
    ) -> Contact | None:
        if not _may_touch(a, b):
            return None
        ran = _ran(a, b)
        hits, closed = [] if ran else pair.hits, not ran and pair.closed
        suspect = closed or gap < SUSPECT_MM or a in odd or b in odd
        if not closed and (pair.rests(t_us) if suspect else not pair.agree and not pair.vain):
            return None
        if any(left_over(self._tracker, m, t_us) for m in (a, b)) or apart_all_along(a, b):
            return None
        if not suspect:
            pair.agree = pair.vain = 0
            return None
        pair.tried_us = t_us
        slack = SLACK if gap < CLOSE_MM and _may_have_snapped(a, b) else 0.0
        one, wins, gone = compared(self._tracker, a, b, slack, MISSED if ran else GONE_SLACK, closed)
        closed &= gone > GONE_SLACK
        if wins:
            if pair.agree == 0:
                pair.since = t_us
            pair.agree += 1
            pair.vain = 0
        else:
            pair.agree = 0
            pair.vain += 1
        if ran and any(m.phase is Phase.HAND and not m.told for m in (a, b)):
            return None  # two reasons to doubt that it is a stone; looks are counted until its way has told
        if pair.agree >= AGREE_FRAMES or closed:
            since = min(hits + ([pair.since] if pair.agree else []), default=t_us)
            return Contact(a, b, one, since, gone, "slow" if not wins and _still(a) and _still(b) else "")
        return None


def _may_touch(a: Mover, b: Mover) -> bool:
    both = a.phase is Phase.HAND and b.phase is Phase.HAND
    return not (both or _new(a) or _new(b))


def _ran(a: Mover, b: Mover) -> bool:
    """One of the tracks went faster than any hand."""
    return bool(a.jumped or b.jumped)


def _far(a: Mover, b: Mover, pair: _Pair, gap: float, odd: Container[Mover], t_us: BoardTime) -> bool:
    """Whether they are tried only because one of them looks odd."""
    if gap < SUSPECT_MM or not (a in odd or b in odd) or not _may_touch(a, b):
        return False
    return (_ran(a, b) or not pair.closed) and not pair.rests(t_us)


def _waiting(far: Sequence[tuple[_Pair, float]]) -> set[_Pair]:
    """Which of those have to wait: first come those that have agreed, then those not tried for longest, the nearest
    first."""
    turns = sorted(far, key=lambda each: (-each[0].agree, each[0].tried_us, each[1]))
    return {pair for pair, _ in turns[FAR_PAIRS:]}


def _odd(m: Mover) -> bool:
    """Its track looks as if it had swallowed another stone or lost its own."""
    drift = abs(m.body.log_moment - m.log_moment)
    return drift > 0.25 or m.weak_us is not None or m.misfit > 2.5


def _may_have_snapped(a: Mover, b: Mover) -> bool:
    """Not a hand's stone over one that lies still: a hand holds its own, so it is the other that jumps, from 20 mm and
    more away; or the hand has let go, and its stone comes as fast.
    """
    if not (a.single and b.single) or Phase.HAND not in (a.phase, b.phase):
        return True
    return any(came(m) > (FLIES_MM if m.phase is Phase.HAND else DRAWN_MM) for m in (a, b))


def came(m: Mover) -> float:
    """mm that it has gone in the last SNAP_FRAMES; of a track that begins, since then."""
    way = np.array(m.trail)[-SNAP_FRAMES:]
    return float(np.linalg.norm(way[-2:].mean(axis=0) - way[:2].mean(axis=0))) if len(way) > 1 else 0.0


def _new(m: Mover) -> bool:
    """A hand's stone that has only just been found: two bodies so posed explain less than one that was fitted."""
    return m.phase is Phase.HAND and m.frames < NEW_FRAMES


def _still(m: Mover) -> bool:
    """It has come from nowhere lately; one whose trail is short has just been joined, by what moved."""
    return len(m.trail) > SEEN_FRAMES and float(np.ptp(np.array(m.trail), axis=0).max()) < CLOSES_MM
