"""A stone touches the board (placed) and the hand lets it go (released), by height and weight together."""

from typing import Final

import numpy as np

from companion.sensing.events.scene import MS, Scene
from companion.sensing.sensors.weight import Scale
from companion.sensing.tracks.movers import FLAT_AXIS, Mover, Phase
from companion.table import BoardTime, EventKind, TableEvent

JOINED_FRAMES: Final = 20  # the blow of a snap is no touch of the board
LAID: Final = 50.0
"""Less evidence than that has no stone on the mats: a sensor under it gives up to 1 / SHAPE_SPREAD^2 = 69."""

OVERHANG_MM: Final = 6.0
UNDER_MM: Final = -2.0  # no centre of a stone on the mats is there, tipped over the edge or not
PRESS_G: Final = 6.0
NEAR_PRESS_G: Final = 15.0
DARK_US: Final = 2_500_000
"""A stone that is seen from afar only may tremble for ever: after so long nobody waits any more for it to lie still."""
MUTE_US: Final = 300_000
"""So long before a stone is seen to touch the board the load cell may have felt it."""
LIGHTEST_G, HEAVIEST_G = 1.2, 15.0  # what one stone may weigh


def touched(scene: Scene, m: Mover, t_us: BoardTime) -> BoardTime | None:
    """When it first touched the board, if it has.

    A magnet hovering low over another loads or lifts the board by grams without touching it, and a stone
    that jumps away strikes it; so near other stones only a hand's press or a stone at rest is a touch. And what shows
    when others snap together, wherever they lie, is their blow; where one falls off, what its weight leaves behind.
    """
    if m.low_us is None or scene.tracker.beside(m) > 12.0 or (not m.single and m.frames < JOINED_FRAMES):
        return None
    if m.phase is Phase.HAND and (m.evidence < LAID or _no_place(scene, m)):
        return None
    w = scene.weight
    if w.tell(t_us) is Scale.ABSENT:
        return m.low_us if t_us - m.low_us > 200 * MS else None
    near = _near(scene, m)
    restless = any(o.awake and o.still(t_us) < 0.2 for o in near)
    press = NEAR_PRESS_G if near else PRESS_G
    wait = 150 * MS if restless else 20 * MS
    since = w.touch_us if w.state is Scale.DISTURBED and w.peak_g > press else None
    other = since is not None and (scene.collapses.struck(since) or scene.fell_us >= since)
    if since is not None and t_us - since > wait and not other:
        return max(since, t_us - 250 * MS)
    if w.steps and t_us - w.steps[-1].quiet_us < 300 * MS and w.steps[-1].grams > LIGHTEST_G and not restless:
        return max(w.steps[-1].t_us, t_us - 300 * MS) if m.still(t_us) > 0.1 or not near else None
    return m.low_us if t_us - m.low_us > 500 * MS and m.still(t_us) > 0.3 else None


def _no_place(scene: Scene, m: Mover) -> bool:
    """No stone lies so low, nor so far beyond the edge: it has fallen there, or is none."""
    return float(m.smooth[2]) < UNDER_MM or scene.tracker.beside(m) > OVERHANG_MM


def _near(scene: Scene, m: Mover) -> list[Mover]:
    """Bodies on the board close enough for their magnets to matter to this one."""
    return [
        o
        for o in scene.tracker.movers
        if o is not m
        and o.phase in (Phase.BOARD, Phase.LIFTED)
        and float(np.linalg.norm(o.body.centre - m.body.centre)) < 55.0
    ]


def place(scene: Scene, m: Mover, touch: BoardTime, t_us: BoardTime, track: int | None = None) -> None:
    """It lies on the board from `touch` on; track: which stone of a cluster it is, None for the first."""
    s = m.body.stones
    k = m.body.tracks.index(track) if track is not None else 0
    axis = s.axis[k]
    flat = abs(float(axis[2])) >= FLAT_AXIS
    scene.events.append(
        TableEvent(
            EventKind.PLACED,
            touch,
            (m.body.tracks[k],),
            x=round(float(s.position[k, 0]), 2),
            y=round(float(s.position[k, 1]), 2),
            upright=not flat,
            pole_up=int(np.sign(axis[2])) if flat else 0,
            stacked=not m.single,
            t_report_us=t_us,
        )
    )
    if scene.tracker.blurred(m):
        scene.unseen(m, touch, t_us)
    m.phase = Phase.BOARD
    m.placed_us, m.relaid = touch, True
    m.high_us, m.fetched = None, False
    scene.lain.add(m.body.tracks[k])
    scene.placed[m.body.tracks[k]] = t_us
    scene.disturbed = True


def released(scene: Scene, t_us: BoardTime) -> None:
    """Tell of every placed stone that its hand has let go."""
    for track, since in list(scene.placed.items()):
        m = scene.mover(track)
        if m is None:
            del scene.placed[track]
            continue
        if m.phase is not Phase.BOARD:
            continue
        when = _let_go(scene, m, since, t_us)
        late = when is None and t_us - since > DARK_US and scene.weight.tell(t_us) is not Scale.DISTURBED
        if late and scene.tracker.dark(m):
            scene.unseen(m, t_us, t_us)
            when = t_us
        if when is not None:
            del scene.placed[track]
            m.held = False
            scene.changed_us = max(scene.changed_us, when)
            k = m.body.tracks.index(track)
            p = m.body.stones.position[k]
            scene.events.append(
                TableEvent(
                    EventKind.RELEASED,
                    when,
                    (track,),
                    x=round(float(p[0]), 2),
                    y=round(float(p[1]), 2),
                    t_report_us=t_us,
                )
            )


def _let_go(scene: Scene, m: Mover, since: BoardTime, t_us: BoardTime) -> BoardTime | None:
    w = scene.weight
    mute = m.placed_us is not None and w.mute(m.placed_us - MUTE_US)
    if w.tell(t_us) is Scale.ABSENT or mute:
        return m.still_us if m.still(t_us) > 0.4 and t_us - since > 400 * MS else None
    if w.state is Scale.QUIET and w.steps and w.steps[-1].quiet_us > since - 200 * MS:
        added = sum(s.grams for s in w.steps if s.quiet_us > since - 400 * MS)
        if m.single and not LIGHTEST_G <= added <= HEAVIEST_G and m.still(t_us) < 2.0:
            return None  # the weight is gone again: it was lifted; or too much of it: a hand presses on
        if m.single and added <= HEAVIEST_G:
            scene.tracker.identity.weighed(m.body.tracks[0], added)
        return max(since, w.steps[-1].quiet_us - 100 * MS)
    if m.still(t_us) > 2.0:
        return t_us
    return None
