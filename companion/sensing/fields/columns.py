"""How three stones that stick together lie: in columns face to face, and columns side by side with opposite poles.

A snap ends in one of a few shapes, and from most poses in which three stones met a fit runs into a minimum that is none
of them. So each shape, turned all ways, is fitted as one body; the best give way to their stones one by one, first with
a common moment, then as the stones that they can be by the moments that these had alone. What fits best is taken, where
misfit counts beside what no stones can do: lie in one another or apart, or without one that lies on the mat.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body, part
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import square
from companion.sensing.fields.prior import FLAT_HEIGHT, UPRIGHT_HEIGHT, Prior
from companion.sensing.fields.solver import fit
from companion.sensing.fields.stacks import STACK_MM
from companion.sensing.sensors.layout import Floats, TableLayout

STONES: Final = 3
_TURNS: Final = 8
_BESIDE_MM: Final = 15.0
_BEST: Final = 8  # of the shapes, each as one body
_ALIKE_MM: Final = 2.5
_PLACES: Final = 4  # that are not alike, their stones unnamed
_LAST: Final = 4  # with each stone named

_RADIUS_MM: Final = 7.75
_CONTACT_MM: Final = 1.5  # spread of a gap: stones are 13-20 mm across and no ellipses
_LOWEST_MM: Final = 1.0
_PUSHES: Final = 2
_LOG_SPREAD: Final = 0.08
"""Of the logarithm of a moment that was seen alone, as it shows in a cluster."""


def shapes() -> Iterator[tuple[Floats, Floats]]:
    """Places (3, 3) mm about the point of the mat under their middle, and axes (3, 3)."""
    up = np.array([0.0, 0.0, 1.0])
    for k in range(_TURNS):
        angle = 2.0 * np.pi * k / _TURNS
        along = np.array([np.cos(angle), np.sin(angle), 0.0])
        across = np.array([-along[1], along[0], 0.0])
        for axis in (up, -up):
            if k == 0:
                yield _columns((3,), along, axis, up)
            yield _columns((2, 1), along, axis, up)
            if k < _TURNS // 2:
                yield _columns((1, 1, 1), along, axis, up)
        yield _columns((3,), across, along, along)
        yield _columns((2, 1), across, along, along)
        yield _columns((2, 1), -across, along, along)
        if k < _TURNS // 2:
            yield _columns((1, 1, 1), across, along, along)


def _columns(sizes: Sequence[int], aside: Floats, axis: Floats, grows: Floats) -> tuple[Floats, Floats]:
    """Columns of so many stones, the next one aside; axis: of the first one's; grows: the way from stone to stone."""
    place, axes = [], []
    for c, size in enumerate(sizes):
        for k in range(size):
            place.append(c * _BESIDE_MM * aside + k * STACK_MM * grows)
            axes.append(axis * (-1.0) ** c)
    out = np.array(place)
    out[:, :2] -= out[:, :2].mean(axis=0)
    out[:, 2] += FLAT_HEIGHT[0] if grows[2] else UPRIGHT_HEIGHT[0]
    return out, np.array(axes)


@dataclass(frozen=True, slots=True, eq=False)
class Touch:
    """Between the stones of a body: gap (N, N) mm, less than 0 where they lie in one another, and toward (N, N, 3), the
    unit vector from the second to the first; high: mm that the lowest one lies above where it could, turned as it is.
    """

    gap: Floats
    toward: Floats
    high: float

    @classmethod
    def of(cls, body: Body) -> "Touch":
        """Of stones of a usual size and no known outline."""
        s = body.stones
        d = s.position[:, None] - s.position
        away = np.sqrt((d * d).sum(axis=2)) + 1e3 * np.eye(len(s))
        toward = d / away[..., None]
        reach = _half((toward * s.axis[:, None]).sum(axis=2)) + _half((toward * s.axis).sum(axis=2))
        lean = np.sqrt(np.maximum(0.0, 1.0 - s.axis[:, 2] ** 2))
        lies = FLAT_HEIGHT[0] + lean * (UPRIGHT_HEIGHT[0] - FLAT_HEIGHT[0])
        return cls(away - reach, toward, float((s.position[:, 2] - lies).min()))

    @property
    def unlikely(self) -> float:
        """In units of chi squared: each overlap, each stone's gap to the next, and how the lowest lies."""
        overlap = np.minimum(self.gap, 0.0) / _CONTACT_MM
        apart = np.maximum(self.gap.min(axis=1), 0.0) / _CONTACT_MM
        return float(0.5 * (overlap**2).sum() + (apart**2).sum() + (self.high / _LOWEST_MM) ** 2)

    def shift(self) -> Floats:
        """By which the stones (N, 3) mm would go to touch and to lie on the mat."""
        next_one = self.gap <= self.gap.min(axis=1, keepdims=True)
        by = np.where((self.gap < 0.0) | next_one | next_one.T, self.gap, 0.0)
        out: Floats = -0.5 * np.einsum("ij,ijk->ik", by, self.toward)
        out[:, 2] -= self.high
        return out


