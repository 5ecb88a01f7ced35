"""Bodies that have touched become one; before a collapse is told its stones are counted again."""

from typing import Final

import numpy as np

from companion.sensing.events import approaching
from companion.sensing.events.collapses import ASK_BELOW
from companion.sensing.events.contacts import Contact
from companion.sensing.events.recheck import MARGIN, Doubt, chance, doubted, gain_of, likely
from companion.sensing.events.scene import Scene
from companion.sensing.fields.stacks import distance
from companion.sensing.tracks.clusters import join, part
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import BoardTime, Note

EARLY_GAIN: Final = 25.0
"""Of chi squared, by which a reading must miss each stone of a collapse that is told early: five standard errors. In a
stack the other stone's moment, known to a tenth, gives no more than 48 (recheck.MOMENT_SIGMA)."""

GONE_GAIN: Final = 60.0
"""A stone that lay on the board does not go without a trace: its absence must explain the reading by so much better."""

MISSED, SPREAD = 3.75, 0.6
"""Of chi squared a look, by which a hand's stone that sticks to one of the board's is missed: the median of all looks.
Of 26 true pairs (scenes, three games) it was 5.0 and more; of three that were none, where a hand had gone up from where
it pushed and its track had come to the stone that it left, 2.2 and less, though the first looks missed it by 20.
"""
LOOKS: Final = 5

REACH_MM: Final = 60.0  # farther off no stone is drawn to another
MOVES_MM: Final = 0.8  # a frame; the tracks of stones at rest do less
RUSHES_MM: Final = 1.5


def contact(scene: Scene, c: Contact, t_us: BoardTime) -> None:
    """Make the two one body, and count it to a collapse."""
    a, b = c.a, c.b
    stones = set(a.body.tracks) | set(b.body.tracks)
    in_hand = Phase.HAND in (a.phase, b.phase)
    at = 0.5 * (a.body.centre + b.body.centre)
    doubt: Note = c.doubt if scene.apart.seen(a, b) else "gap"
    if any(m.phase is Phase.HAND and not m.told for m in (a, b)):
        doubt = doubt or "brief"  # first seen as it touched: it may be what the other's own movement left over
    near = {k for o in scene.tracker.movers if distance(o.body, c.body) < REACH_MM for k in o.body.tracks}
    for m in (a, b):
        approaching.approach(scene, m)
        if m.phase is Phase.BOARD:
            scene.lain |= set(m.body.tracks)
    join(scene.tracker, a, b, c.body, t_us)
    scene.collapses.touch(c.t_us, stones, at, in_hand, doubt, near)
    scene.disturbed = True


def confirm(scene: Scene, t_us: BoardTime) -> None:
    """Before a collapse is told: is every stone of it there? One that came and left again touched none."""
    for stones in scene.collapses.ripe(t_us, lambda stones: _calm(scene, stones)):
        clusters = [m for m in scene.tracker.movers if not m.single and stones & set(m.body.tracks)]
        pair = next((m for m in clusters if len(m.body.tracks) == 2 and stones == set(m.body.tracks)), None)
        if pair is not None and stones - scene.lain:
            _look(scene, pair, stones, t_us)
            continue
        if scene.collapses.full(stones, t_us):
            p = min((_counted(scene, m, stones, t_us) for m in clusters), default=1.0)
        elif scene.collapses.held(stones, t_us):
            p = min((_likely(scene, m, stones) for m in clusters), default=1.0)
            if p < ASK_BELOW:
                continue
        else:
            p = 1.0
            if not all(_clear(scene, m, stones) for m in clusters):
                continue  # not yet so clear that it may be told early
        scene.collapses.sure(stones, p)


