"""A start with stones on the board: what was remembered is checked against the readings, stone by stone.

From the mean of a quiet stretch each remembered body is fitted where it lay. One that the reading does not miss when it
is taken away in thought is gone; what is left over is searched for stones that have come, one at a time, the clearest
first (a board of which nothing is remembered is found so altogether). The weight and the residual then say how
far the result is to be believed. A stone that has come while another is gone is the same one, moved.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from companion.sensing.fields.births import LYING_MM, Births
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.lying import fit_lying
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.fields.stones import Population
from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.leftovers import SHAPE_SPREAD

DRIFT_MT: Final = 0.12
"""Zeros of an earlier session may be off by so much (companion.sensing.tracks.leftovers: 0.1 mT for some degrees)."""
LEAST_SHARE: Final = 0.35
"""A body explains at least so much of the chi squared that its own field would make; one that is gone none."""
BIRTH_GAIN: Final = 120.0
MOST_STONES: Final = 40
KEPT_MM, KEPT_TURN, KEPT_LOG = 1.5, 0.2, 0.08
"""How far a body that nobody touched can seem to have moved: other zeros, other leftovers."""
MOVED_MM: Final = 4.0
MISFIT: Final = 2.5
"""Chi squared a row (of the errors of zeros, gains and shapes) beyond which the stones do not explain the reading."""
STRANGE: Final = 5.0
"""Standard deviations of one sensor."""
APART_MM: Final = 9.0
_ROUND_MM: Final = 24.0


@dataclass(frozen=True, slots=True, eq=False)
class Recovered:
    """bodies: on the board, the remembered ones under their tracks; gone: tracks of remembered stones that are not
    there; come: tracks of stones that were not remembered; moved: those that lie elsewhere; misfit: of each body, chi
    squared a row near it; strange: sensors that show a field which no body explains; cost: chi squared of all rows;
    left (S,): residual, mT.
    """

    bodies: tuple[Body, ...]
    gone: tuple[int, ...]
    come: tuple[int, ...]
    moved: tuple[int, ...]
    misfit: tuple[float, ...]
    strange: int
    cost: float
    left: Floats

    @property
    def count(self) -> int:
        """Stones on the board."""
        return sum(len(b.tracks) for b in self.bodies)

    @property
    def doubtful(self) -> tuple[int, ...]:
        """Tracks of the stones that do not explain the reading where they lie."""
        return tuple(k for b, m in zip(self.bodies, self.misfit, strict=True) if m > MISFIT for k in b.tracks)


class Recovery:
    """Recovers one table's board. next_track: of the stones that are found."""

    def __init__(self, layout: TableLayout, sigma: Floats, population: Population, next_track: int) -> None:
        self._layout, self._sigma, self._population = layout, sigma, population
        self._model = FieldModel.of(layout)
        self._births = Births(layout, LYING_MM)
        self.next_track = next_track

    def recover(
        self,
        field: Floats,
        valid: Bools,
        remembered: Sequence[Body],
        doubted: Sequence[Body] = (),
        most: int = MOST_STONES,
    ) -> Recovered:
        """field (S,) mT: mean of a quiet stretch; valid (S,); doubted: of the remembered bodies, those that are looked
        for like stones of which nothing is known, though under their tracks; most: so many bodies, then no more are
        looked for.
        """
        doubtful = {b.tracks for b in doubted}
        kept = self._kept(field, valid, [b for b in remembered if b.tracks not in doubtful])
        found = self._found(field, valid, kept, most)
        bodies = self._refit(field, valid, [*kept, *found], len(kept))
        known = {k for b in remembered for k in b.tracks}
        still = {k for b in kept for k in b.tracks}
        bodies, moved = _renamed(bodies, len(kept), [b for b in remembered if b.tracks[0] not in still])
        gone = tuple(sorted(known - still - moved))
        here = {k for b in bodies for k in b.tracks}
        left = np.where(valid, field - self._fields(bodies).sum(axis=0), 0.0)
        weight = self._weight(field, valid, bodies)
        misfit = tuple(self._misfit(b, left, weight) for b in bodies)
        plain = 1.0 / (self._sigma**2 / 4.0 + DRIFT_MT**2 + (self._layout.gain_spread * field) ** 2)
        cost = float((np.where(valid, plain, 0.0) * left**2).sum())
        strange = int((weight * left**2 > STRANGE**2).sum())
        return Recovered(
            tuple(bodies), gone, tuple(sorted(here - known)), tuple(sorted(moved)), misfit, strange, cost, left
        )

    def _fields(self, bodies: Sequence[Body]) -> Floats:
        """(B, S) mT of each body."""
        return np.array([self._model.fields(b.stones).sum(axis=0) for b in bodies]).reshape(-1, self._layout.count)

    def _weight(self, field: Floats, valid: Bools, bodies: Sequence[Body]) -> Floats:
        """(S,) 1/mT2 of the errors of zeros, gains and shapes: a mean over many frames has hardly any noise."""
        variance = self._sigma**2 / 4.0 + DRIFT_MT**2 + (self._layout.gain_spread * field) ** 2
        for body, own in zip(bodies, self._fields(bodies), strict=True):
            d = self._layout.position[None, :, :2] - body.stones.position[:, None, :2]
            near = np.exp(-(d * d).sum(axis=2).min(axis=0) / 16.0**2)
            variance += (SHAPE_SPREAD * float(np.abs(own).max(initial=0.0)) * near) ** 2
        return np.where(valid, 1.0 / variance, 0.0)

    def _kept(self, field: Floats, valid: Bools, bodies: list[Body]) -> list[Body]:
        """The remembered bodies that lie there, fitted; the least likely one is given up first."""
        lain = {b.tracks: b.centre for b in bodies}
        while bodies:
            weight = self._weight(field, valid, bodies)
            priors = [
                Prior(b.centre, np.full(3, KEPT_MM), KEPT_TURN, float(np.log(b.moment)), KEPT_LOG) for b in bodies
            ]
            found = list(fit(self._layout, bodies, priors, field, weight, limit=8, floors=[0.0] * len(bodies)).bodies)
            own = self._fields(found)
            left = field - own.sum(axis=0)
            gain = (weight * ((left + own) ** 2 - left**2)).sum(axis=1)
            share = gain / np.maximum((weight * own**2).sum(axis=1), 1e-9)
            moved = np.array([float(np.linalg.norm(b.centre - lain[b.tracks])) for b in found])
            share = np.where(moved > MOVED_MM, -moved, share)
            worst = int(share.argmin())
            if share[worst] >= LEAST_SHARE:
                return found
            del bodies[worst]
        return []

    def _found(self, field: Floats, valid: Bools, kept: Sequence[Body], most: int) -> list[Body]:
        """Stones that no remembered body explains, one at a time."""
        moment, log_spread, shape = self._population
        out: list[Body] = []
        while len(kept) + len(out) < most:
            bodies = [*kept, *out]
            weight = self._weight(field, valid, bodies)
            left = np.where(valid, field - self._fields(bodies).sum(axis=0), 0.0)
            damp = np.minimum(1.0, np.sqrt(weight) * DRIFT_MT)
            best: tuple[float, Body] | None = None
            for c in self._births.search(left * damp, DRIFT_MT, np.zeros((0, 3)), 0.0, most=3):
                start = Body((self.next_track,), c.magnets(moment, shape))
                prior = Prior(c.place, np.array([14.0, 14.0, 8.0]), 2.0, float(np.log(moment)), log_spread)
                body = fit_lying(self._layout, start, prior, left, weight, 2.0, limit=14).bodies[0]
                own = self._fields([body])[0]
                gain = float((weight * (left**2 - (left - own) ** 2)).sum())
                if gain > BIRTH_GAIN and self._free(body, bodies) and (best is None or gain > best[0]):
                    best = gain, body
            if best is None:
                return out
            out.append(best[1])
            self.next_track += 1
            out = self._refit(field, valid, [*kept, *out], len(kept))[len(kept) :]
        return out

    def _free(self, body: Body, others: Sequence[Body]) -> bool:
        """It lies on the board, and nothing is there already."""
        at = body.centre
        if float(self._layout.beside(at[:2])) > 12.0 or not -2.0 < float(at[2]) < 30.0:
            return False
        return all(float(np.linalg.norm(o.stones.position - at, axis=1).min()) > APART_MM for o in others)

    def _refit(self, field: Floats, valid: Bools, bodies: Sequence[Body], kept: int) -> list[Body]:
        """All of them together; those found may move."""
        if not bodies:
            return []
        moment, log_spread, _ = self._population
        weight = self._weight(field, valid, bodies)
        priors = []
        for k, b in enumerate(bodies):
            if k < kept:
                priors.append(Prior(b.centre, np.full(3, KEPT_MM), KEPT_TURN, float(np.log(b.moment)), KEPT_LOG))
            else:
                priors.append(Prior(b.centre, np.full(3, 6.0), 0.6, float(np.log(moment)), log_spread))
        return list(fit(self._layout, bodies, priors, field, weight, limit=10, floors=[2.0] * len(bodies)).bodies)

    def _misfit(self, body: Body, left: Floats, weight: Floats) -> float:
        d = self._layout.position[:, :2] - body.centre[:2]
        near = ((d * d).sum(axis=1) < _ROUND_MM**2) & (weight > 0.0)
        return float((weight[near] * left[near] ** 2).mean()) if near.any() else 0.0


def _renamed(bodies: list[Body], kept: int, gone: Sequence[Body]) -> tuple[list[Body], set[int]]:
    """Stones found take the tracks of stones that are gone, the nearest pair first; and which those are."""
    lay = [(place, k) for b in gone for place, k in zip(b.stones.position, b.tracks, strict=True)]
    pairs = sorted(
        (float(np.linalg.norm(b.centre - place)), k, track)
        for k, b in enumerate(bodies[kept:], kept)
        for place, track in lay
    )
    out, taken = list(bodies), set[int]()
    for _, k, track in pairs:
        if out[k].tracks == bodies[k].tracks and track not in taken:
            out[k] = replace(out[k], tracks=(track,))
            taken.add(track)
    return out, taken
