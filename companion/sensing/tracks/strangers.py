"""Whether what is left over somewhere is a stone of which nothing is known yet: fitted there, and beside what else may
have left it: a body that is not understood yet, a stone that has moved there, one that lies on the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.fields.births import Candidate
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.fields.stones import Population
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.beside_fallen import Seen, seen_beside
from companion.sensing.tracks.movers import SEEN_GAIN, Mover, Phase

AVERAGE: Final = 6
"""Frames over which what is left over is averaged."""

BIRTH_GAIN: Final = 45.0

APART_MM: Final = 28.0
MISFIT: Final = 1.8
MISFIT_MM: Final = 120.0
FALLEN_MM: Final = 60.0
LOW_MM: Final = 9.0
HIGHEST_MM, FARTHEST_MM = 85.0, 32.0
"""Over the mats and beside them: farther off a stone is not seen by itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Left:
    """What AVERAGE frames leave over: mean (S,) mT; weight (S,) 1/mT2 of one frame; trust (S,): of the mean."""

    mean: Floats
    weight: Floats
    trust: Floats

    @property
    def most(self) -> float:
        """Evidence a frame that no stone can exceed: it explains no more than all of it."""
        return float(self.trust @ (self.mean * self.mean)) / AVERAGE


class Strangers:
    """risen: stones that lay on the table, and are seen higher now."""

    def __init__(self, layout: TableLayout, sigma: Floats, population: Population) -> None:
        """sigma (S,) mT: noise of a reading; population: what stones are like."""
        self._moment, self._log_spread, self._shape = population
        self._layout, self._sigma = layout, sigma
        self._model = FieldModel.of(layout)
        self.risen: list[Mover] = []

    def left(self, mean: Floats, weight: Floats) -> Left:
        """Of a mean (S,) mT the noise alone is less than in one frame, whose weight (S,) 1/mT2 is given."""
        noise = self._sigma**2 * (1 - 1 / AVERAGE)
        trust = np.where(weight > 0.0, 1.0 / (1.0 / np.maximum(weight, 1e-9) - noise), 0.0)
        return Left(mean, weight, trust)

    def body(self, c: Candidate, track: int) -> Body:
        """A usual stone at a place."""
        return Body((track,), c.magnets(self._moment, self._shape))

    def found(self, c: Candidate, track: int, movers: Sequence[Mover], left: Left) -> tuple[Body, float] | None:
        """The stone there and its evidence a frame, if it is one that no mover explains."""
        prior = Prior(c.place, np.array([25.0, 25.0, 25.0]), 2.0, float(np.log(self._moment)), self._log_spread)
        body = fit(self._layout, [self.body(c, track)], [prior], left.mean, left.trust, limit=12).bodies[0]
        own = self._model.fields(body.stones).sum(0)
        gain = float((left.trust * (left.mean**2 - (left.mean - own) ** 2)).sum())
        at = body.centre
        if gain < BIRTH_GAIN or at[2] > HIGHEST_MM or float(self._layout.beside(at[:2])) > FARTHEST_MM:
            return None
        if at[2] < LOW_MM and gain / AVERAGE < SEEN_GAIN:
            return None  # so low a stone is seen well
        for m in movers:
            if apart(m, at) < 0.8 * APART_MM:
                return None
            odd = m.phase is Phase.BOARD and m.awake and (not m.single or m.misfit > MISFIT)
            if odd and apart(m, at) < MISFIT_MM and not self._both(m, body, left):
                return None  # what is left over belongs to a body that is not understood yet
        return None if self._may_be_fallen(body, movers, left) else (body, gain / AVERAGE)

    def _prior(self, body: Body) -> Prior:
        return Prior(body.centre, np.full(3, 10.0), 1.0, float(np.log(self._moment)), self._log_spread)

    def _both(self, m: Mover, body: Body, left: Left) -> bool:
        """Whether the stranger is there beside the single stone m, rather than m having moved there."""
        if not m.single:
            return False
        prior = Prior(m.body.centre, np.full(3, 6.0), 0.5, m.log_moment, 0.1)
        target = left.mean + m.kept
        both = fit(self._layout, [m.body, body], [prior, self._prior(body)], target, left.trust, limit=8)
        alone = fit(self._layout, [body], [self._prior(body)], target, left.trust, limit=8)
        return alone.cost - both.cost > SEEN_GAIN and apart(m, both.bodies[0].centre) < 10.0

    def _may_be_fallen(self, body: Body, movers: Sequence[Mover], left: Left) -> bool:
        """Near a stone that lies on the table, or beside the mats near one that falls to it, it may be that one."""
        over = float(self._layout.beside(body.centre[:2])) <= 0.0
        near = [m for m in movers if m.phase is Phase.TABLE and level(m, body.centre) < FALLEN_MM]
        for m in near:
            if over and (m.awake or m.rested is None):
                continue  # it is not known where it lies
            if over or m.weak_us is None:
                seen = seen_beside(self._layout, m, body, self._prior(body), left.mean + m.kept, left.weight)
                if seen is Seen.BOTH:
                    continue
                if seen is Seen.RISEN:
                    self.risen.append(m)
                return True
        return not over and any(m.weak_us is not None for m in near)


def level(m: Mover, place: Floats) -> float:
    """From a body to a place (3,) mm, measured level."""
    return float(np.linalg.norm((m.body.centre - place)[:2]))


def apart(m: Mover, place: Floats) -> float:
    """From a body to a place (3,) mm."""
    return float(np.linalg.norm(m.body.centre - place))
