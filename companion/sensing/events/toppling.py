"""A stone that stood on edge and now lies flat, touching no other and lifted by nobody: toppled (Y27: no fault).

Mostly it is tipped by a magnet that a hand carries near.
"""

from dataclasses import dataclass, field
from typing import Final

from companion.sensing.events.scene import Scene
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import BoardTime, EventKind

STANDS_AXIS, LIES_AXIS = 0.55, 0.8
"""How far the moment points up of a stone that surely stands, and surely lies."""
STANDS_S: Final = 0.3
LIES_S: Final = 0.1
LOW_MM: Final = 7.0


@dataclass(slots=True)
class Toppling:
    """standing: tracks that rest on edge; tipped: of those, when they were first seen lying."""

    standing: set[int] = field(default_factory=set)
    tipped: dict[int, BoardTime] = field(default_factory=dict)

    def step(self, scene: Scene, t_us: BoardTime) -> None:
        """Tell of the stones that have toppled."""
        here: set[int] = set()
        for m in scene.tracker.movers:
            if not m.single or m.phase is not Phase.BOARD or m.high_us is not None:
                continue  # what is lifted or sticks to another is laid down, or falls with it
            track = m.body.tracks[0]
            here.add(track)
            self._one(scene, m, track, t_us)
        self.standing &= here
        for gone in self.tipped.keys() - here:
            del self.tipped[gone]

    def _one(self, scene: Scene, m: Mover, track: int, t_us: BoardTime) -> None:
        up = m.body.up
        if up >= STANDS_AXIS and track not in self.standing:
            return  # as nearly all, in every frame
        still = not m.awake or m.still(t_us) > STANDS_S
        if up < STANDS_AXIS:
            self.tipped.pop(track, None)
            if still and track not in scene.placed:
                self.standing.add(track)
        elif track in self.standing and up > LIES_AXIS:
            since = self.tipped.setdefault(track, t_us)
            lies = float(m.smooth[2]) < LOW_MM and (not m.awake or m.still(t_us) > LIES_S)
            if lies and track not in scene.placed:
                at = m.body.centre
                scene.say(EventKind.TOPPLED, since, m, x=float(at[0]), y=float(at[1]))
                self.standing.discard(track)
                self.tipped.pop(track, None)
                m.relaid = m.awake  # where it stood says nothing of a push
