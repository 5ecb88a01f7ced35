"""How bodies leave: taken back (withdrawn), taken away (removed), over the edge (fell_off), or only out of sight."""

from typing import Final

import numpy as np

from companion.sensing.events import sticking
from companion.sensing.events.contacts import Contact
from companion.sensing.events.edge import (
    FELL_BELOW_MM,
    OUT_MM,
    SUNK_MM,
    at_edge,
    dropped,
    gone,
    hangs,
    in_hand,
    put_down,
    sinks,
    went_over,
)
from companion.sensing.events.scene import MS, Scene
from companion.sensing.fields.bodies import joined
from companion.sensing.tracks.movers import FAINT, Mover, Phase
from companion.table import BoardTime, EventKind

PARK_US: Final = 700_000
BRIEF_US: Final = 400_000  # a stone that seems lifted for so short at the edge has slid over it
CARRY_US: Final = 2_500_000
SIDE_MM: Final = 5.0
SWALLOW_MM: Final = 90.0
UNSEEN_P: Final = 0.5  # that it was taken away, where nothing was seen of how
HOVER_US: Final = 1_500_000
SINKS_MM: Final = 60.0
"""Lost from sight so low where no sensor sees any more, a stone may have been put down there."""
AWAY_US: Final = 1_000_000  # within that a hand carries a cluster out of sight


def left(scene: Scene, m: Mover, t_us: BoardTime) -> bool:
    """A carried body has left the zone, or is no longer seen (then it may come again and is the same)."""
    low = float(m.smooth[2])
    under = low < SUNK_MM and scene.tracker.beside(m) > OUT_MM
    if (under and dropped(m, t_us)) or (m.phase is Phase.HAND and put_down(scene, m)):
        if m.phase is Phase.HAND and _goes_with_a_fallen(scene, m):
            scene.tracker.park(m, t_us)  # the hand's stone is out of sight
        else:
            _lies_on_table(scene, m, t_us)
        return True
    if gone(scene, m):
        if m.evidence < FAINT and scene.apart.after(t_us):  # nothing was seen to go there
            scene.tracker.park(m, t_us)
            return True
        over = (low < FELL_BELOW_MM and not in_hand(m)) or went_over(scene, m)
        if m.phase is Phase.LIFTED and ((over and not hangs(scene, m)) or sinks(m)):
            fell(scene, m, t_us)
        else:
            _carried_off(scene, m, t_us)
        return True
    m.faint_us = (m.faint_us or t_us) if m.phase is Phase.LIFTED and m.evidence < FAINT else None
    if m.faint_us is not None and t_us - m.faint_us > CARRY_US and scene.tracker.beside(m) > SIDE_MM:
        end(scene, m, t_us)  # carried off over the side: what stays is left over, and no hand may be taken for it
        scene.tracker.drop(m)
        return True
    lingers = m.phase is Phase.LIFTED and m.high_us is not None and t_us - m.high_us > CARRY_US
    if (m.weak_us is not None and t_us - m.weak_us > 60 * MS) or (lingers and m.evidence < FAINT):
        brief = m.high_us is None or t_us - m.high_us < BRIEF_US
        slid = m.phase is Phase.LIFTED and m.single and brief and low < 35.0
        if (slid and not m.held and at_edge(scene, m)) or (m.phase is Phase.LIFTED and went_over(scene, m)):
            fell(scene, m, t_us)
            return True
        leapt = m.phase is Phase.LIFTED and m.single and brief and not m.held  # by itself: no hand is so soon away
        if not leapt or not _swallowed(scene, m, t_us):
            scene.tracker.park(m, t_us)
        return True
    return False


def _carried_off(scene: Scene, m: Mover, t_us: BoardTime) -> None:
    """It has left the zone. Of many stones in one the field reaches farther: as long as it does it is followed, or the
    next player's stone would be found in it, and it would be learned as drift.
    """
    end(scene, m, t_us)
    if m.single:
        scene.tracker.drop(m)
        return
    m.phase, m.away_us = Phase.AWAY, t_us


def away(scene: Scene, m: Mover, t_us: BoardTime) -> None:
    """Follow what was carried off until it is seen no more."""
    scene.left_us = t_us
    if t_us - m.away_us > AWAY_US or m.weak_us is not None:
        scene.tracker.drop(m)


def _goes_with_a_fallen(scene: Scene, m: Mover) -> bool:
    """What seems to be put down on the table is a stone that fell there, or what is missed of one that was taken."""
    fallen, movers = scene.tracker.fallen, scene.tracker.movers
    taken = fallen.takes_away(m, movers)
    if taken is not None:
        fallen.rises(taken)
        return True
    return fallen.may_be_one(m, movers)


def _lies_on_table(scene: Scene, m: Mover, t_us: BoardTime) -> None:
    if m.phase is Phase.LIFTED:
        fell(scene, m, t_us)
        return
    if m.told:
        scene.left_us = t_us  # its hand has gone, and what was learned of that is left over
        scene.say(EventKind.WITHDRAWN, t_us, m)
    m.phase = Phase.TABLE


def parked(scene: Scene, t_us: BoardTime) -> None:
    """Of the bodies that are no longer seen, those that have had time enough to come again are gone."""
    while scene.tracker.newborn.gone:
        end(scene, scene.tracker.newborn.gone.pop(), t_us)
    waiting = scene.tracker.newborn.parked
    for entry in list(waiting):
        if entry in waiting and t_us - entry[0] > _patience(scene, entry[1]):  # or an earlier one has drawn it along
            waiting.remove(entry)
            end(scene, entry[1], entry[0])


