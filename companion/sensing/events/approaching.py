"""A stone that a hand brings over the board: approach."""

from collections.abc import Collection
from typing import Final

import numpy as np

from companion.sensing.events.scene import Scene
from companion.sensing.events.touching import NEAR_PRESS_G
from companion.sensing.fields.magnets import length
from companion.sensing.sensors.weight import Scale
from companion.sensing.tracks.changes import BLOCKS
from companion.sensing.tracks.faint import OVER_MM
from companion.sensing.tracks.movers import CALM_FRAMES, CLEAR_FRAMES, NEAR_MATS_MM, Mover, Phase
from companion.sensing.tracks.newborn import CROWDED_MM
from companion.sensing.tracks.strangers import apart
from companion.table import BoardTime, EventKind

CLEAR: Final = 150.0  # evidence of a stone beyond doubt
SEEN: Final = 28.0
FAR_SEEN: Final = 14.0
"""Evidence of a stone that goes far. A fit of six numbers to noise alone has 6, and the running mean of that differs by
1.6: five times as much. What is left over of stones at rest can be worth as much, but does not travel."""
HAND_MOVES_MM: Final = 12.0  # no hand holds a stone stiller than that
TRAVELS_MM: Final = 30.0
LEAVES_US: Final = 2_000_000
"""So long what has just been carried off may still be seen: it travels too."""
GLIMPSE_US: Final = 120_000
"""A block, half of what a glimpse is the mean of."""
COMPARED_US: Final = BLOCKS * GLIMPSE_US
"""From the first frame that a glimpse compares to the last."""
FETCH_US: Final = 10_000_000
"""So long after a fall its stone may be on the way from the table to its new owner, seen to lie there or not."""
STIR_US: Final = 700_000
SETTLES_US: Final = 1_000_000
"""So long after a stone was let go or taken, or after a knock, stones may move by themselves."""
PUSHED_MM: Final = 6.0
KNOCKED_MM: Final = 14.0
"""No blow at the table or the board sends a stone so far."""
PUSH_FRAMES: Final = 10
GOES_MM: Final = 2.0  # in so many frames: by chance a place differs by less than half of that
OUT_OF_SCATTER: Final = 5.0
"""So many times the scatter of one frame, where a table is so noisy that this is more; two means of two scatter as one
frame does."""
LOW_HAND_MM: Final = 10.0


def stirred(scene: Scene, t_us: BoardTime) -> None:
    """Stones at rest do not move by themselves: a hand that is seen only afterwards had come before."""
    carried = any(m.carried and m.told for m in scene.tracker.movers)
    runs = any(m.awake and m.runs for m in scene.tracker.movers)
    if carried:
        scene.stirred_us = None
    elif runs:
        scene.stirred_us = scene.stirred_us or t_us
        scene.ran_us = t_us
    elif t_us - scene.ran_us > STIR_US:
        scene.stirred_us = None


def pushed(scene: Scene, t_us: BoardTime, standing: Collection[int]) -> None:
    """A stone at rest is pushed along the board, and no hand is known to be there: one is, with a stone that is hardly
    seen (mostly beside the mats). What is seen next near it is that stone. standing: tracks that may topple by
    themselves.
    """
    tracker, load = scene.tracker, scene.weight
    if scene.placed or scene.collapses.open or t_us - scene.changed_us < SETTLES_US:
        return
    if any(m.carried and m.told for m in tracker.movers):
        return
    if any(m.told for _, m in tracker.newborn.parked):
        return
    if load.borne(t_us, SETTLES_US) > NEAR_PRESS_G:
        return  # a finger pushes: no magnet that hovers bears so heavily
    knocked = load.tell(t_us) is Scale.DISTURBED or (bool(load.steps) and t_us - load.steps[-1].quiet_us < SETTLES_US)
    far = KNOCKED_MM if knocked else PUSHED_MM
    for m in tracker.movers:
        if m.phase is not Phase.BOARD or m.relaid or m.body.tracks[0] in standing:
            continue
        # Where no sensor sees any more a place trembles by more than that.
        if _is_pushed(m, far) and not tracker.dark(m):
            hands = [o for o in tracker.movers if o.phase is Phase.HAND]
            hand = hands[0] if hands else tracker.newborn.unseen_hand(m, t_us)
            approach(scene, hand)
            return


