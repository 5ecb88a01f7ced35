"""A stone that a hand brings over the board: approach."""

from typing import Final

import numpy as np

from companion.sensing.movers import Mover, Phase
from companion.sensing.scene import Scene
from companion.table import BoardTime, EventKind

CLEAR: Final = 150.0  # evidence of a stone beyond doubt
SEEN: Final = 28.0
HAND_MOVES_MM: Final = 12.0  # no hand holds a stone stiller than that
OVER_MM: Final = 3.0
STIR_US: Final = 700_000
RUNS_MM: Final = 1.5  # a frame: 0.15 m/s
LOW_HAND_MM: Final = 10.0


def stirred(scene: Scene, t_us: BoardTime) -> None:
    """Stones at rest do not move by themselves: a hand that is seen only afterwards had come before."""
    carried = any(m.phase in (Phase.HAND, Phase.LIFTED) and m.told for m in scene.tracker.movers)
    runs = any(m.phase is Phase.BOARD and m.awake and _fast(m) for m in scene.tracker.movers)
    if carried:
        scene.stirred_us = None
    elif runs:
        scene.stirred_us = scene.stirred_us or t_us
        scene.ran_us = t_us
    elif t_us - scene.ran_us > STIR_US:
        scene.stirred_us = None


def approach(scene: Scene, m: Mover) -> None:
    """Tell it, if it is not told yet."""
    if m.phase is Phase.HAND and not m.told:
        m.told = True
        at = m.body.centre
        if scene.stirred_us is not None:
            m.born_us = min(m.born_us, scene.stirred_us)
        scene.say(EventKind.APPROACH, m.born_us, m, x=float(at[0]), y=float(at[1]))


def comes(scene: Scene, m: Mover) -> bool:
    """It is a stone that a hand brings, not what learned leftovers show: that stands, mostly beside the mats.

    Where a pile was fiddled with or a fallen stone was picked up, the leftovers are out of date for a while: what is no
    stone's field misfits, and evidence counts in units of that.
    """
    if m.told or m.frames < 4 or m.evidence < SEEN * max(1.0, m.misfit) or scene.tracker.beside(m) > OVER_MM:
        return False
    moved = float(np.linalg.norm(m.smooth - m.born_at)) > HAND_MOVES_MM
    return m.evidence > CLEAR or (moved and float(m.body.centre[2]) > LOW_HAND_MM)


def _fast(m: Mover) -> bool:
    speeds: list[float] = m.velocity.tolist()
    return max(map(abs, speeds)) > RUNS_MM