def _patience(scene: Scene, m: Mover) -> BoardTime:
    """How long a body that is no longer seen may come again: a stone hovering in the zone longest."""
    inside = m.smooth[2] < 75.0 and scene.tracker.layout.beside(m.smooth[:2]) < 15.0
    return HOVER_US if m.phase is Phase.HAND and inside else PARK_US


def _drawn_along(scene: Scene, m: Mover) -> list[Mover]:
    """Stones that were lost from sight near the way of this cluster: it has drawn them up, and they are parked no more.
    One that was lost elsewhere a second hand has.
    """
    parked = scene.tracker.newborn.parked
    lost = [o for _, o in parked if o.single and o.phase is Phase.LIFTED and not (m.single or o.fetched)]
    out = [o for o in lost if m.passed(o.body.centre) < SWALLOW_MM]
    parked[:] = [entry for entry in parked if entry[1] not in out]
    return out


def end(scene: Scene, m: Mover, t_us: BoardTime) -> None:
    """A carried body has gone for good; where it may have been put down unseen, people are asked as well."""
    told = m.phase is not Phase.HAND or m.told
    if told:
        scene.left_us = max(scene.left_us, t_us)
    doubted = told and m.frames > 0 and float(m.body.centre[2]) < SINKS_MM and scene.tracker.dark(m)
    if doubted:
        scene.unseen(m, t_us, t_us)
    if m.phase is Phase.HAND:
        if m.told:  # no hand has it now, either way: what waits for its stone goes on
            scene.say(EventKind.WITHDRAWN, t_us, m)
        return
    where, p = m.rested if m.rested is not None else m.body.centre, UNSEEN_P if doubted else 1.0
    scene.say(EventKind.REMOVED, t_us, m, count=len(m.body.tracks), x=float(where[0]), y=float(where[1]), p=p)
    scene.disturbed = True
    scene.collapses.forget(m.body.tracks)
    for k in m.body.tracks:
        scene.placed.pop(k, None)
    for o in _drawn_along(scene, m):
        end(scene, o, t_us)


def fell(scene: Scene, m: Mover, t_us: BoardTime) -> None:
    """Over the edge onto the table. Just after a gap its track may only have run after what happened in it: then the
    stone is told as no longer there, and people say why.
    """
    at = m.body.centre
    kind = EventKind.REMOVED if scene.tracker.newborn.finding(t_us) else EventKind.FELL_OFF
    scene.say(kind, t_us, m, count=len(m.body.tracks), x=float(at[0]), y=float(at[1]))
    m.phase = Phase.TABLE
    scene.disturbed = True
    scene.collapses.fell(m.body.tracks)
    fallen = m.body.tracks
    for o in _drawn_along(scene, m):
        scene.say(kind, t_us, o, x=float(at[0]), y=float(at[1]))
        scene.collapses.fell(o.body.tracks)
        fallen += o.body.tracks
    for k in fallen:  # a hand that had not let go of it on the board has it no more, and may bring another
        scene.placed.pop(k, None)


def _swallowed(scene: Scene, m: Mover, t_us: BoardTime) -> bool:
    """No stone vanishes from the board: where a cluster runs by, it is in it now, since it was last seen."""
    by = [
        (float(np.linalg.norm(o.body.centre - m.body.centre)), k)
        for k, o in enumerate(scene.tracker.movers)
        if o is not m and not o.single and o.phase in (Phase.BOARD, Phase.LIFTED) and o.still(t_us) < 0.3
    ]
    if not by or min(by)[0] > SWALLOW_MM:
        return False
    cluster = scene.tracker.movers[min(by)[1]]
    nearest = ((cluster.body.stones.position - m.body.centre) ** 2).sum(axis=1).argmin()
    place = cluster.body.stones.position[nearest] + (0.0, 0.0, 7.0)
    since = t_us if m.weak_us is None else m.weak_us
    sticking.contact(
        scene, Contact(cluster, m, joined(cluster.body, m.body.shifted(place - m.body.centre)), since, 0.0), t_us
    )
    return True


def vanished(scene: Scene, m: Mover, t_us: BoardTime) -> None:
    """A body on the board is seen no more."""
    if m.single and _swallowed(scene, m, t_us):
        return
    if at_edge(scene, m) and not scene.tracker.newborn.finding(t_us):
        fell(scene, m, t_us)
        return
    where = m.rested if m.rested is not None else m.body.centre
    scene.say(EventKind.REMOVED, t_us, m, count=len(m.body.tracks), x=float(where[0]), y=float(where[1]), p=UNSEEN_P)
    scene.tracker.drop(m)
    scene.disturbed = True


def fetched(scene: Scene, m: Mover, t_us: BoardTime) -> None:
    """A hand has taken a stone from the table. One that fell is told, and what is seen near is that stone: no stone of
    the next player's. Of one that was never on the board nothing was told.
    """
    if not scene.lain.issuperset(m.body.tracks):
        scene.tracker.drop(m)
        return
    at = m.body.centre
    m.phase, m.held, m.told, m.fetched = Phase.HAND, True, True, True
    scene.say(EventKind.LIFTED, t_us, m, x=float(at[0]), y=float(at[1]), count=len(m.body.tracks))
    scene.tracker.park(m, t_us)
    m.rested = None