def glimpsed(scene: Scene, t_us: BoardTime) -> None:
    """A stone is in a hand that no frame shows by itself (faint.py), and nothing else accounts for what changes: no
    hand is known, nothing was put down or carried off before what it is compared with, and no fallen stone is fetched
    past the board. A track near it that was not told is its, and so is one that has just come: no two come at once.
    """
    tracker = scene.tracker
    body = tracker.glimpsed
    if body is None or scene.placed or scene.collapses.open or tracker.handled:
        return
    if t_us - max(scene.changed_us, scene.left_us + COMPARED_US) < LEAVES_US:
        return
    if any(m.told for _, m in tracker.newborn.parked):
        return
    if (scene.fell_us >= 0 and t_us - scene.fell_us < FETCH_US) or any(m.phase is Phase.TABLE for m in tracker.movers):
        return
    hands = [m for m in tracker.movers if m.phase is Phase.HAND]
    near = [m for m in hands if apart(m, body.centre) < CROWDED_MM or t_us - m.born_us < COMPARED_US]
    hand = near[0] if near else tracker.newborn.glimpsed_hand(body, t_us)
    hand.born_us = t_us - GLIMPSE_US
    approach(scene, hand)


def _is_pushed(m: Mover, far: float) -> bool:
    """It has left the place where it lay, by `far` mm, and is going on."""
    if m.rested is None or not m.awake or not m.single or m.high_us is not None or len(m.trail) < PUSH_FRAMES:
        return False
    now, before = 0.5 * (m.trail[-1] + m.trail[-2]), 0.5 * (m.trail[-PUSH_FRAMES] + m.trail[-9])
    gone, went = length((now - m.rested)[:2]), length((now - before)[:2])
    return gone > far and went > max(GOES_MM, OUT_OF_SCATTER * _scatter(m))


def _scatter(m: Mover) -> float:
    """mm by which its place differs from frame to frame along one axis, by second differences: at any speed."""
    bends = np.diff(np.array(m.trail)[-PUSH_FRAMES:, :2], n=2, axis=0)
    return float(np.sqrt(np.mean(bends * bends) / 6.0))


def approach(scene: Scene, m: Mover) -> None:
    """Tell it, if it is not told yet."""
    if m.phase is Phase.HAND and not m.told:
        m.told = True
        at = m.body.centre
        if scene.stirred_us is not None:
            m.born_us = min(m.born_us, scene.stirred_us)
        scene.say(EventKind.APPROACH, m.born_us, m, x=float(at[0]), y=float(at[1]))


def comes(scene: Scene, m: Mover, t_us: BoardTime) -> bool:
    """It is a stone that a hand brings, not what learned leftovers show: that stands, mostly beside the mats.

    Where a pile was fiddled with or a fallen stone was picked up, the leftovers are out of date for a while: what is no
    stone's field misfits, and evidence counts in units of that.
    """
    least = FAR_SEEN if _travels(scene, m, t_us) else SEEN
    if m.told or m.frames < 4 or m.evidence < least * max(1.0, m.misfit) or scene.tracker.beside(m) > OVER_MM:
        return False
    if m.evidence > CLEAR:
        return True
    z = float(m.body.centre[2])
    if z < LOW_HAND_MM or (z < NEAR_MATS_MM and m.clear < CLEAR_FRAMES):
        return False  # so low over the mats a stone is seen well
    carried = not m.jumped or m.calm >= CALM_FRAMES
    return carried and float(np.linalg.norm(m.smooth - m.born_at)) > HAND_MOVES_MM


def _travels(scene: Scene, m: Mover, t_us: BoardTime) -> bool:
    """It goes as a hand goes, and is not what a hand has just carried off."""
    if m.jumped or t_us - scene.left_us < LEAVES_US:
        return False
    return float(np.linalg.norm(m.smooth - m.born_at)) > TRAVELS_MM
