"""Guided step: one stone slid flat over every seam shows how the tiles really lie to each other."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from companion.sensing.fields.stones import LearnedStone, StoneSet
from companion.sensing.guided.sight import Sight
from companion.sensing.guided.step import Clearing, RefusedError, Stage, magnets, trouble
from companion.sensing.learning.seams import fit_tiles
from companion.sensing.learning.sliding import EVERY, Follower
from companion.sensing.sensors.layout import TableLayout

FRAMES: Final = 45
"""Of each seam: some three slides."""
MOST: Final = 150
"""Of each seam: more would hardly tell more, and to judge them takes about 6 ms a frame, several times that on a Pi."""
_TOGETHER_MM: Final = 12.0
_KNOWN_S: Final = 0.5
_STRANGE_S: Final = 3.0


def seams(layout: TableLayout) -> list[tuple[int, int]]:
    """Pairs of tiles that lie edge to edge."""
    corners = layout.triangles
    middle = (corners + np.roll(corners, -1, axis=1)) / 2.0  # (n, 3, 2) of the edges
    out = []
    for a in range(len(corners)):
        for b in range(a + 1, len(corners)):
            away = np.hypot(*np.moveaxis(middle[a][:, None] - middle[b][None], -1, 0))
            if away.min() < _TOGETHER_MM:
                out.append((a, b))
    return out


class TilesStep:
    """Seams in any order. layout: as in the picture, without poses that were learned."""

    name = "tiles"

    def __init__(self, layout: TableLayout, stones: StoneSet | None = None) -> None:
        """stones: the learned set, one of which is slid; it is put down first, to be known. Raises RefusedError where
        no two tiles lie edge to edge.
        """
        self.seams = seams(layout)
        if not self.seams:
            raise RefusedError("no_seams")
        self.stage: Stage = Stage.CLEAR
        self.trouble: Mapping[str, float | str] | None = None
        self._layout = layout
        self._stones = {} if stones is None else {stone.number: stone for stone in stones.stones}
        self._follower = Follower(layout, None, MOST)
        self._clearing = Clearing()
        self._seen = dict.fromkeys(self.seams, 0)
        self._number = 0

    def tell(self, order: Mapping[str, Any]) -> None:
        raise RefusedError("not_now")

    def see(self, sight: Sight) -> None:
        if self.stage is Stage.CLEAR:
            self.trouble = magnets(sight)
            if self._clearing.see(sight):
                self.stage = Stage.PUT if self._stones else Stage.SLIDE
            return
        if self.stage is Stage.PUT:
            self._put(sight)
            return
        self._number += 1
        if sight.stones > 1:
            self.trouble = trouble("one_magnet", n=sight.stones)
        if sight.lone is None or sight.stones != 1:
            self._follower.lift()
            return
        self.trouble = None if sight.lone.flat else trouble("lie_flat")
        if self._number % EVERY:
            return
        pair = self._follower.add(sight.reading, sight.sigma)
        if pair in self._seen:
            self._seen[pair] += 1
        if all(n >= FRAMES for n in self._seen.values()):
            self.stage = Stage.ENOUGH

    def slides(self, stone: LearnedStone) -> None:
        """It is this one."""
        self._follower, self.stage, self.trouble = Follower(self._layout, stone, MOST), Stage.SLIDE, None

    def _put(self, sight: Sight) -> None:
        """The stone lies still, so that it is known which one it is."""
        lone = sight.lone
        self.trouble = trouble("one_magnet", n=sight.stones) if sight.stones > 1 else None
        if lone is None or lone.still_s < _KNOWN_S:
            return
        if lone.number in self._stones:
            self.slides(self._stones[lone.number])
        elif lone.still_s > _STRANGE_S:  # none of the set: the usual shape has to do
            self.stage = Stage.SLIDE

    def shown(self) -> dict[str, Any]:
        """seams: the two tiles of each and how much of it was seen, 0 to 1; next: number of the one to be done next."""
        parts = [min(1.0, self._seen[pair] / FRAMES) for pair in self.seams]
        left = [k for k, part in enumerate(parts) if part < 1.0]
        return {
            "done": len(parts) - len(left),
            "wanted": len(parts),
            "least": len(parts),
            "seams": [[*pair, round(part, 2)] for pair, part in zip(self.seams, parts, strict=True)],
            "next": left[0] if left else None,
        }

    def found(self) -> dict[str, Any]:
        laid = fit_tiles(self._layout, self._follower.frames, self.seams)
        return {"laid": laid, "middles": self._layout.triangles.mean(axis=1)}
