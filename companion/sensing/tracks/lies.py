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
from companion.sensing.tracks.together import Solved, Together, over
from companion.table import BoardTime

AGAIN_FRAMES: Final = 5
STIRS: Final = 30.0
"""Gain in chi squared by letting one move: six unknowns gain so much by chance in one of 25000 frames, a stone that has
moved by 2 mm gains more. The most, too, that to hold one again may cost beside its going on from where it was followed
to: that may be farther off than first order tells.
"""
CHANCE: Final = 6.0
"""Gain that is expected of six unknowns."""
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
        self._slopes: dict[Mover, tuple[Body, Floats]] = {}  # of those lying so, (UNKNOWNS, S): the same in each frame

    def loose(self, active: Sequence[Mover]) -> list[Mover]:
        """Those of a frame that have to be solved."""
        self._tried.clear()
        here = set(active)
        self._slopes = {m: known for m, known in self._slopes.items() if m in here and m.lain is known[0]}
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

    def solved(
        self,
        together: Together,
        loose: Sequence[Mover],
        active: Sequence[Mover],
        clean: Floats,
        weight: Floats,
        t_us: BoardTime,
    ) -> dict[Mover, Solved]:
        """The bodies of a frame that are not held; clean (S,) mT: what all the active show, with weight (S,) 1/mT2."""
        found = together.solve(loose, active, clean, weight)
        stirs = self.stirring(active, over(active, found, clean), weight)
        if stirs:
            found = together.solve([*loose, *stirs], active, clean, weight)
        again = list(self._tried)
        if again:
            cost = _cost(over(active, found, clean), weight)
            lain = [(m.body, m.kept) for m in again]
            for m in again:
                m.body, m.kept = self._tried[m]
            went = together.solve([*loose, *stirs, *again], active, clean, weight)
            if cost - _cost(over(active, went, clean), weight) > _by_chance(len(again)):
                for m in again:
                    m.pinned = False
                return went
            for m, (body, kept) in zip(again, lain, strict=True):
                self._back(m, body, kept, t_us)
        return found

    def stirring(self, active: Sequence[Mover], left: Floats, weight: Floats) -> list[Mover]:
        """Those held that must be let go, by what is left over, (S,) mT with weight (S,) 1/mT2."""
        held = [m for m in active if m.pinned]
        out = [m for m, gain in zip(held, self._gains(held, left, weight), strict=True) if gain > STIRS]
        for m in out:
            m.pinned = False
            if m in self._tried:
                m.body, m.kept = self._tried.pop(m)
            else:
                m.loose = 0
        return out

    def _gains(self, held: Sequence[Mover], left: Floats, weight: Floats) -> list[float]:
        """Of chi squared by letting each of them move, to first order."""
        if not held:
            return []
        slopes = np.array([self._slopes_of(m) for m in held])
        scaled = slopes * weight
        pull, normal = scaled @ left, scaled @ slopes.transpose(0, 2, 1)
        normal.reshape(len(held), -1)[:, :: UNKNOWNS + 1] += FREE
        step = np.linalg.solve(normal, pull[:, :, None])[:, :, 0]
        gains: list[float] = (pull * step).sum(axis=1).tolist()
        return gains

    def _slopes_of(self, m: Mover) -> Floats:
        body, slopes = self._slopes.get(m, (None, None))
        if slopes is None or body is not m.body:
            slopes = self._model.jacobian(m.body.stones)[1].reshape(UNKNOWNS, -1)
            self._slopes[m] = m.body, slopes
        return slopes

    def _back(self, m: Mover, lain: Body, kept: Floats, t_us: BoardTime) -> None:
        """It has lain there all the time, and not been where it was followed to."""
        off = float(np.linalg.norm(m.body.centre - lain.centre))
        m.body, m.kept = lain, kept
        if off > BACK_MM:
            m.set(lain, t_us)


def _by_chance(count: int) -> float:
    """So much so many of them gain as rarely as one gains STIRS: a sum's mean and its spread."""
    return CHANCE * count + (STIRS - CHANCE) * float(np.sqrt(count))


def _cost(left: Floats, weight: Floats) -> float:
    return float(weight @ (left * left))
