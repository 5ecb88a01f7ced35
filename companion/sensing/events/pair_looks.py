"""When pairs that are followed as one body are asked whether they are: one frame of a snap may look like anything."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.sensing.tracks.movers import Mover, Phase

EVERY: Final = 3
"""Frames from look to look."""
AGREE: Final = 3
"""So many looks in a row say that they are two."""


@dataclass(slots=True)
class PairLooks:
    """One question's looks at the pairs of one table."""

    _agree: dict[Mover, int] = field(default_factory=dict)
    _frame: int = 0

    def due(self, movers: Sequence[Mover], measured: bool) -> list[Mover]:
        """The pairs in motion to look at in this frame; measured: it is not filled in, which would be no look."""
        self._frame += 1
        if self._frame < EVERY or not measured:
            return []
        self._frame = 0
        self._agree = {m: n for m, n in self._agree.items() if m in movers}
        pairs = [m for m in movers if len(m.body.tracks) == 2 and m.phase not in (Phase.TABLE, Phase.AWAY)]
        return [m for m in pairs if m.awake]

    def agree(self, m: Mover, two: bool) -> bool:
        """Whether this look, two: it shows two bodies, and those before it say so."""
        self._agree[m] = self._agree.get(m, 0) + 1 if two else 0
        return self._agree[m] >= AGREE
