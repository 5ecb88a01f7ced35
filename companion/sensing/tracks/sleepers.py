"""The bodies at rest that are not solved: their fields as one, and whether one of them stirs.

All of them at once, and anew only when another goes to rest or wakes: a frame costs what moves, not what lies there.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.dark import SEEN_MM
from companion.sensing.tracks.movers import Mover

WAKE_MM: Final = 16.0
WAKE_RMS: Final = 2.6
NEAR_HAND_MM: Final = 50.0


class Sleepers:
    """field (S,) mT: of all of them."""

    def __init__(self, layout: TableLayout) -> None:
        self._layout = layout
        self._movers: list[Mover] = []
        self._seen: list[tuple[Body, Floats]] = []
        self._take([])

    def see(self, asleep: Sequence[Mover]) -> None:
        """Those of this frame."""
        now = [(m.body, m.kept) for m in asleep]
        if len(now) != len(self._seen) or any(
            a is not c or b is not d for (a, b), (c, d) in zip(now, self._seen, strict=True)
        ):
            self._take(now)
        self._movers = list(asleep)

    def stirred(self, left: Floats, weight: Floats, hands: Sequence[Floats]) -> list[Mover]:
        """Those under which too much is left over, left (S,) mT with weight (S,) 1/mT2, or to which one of the hands,
        (3,) mm each, is near.
        """
        if not self._movers:
            return []
        wakes = self._mean @ (weight * left * left) > WAKE_RMS**2
        if hands:
            d = self._centres[:, None] - np.array(hands)
            wakes |= ((d * d).sum(axis=2) < NEAR_HAND_MM**2).any(axis=1)
        if not wakes.any():
            return []
        blind = (self._near @ (weight > 0.0) == 0.0) & self._near.any(axis=1)
        return [self._movers[k] for k in np.flatnonzero(wakes & ~blind)]

    def _take(self, now: list[tuple[Body, Floats]]) -> None:
        self._seen = now
        count = self._layout.count
        self.field = sum((kept for _, kept in now), np.zeros(count))
        self._centres = np.array([body.centre for body, _ in now]).reshape(-1, 3)
        reach = np.array([WAKE_MM + 6.0 * (len(body.tracks) - 1) for body, _ in now])
        dx = self._layout.position[:, 0] - self._centres[:, 0:1]
        dy = self._layout.position[:, 1] - self._centres[:, 1:2]
        away = dx * dx + dy * dy
        self._near = (away < SEEN_MM**2).astype(np.float64)
        near = away < (reach * reach)[:, None]
        self._mean = near / np.maximum(near.sum(axis=1, keepdims=True), 1)