def _half(cosine: Floats) -> Floats:
    """How far a stone reaches from its centre, mm, at an angle to its axis: between a disc and an ellipsoid."""
    sine = np.sqrt(np.maximum(0.0, 1.0 - cosine**2))
    out: Floats = ((2.0 * cosine / STACK_MM) ** 4 + (sine / _RADIUS_MM) ** 4) ** -0.25
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Fits of three stones. mean (S,) mT: what they alone show; weight (S,) 1/mT2; floor: of their centres, mm."""

    layout: TableLayout
    mean: Floats
    weight: Floats
    floor: float

    def best(self, body: Body) -> Body:
        """Three stones with the moments that they had alone; they lie near where the body is, or as it does."""
        common, known = _same(body).stones.log_moment, body.stones.log_moment
        loose = [self._alone(start, common, 5.0, 0.2) for start in (*self._rigid(body), body)]
        places: list[Body] = []
        for start in _by_cost(loose):
            if len(places) < _PLACES and not any(_alike(start, other) for other in places):
                places.append(start)
        named = [self._alone(each, known, 3.0, _LOG_SPREAD) for start in places for each in _orders(start, body)]
        return _by_cost([self._pushed(start, known) for start in _by_cost(named)[:_LAST]])[0]

    def lying(self, body: Body) -> Body | None:
        """The same of stones that seem to be held in the air; None where they are, by what they show."""
        found = self.best(body)
        _, held = self._alone(body, body.stones.log_moment, 3.0, _LOG_SPREAD)
        low = float(found.stones.position[:, 2].min()) < UPRIGHT_HEIGHT[0] + _LOWEST_MM
        return found if low and self._misfit(found) <= self._misfit(held) else None

    def _misfit(self, body: Body) -> float:
        left = self.mean - FieldModel.of(self.layout).fields(body.stones).sum(axis=0)
        return float(self.weight @ (left * left))

    def _rigid(self, body: Body) -> list[Body]:
        """The shapes that fit best as they are, about where the body is."""
        same = _same(body)
        under = np.array([*body.centre[:2], 0.0])
        fits = []
        for place, axes in shapes():
            start = Body(body.tracks, replace(same.stones, position=under + place, axis=axes, side=square(axes)))
            prior = Prior(start.centre, np.array([6.0, 6.0, 2.0]), 0.5, start.log_moment, 0.1)
            fits.append(fit(self.layout, [start], [prior], self.mean, self.weight, limit=5, floors=[self.floor]))
        return [found.bodies[0] for found in sorted(fits, key=lambda found: found.cost)[:_BEST]]

    def _pushed(self, start: Body, known: Floats) -> tuple[float, Body]:
        """To where its stones touch, each with its long side the better way round."""
        cost, found = np.inf, start
        for _ in range(_PUSHES):
            s = found.stones
            touching = Body(found.tracks, replace(s, position=s.position + Touch.of(found).shift()))
            cost, found = self._alone(touching, known, 1.0, _LOG_SPREAD)
        for k in np.flatnonzero(found.stones.shape[:, 2]).tolist():
            other = self._alone(_rolled(found, k), known, 1.0, _LOG_SPREAD)
            cost, found = min((cost, found), other, key=lambda each: each[0])
        return cost, found

    def _alone(self, start: Body, log_moment: Floats, place_mm: float, log_spread: float) -> tuple[float, Body]:
        """Each stone fitted by itself, within place_mm of where it is; with what speaks against such a pose."""
        alone = [part(start, [i]) for i in range(len(start.tracks))]
        priors = [
            Prior(b.centre, np.full(3, place_mm), 0.5, float(m), log_spread)
            for b, m in zip(alone, log_moment, strict=True)
        ]
        floors = [self.floor] * len(alone)
        found = fit(self.layout, alone, priors, self.mean, self.weight, limit=10, floors=floors)
        out = Body(start.tracks, found.bodies[0].stones.joined(*(b.stones for b in found.bodies[1:])))
        return found.cost + Touch.of(out).unlikely, out


def _by_cost(found: list[tuple[float, Body]]) -> list[Body]:
    return [body for _, body in sorted(found, key=lambda each: each[0])]


def _same(body: Body) -> Body:
    """The body with one moment for all its stones."""
    each = np.full(len(body.tracks), np.log(body.moment / len(body.tracks)))
    return Body(body.tracks, replace(body.stones, log_moment=each))


def _alike(a: Body, b: Body) -> bool:
    """The same places, whichever stone is where."""
    d = a.stones.position[:, None] - b.stones.position
    return bool(((d * d).sum(axis=2).min(axis=1) < _ALIKE_MM**2).all())


def _rolled(body: Body, k: int) -> Body:
    """With the k-th stone a quarter turn about its moment: the field has a minimum there too."""
    s, side = body.stones, body.stones.side.copy()
    side[k] = np.cross(s.axis[k], side[k])
    return Body(body.tracks, replace(s, side=side))


def _orders(start: Body, body: Body) -> list[Body]:
    """The body's stones in the places of start, in all orders."""
    s = start.stones
    return [
        Body(body.tracks, replace(body.stones, position=s.position[o], axis=s.axis[o], side=s.side[o]))
        for o in map(list, permutations(range(len(body.tracks))))
    ]
