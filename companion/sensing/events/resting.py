"""The board at rest: settled, with the stones that lie there."""

from collections.abc import Mapping
from math import atan2, degrees
from typing import Final

import numpy as np

from companion.sensing.events.scene import MS, Scene
from companion.sensing.tracks.movers import FLAT_AXIS, Mover, Phase
from companion.table import BoardTime, EventKind, Stone, TableEvent

LIES_S: Final = 0.2
CREEPS_MM: Final = 4.0  # the first frames of a track correct its place


def found(scene: Scene, m: Mover, t_us: BoardTime) -> bool:
    """It lies where it is first seen after a gap: it came in it, nobody knows when or by whom; settled lists it.

    True also while that is not decided yet. A stone that still moves is in a hand.
    """
    if m.told or not scene.tracker.newborn.unseen(m) or float(np.linalg.norm(m.smooth - m.born_at)) > CREEPS_MM:
        return False
    if m.still(t_us) > LIES_S:
        m.phase, m.told, m.held = Phase.BOARD, True, False
        scene.lain.add(m.body.tracks[0])
        scene.disturbed = scene.found = True
    return True


def settled(scene: Scene, t_us: BoardTime) -> None:
    """Tell it once after whatever disturbed the board, when nothing moves and no stone is held."""
    if not scene.disturbed or scene.collapses.open:
        return
    board = [m for m in scene.tracker.movers if m.phase is Phase.BOARD]
    if any(m.awake and m.still(t_us) < 0.6 for m in board):
        return
    if any(m.carried and m.phase is not Phase.HAND for m in scene.tracker.movers):
        return
    if scene.found and _busy(scene, t_us):
        return
    if any(k in scene.placed for m in board for k in m.body.tracks):
        return
    rest = tuple(s for m in board for s in stones_of(m, False, scene.tracker.identity.names))
    since = max((m.still_us for m in board), default=t_us - 300 * MS)
    when = t_us if scene.found else max(since, t_us - 350 * MS)
    carried = [since for since, m in scene.tracker.newborn.parked if m.phase is Phase.LIFTED]
    # Of events of one time this comes last: only then may it be counted (Y21). And what a hand had when it was last
    # seen lay on the board before: so few stones do not lie there since an earlier time.
    when = max(when, scene.changed_us, *carried)
    scene.disturbed = scene.found = False
    scene.events.append(TableEvent(EventKind.SETTLED, when, count=len(rest), t_report_us=t_us, rest=rest))


def _busy(scene: Scene, t_us: BoardTime) -> bool:
    """A count after a gap waits until all is found and no hand is near: only then do the rules compare it (Y21)."""
    carried = any(m.phase is Phase.HAND and m.told for m in scene.tracker.movers)
    return carried or scene.tracker.newborn.finding(t_us)


def stones_of(m: Mover, held: bool, names: Mapping[int, tuple[int, float]]) -> tuple[Stone, ...]:
    """The stones of a body as the table's type."""
    out = []
    for k, track in enumerate(m.body.tracks):
        x, y, z = m.body.stones.position[k].tolist()
        u = m.body.stones.axis[k].tolist()
        flat = abs(u[2]) >= FLAT_AXIS
        out.append(
            Stone(
                track,
                round(x, 2),
                round(y, 2),
                round(z, 2),
                not flat,
                int(np.sign(u[2])) if flat else 0,
                round(degrees(atan2(u[1], u[0])), 1),
                held,
                *names.get(track, (None, 0.0)),
            )
        )
    return tuple(out)