def _look(scene: Scene, m: Mover, stones: set[int], t_us: BoardTime) -> None:
    """A hand's stone and one of the board's: that the track of the hand's has come there is no word for it, since what
    fades high up runs to what is left over. All looks since they touched are asked, not the last one.
    """
    doubt = _doubted(scene, m, stones, -EARLY_GAIN)
    assert doubt is not None  # each of the two may go
    looks = scene.collapses.look(stones, doubt.gain)
    full = scene.collapses.full(stones, t_us)
    if len(looks) < LOOKS and not full:
        return
    missed = -float(np.median(looks))
    p = chance((missed - MISSED) / SPREAD)
    early = missed >= EARLY_GAIN / 2.0 or (p >= ASK_BELOW and scene.collapses.held(stones, t_us))
    if early or (full and p >= 1.0 - ASK_BELOW):
        scene.collapses.sure(stones, p)
    elif full:
        hands = doubted(scene.tracker, m, sorted(stones - scene.lain))
        assert hands is not None
        _take_out(scene, m, hands, t_us)


def _clear(scene: Scene, m: Mover, stones: set[int]) -> bool:
    """Whether the reading misses each of a cluster's stones clearly."""
    doubt = _doubted(scene, m, stones & set(m.body.tracks), -EARLY_GAIN)
    return doubt is None or doubt.gain <= -EARLY_GAIN


def _likely(scene: Scene, m: Mover, stones: set[int]) -> float:
    """The probability that the least missed stone of a cluster is there; where it is below ASK_BELOW, at most that."""
    tracks, p = stones & set(m.body.tracks), 1.0
    for some, margin in ((tracks - scene.lain, MARGIN), (tracks & scene.lain, GONE_GAIN)):
        p = min(p, likely(_doubted(scene, m, some, gain_of(ASK_BELOW, margin)), margin))
        if p < ASK_BELOW:
            break
    return p


def _doubted(scene: Scene, m: Mover, tracks: set[int], enough: float) -> Doubt | None:
    """One of these stones that the reading misses too little, or else the one that it misses least. It is asked frame
    after frame while a collapse is held back: the stone that was missed too little last time comes first.
    """
    doubt = doubted(scene.tracker, m, sorted(tracks), enough, scene.least_missed)
    if doubt is not None and doubt.gain > enough:
        scene.least_missed = doubt.track
    return doubt


def _counted(scene: Scene, m: Mover, stones: set[int], t_us: BoardTime) -> float:
    """Take the stones out of a cluster that the reading does not miss; the probability that the least missed of the
    others is there.
    """
    while not m.single:
        tracks = stones & set(m.body.tracks)
        new = doubted(scene.tracker, m, sorted(tracks - scene.lain))
        doubt: Doubt | None = new if new is not None and new.gain > MARGIN else None
        if doubt is None:
            old = doubted(scene.tracker, m, sorted(tracks & scene.lain))
            if old is None or old.gain <= GONE_GAIN:
                return min(likely(new, MARGIN), likely(old, GONE_GAIN))
            doubt = old
        _take_out(scene, m, doubt, t_us)
    return 1.0


def _take_out(scene: Scene, m: Mover, doubt: Doubt, t_us: BoardTime) -> None:
    """This stone of a cluster is not there: what is born next is it."""
    gone = part(scene.tracker, m, doubt.track, doubt.rest)
    scene.collapses.without(doubt.track)
    if doubt.track not in scene.lain:
        gone.phase = Phase.HAND
    scene.tracker.newborn.parked.append((t_us, gone))
    if m.single and m.phase is Phase.LIFTED and m.body.tracks[0] in scene.lain and m.high_us is None:
        m.phase = Phase.BOARD


def _calm(scene: Scene, stones: set[int]) -> bool:
    """Nothing moves near these stones that could still come to stick to them, nor do they rush by others."""
    for m in scene.tracker.movers:
        if not stones & set(m.body.tracks):
            continue
        for o in scene.tracker.movers:
            if o is m or o.phase in (Phase.TABLE, Phase.AWAY) or distance(m.body, o.body) > REACH_MM:
                continue
            if (o.awake and _speed(o) > MOVES_MM) or _speed(m) > RUSHES_MM:
                return False
    return True


def _speed(m: Mover) -> float:
    return float(np.linalg.norm(m.velocity))
