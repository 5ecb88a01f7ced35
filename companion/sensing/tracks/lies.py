"""A stone at rest with a hand's stone near it lies as it lay until the reading says otherwise.

Solved with it, free as what moves is, the stones under a hand's would explain most of what it shows among them, each a
little off its place: a stone carried 30 mm over twenty is worth 335 in chi squared a frame, of which 6 would be left.
Its track is lost, or drawn to one of them. But most of them lie still. So they are held, with what their shapes leave
over as it was learned. One that explains more than chance does, once it may move, is let go in that very frame; and of
one that was let go it is asked again and again whether the hand's stone alone explains as much, with it back where it
lay.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import UNKNOWNS, FieldModel
from companion.sensing.sensors.layout import Floats
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import BoardTime

AGAIN_FRAMES: Final = 5
STIRS: Final = 30.0
"""Gain in chi squared by letting one move: six unknowns gain so much by chance in one of 25000 frames, a stone that has
moved by 2 mm gains more."""
FREE: Final = np.array([12.0, 12.0, 12.0, 0.5, 0.5, 0.5, 0.05]) ** -2.0
"""Inverse variances of what it may do then, mm, rad and the moment's logarithm."""
BACK_MM: Final = 2.0
"""Set back by more, its way says nothing of how fast it went."""


class Lies:
    """Which of a table's stones that are awake are held where they lay."""

    def __init__(self, model: FieldModel) -> None:
        """model: of all the table's sensors."""
        self._model = model
        self._tried: dict[Mover, tuple[Body, Floats]] = {}  # held again in this frame: how they were followed until now
        self._slopes: dict[Mover, tuple[Body, Floats]] = {}  # of what is held, (UNKNOWNS, S): the same in each frame

    def loose(self, active: Sequence[Mover]) -> list[Mover]:
        """Those of a frame that have to be solved."""
        self._tried.clear()
        self._slopes = {m: known for m, known in self._slopes.items() if m.pinned and m.awake}
        hand = any(m.carried and m.told for m in active)
        return [m for m in active if not self._held(m, hand)]

    def _held(self, m: Mover, hand: bool) -> bool:
        """hand: a hand is known to be there. Where none is, what a stone that moves leaves over would be found as a
        hand's, and explain that it lies.
        """
        if m.lain is None:
            return False
        if m.phase is not Phase.BOARD or m.body.tracks != m.lain.tracks:
            m.lain, m.pinned = None, False
            return False
        if not hand:
            m.pinned, m.loose = False, 0
            return False
        if m.pinned:
            return True
        m.loose += 1
        if m.loose % AGAIN_FRAMES:
            return False
        self._tried[m] = m.body, m.kept
        m.pinned, m.body, m.kept = True, m.lain, self._model.fields(m.lain.stones).sum(axis=0)
        return True

    def stirring(self, active: Sequence[Mover], left: Floats, weight: Floats) -> list[Mover]:
        """Those held that must be let go, by what is left over, (S,) mT with weight (S,) 1/mT2."""
        out = [m for m in active if m.pinned and self._gain(m, left, weight) > STIRS]
        for m in out:
            m.pinned = False
            if m in self._tried:
                m.body, m.kept = self._tried.pop(m)
            else:
                m.loose = 0
        return out

    def _gain(self, m: Mover, left: Floats, weight: Floats) -> float:
        """Of chi squared by letting it move, to first order."""
        body, slopes = self._slopes.get(m, (None, None))
        if slopes is None or body is not m.body:
            slopes = self._model.jacobian(m.body.stones)[1].reshape(UNKNOWNS, -1)
            self._slopes[m] = m.body, slopes
        scaled = slopes * weight
        pull, normal = scaled @ left, scaled @ slopes.T
        normal.flat[:: UNKNOWNS + 1] += FREE
        return float(pull @ np.linalg.solve(normal, pull))

    def back(self, t_us: BoardTime) -> None:
        """Those that are held again have not been where they were followed to."""
        for m, (body, _) in self._tried.items():
            if float(np.linalg.norm(body.centre - m.body.centre)) > BACK_MM:
                m.set(m.body, t_us)
