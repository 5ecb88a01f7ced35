"""After a gap: which stones have been seen apart from all others since.

What is unseen can hide a snap: it closes in three to seven frames. So a stone that moved over a gap, or that was first
seen just after one, may already stick to another, though its track was posed beside that. Until it has been seen
clearly away from all others, a contact of two such stones tells nothing of when they touched.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from companion.sensing.fields.stacks import distance
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import BoardTime

MISSED_US: Final = 60_000
"""From frame to frame; within so long the fastest snaps close."""
AFTER_US: Final = 500_000
"""What is first seen so soon after a gap may have come in it."""
AT_ONCE_US: Final = 100_000
"""What is found elsewhere so soon after a gap has moved in it."""
MOVED_MM: Final = 4.0
"""From where it lay: no correction of a track at rest is so large."""
APART_MM: Final = 36.0
"""Between centres: attracting stones rest touching or farther apart than that less one stone (20 mm)."""
FRAMES: Final = 5
CLEARLY: Final = 150.0
"""Evidence of a body that is seen well enough to say where it is."""
SOMETHING_ELSEWHERE: Final = 2.5
"""Chi squared a row: with so much left over near a body something is not where its track is, itself or what is taken
to be far from it."""


@dataclass(slots=True)
class Apart:
    """The stones of one table whose place among the others is not known since a gap, by track: for how many frames in a
    row each has been seen apart.
    """

    _doubted: dict[int, int] = field(default_factory=dict)
    _until: BoardTime = -1

    def gap(self, movers: Sequence[Mover], t_us: BoardTime) -> None:
        """Frames were missed; t_us: of the first one after them."""
        self._until = t_us + AFTER_US
        here = {k for m in movers for k in m.body.tracks}
        self._doubted = {k: n for k, n in self._doubted.items() if k in here}
        for m in movers:
            if m.awake and m.phase is not Phase.TABLE:
                self._doubt(m)

    def step(self, movers: Sequence[Mover], t_us: BoardTime) -> None:
        """Take one frame."""
        if t_us < self._until:
            for m in movers:
                new = m.born_us >= self._until - AFTER_US
                if new or (t_us < self._until - AFTER_US + AT_ONCE_US and _moved(m)):
                    self._doubt(m)
        for m in movers if self._doubted else ():
            if not self._doubted.keys().isdisjoint(m.body.tracks):
                self._look(m, movers)

    def after(self, t_us: BoardTime) -> bool:
        """Whether a gap has just been: a track may have run off after what was carried on in it."""
        return t_us < self._until

    def seen(self, a: Mover, b: Mover) -> bool:
        """Whether these two were seen apart after the last gap."""
        return any(self._doubted.keys().isdisjoint(m.body.tracks) for m in (a, b))

    def _doubt(self, m: Mover) -> None:
        for track in m.body.tracks:
            self._doubted.setdefault(track, 0)

    def _look(self, m: Mover, movers: Sequence[Mover]) -> None:
        clear = m.evidence > CLEARLY and m.misfit < SOMETHING_ELSEWHERE
        clear = clear and all(distance(m.body, o.body) > APART_MM for o in movers if o is not m)
        for track in self._doubted.keys() & set(m.body.tracks):
            self._doubted[track] = self._doubted[track] + 1 if clear else 0
            if self._doubted[track] >= FRAMES:
                del self._doubted[track]


def _moved(m: Mover) -> bool:
    return m.awake and m.rested is not None and float(np.linalg.norm(m.smooth - m.rested)) > MOVED_MM
