"""What a track tells of the edge: whether a hand has the body there, or it hangs, has gone over or lies below."""

from typing import Final

import numpy as np

from companion.sensing.events.scene import Scene
from companion.sensing.events.touching import OVERHANG_MM, UNDER_MM
from companion.sensing.sensors.layout import Floats
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import BoardTime

ON_TABLE_MM: Final = -8.0  # the table lies 20 mm under the mats
HELD_MM: Final = 35.0  # no stone jumps so high by itself
SUNK_MM, OUT_MM = -3.0, 4.0  # lower and farther beside the mats than what lies on them, hanging over the edge or not
LAIN_FRAMES: Final = 30  # all that a track remembers
EDGE_MM: Final = 22.0
FELL_BELOW_MM: Final = 12.0  # a body that leaves over the edge so low is in no hand
TUMBLES_MM: Final = 8.0  # so much higher is the middle of stones that stick together, as they roll over the edge
FALLS_FRAMES, FALLS_MM = 10, 8.0  # from the mats' top a stone falls 16 mm in six frames
HANGS_FRAMES: Final = 20  # from the edge a stone falls to the table within eight
REACH_MM: Final = 36.0  # to a stone in a hand: nearer than that it draws others up


def gone(scene: Scene, m: Mover) -> bool:
    """It is out of the zone over the board."""
    return m.frames >= 5 and bool(m.smooth[2] > 92.0 or scene.tracker.layout.beside(m.smooth[:2]) > 42.0)


def dropped(m: Mover, t_us: BoardTime) -> bool:
    """So low beside the mats: it has left the hand, if that had it, when it stays there."""
    return not m.held or (float(m.smooth[2]) < ON_TABLE_MM and m.still(t_us) > 0.15)


def put_down(scene: Scene, m: Mover) -> bool:
    """Lower than the mats and beside them for LAIN_FRAMES on the whole: so faintly seen it never seems still, but no
    hand holds a stone there.
    """
    if len(m.trail) < LAIN_FRAMES:
        return False
    at = np.mean(m.trail, axis=0)
    return bool(at[2] < SUNK_MM and scene.tracker.layout.beside(at[:2]) > OUT_MM)


def at_hand(scene: Scene, m: Mover) -> bool:
    """It is higher than the table, and a stone in a hand is so near that it hangs on that."""
    at = m.body.centre
    hands = [o for o in scene.tracker.movers if o.phase is Phase.HAND and o.told]
    return bool(at[2] > ON_TABLE_MM) and any(float(np.linalg.norm(o.body.centre - at)) < REACH_MM for o in hands)


def in_hand(m: Mover) -> bool:
    """A hand has it, as far as is known: it was not put down, or was since as high as only a hand lifts stones."""
    return m.held and (m.placed_us is None or max((float(p[2]) for p in _sure(m)), default=0.0) > HELD_MM)


def sinks(m: Mover) -> bool:
    """It is lower than the mats, and went down to there: between the mats and the table no hand carries a stone off."""
    heights = [float(p[2]) for p in m.trail][-FALLS_FRAMES:]
    now = sorted(heights[-3:])[1] if len(heights) == FALLS_FRAMES else 0.0
    return now < UNDER_MM and max(heights) - now > FALLS_MM


def hangs(scene: Scene, m: Mover) -> bool:
    """Beside the mats and above the table for longer than a fall takes: something holds it there."""
    if len(m.trail) < HANGS_FRAMES:
        return False
    last = np.array(m.trail)[-HANGS_FRAMES:]
    return bool((scene.tracker.layout.beside(last[:, :2]) > OVERHANG_MM).all() and last[:, 2].mean() > 0.0)


def went_over(scene: Scene, m: Mover) -> bool:
    """Its last frames led over the edge so low that no hand had it.

    What lies on the table is so faint that its track trembles faster than stones go, and the frames before then still
    show how it came there.
    """
    if in_hand(m):
        return False
    below = FELL_BELOW_MM + (0.0 if m.single else TUMBLES_MM)
    low = [p[:2] for p in _sure(m) if float(p[2]) < below]
    return bool(low) and bool((scene.tracker.layout.beside(np.array(low)) > OVERHANG_MM).any())


def at_edge(scene: Scene, m: Mover) -> bool:
    """It lies, or rested, no farther from the edge than it could have slid over unseen."""
    angle = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    at = m.body.centre if m.rested is None else m.rested
    ring = at[:2] + EDGE_MM * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return bool((scene.tracker.layout.beside(ring) > 2.0).any())


def _sure(m: Mover) -> list[Floats]:
    """Where it was until its track went faster than stones go; what it shows since then is nothing."""
    return list(m.trail)[: max(len(m.trail) - m.jumped, 0)]
