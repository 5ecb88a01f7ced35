"""Rigid bodies of magnets: what sticks together moves as one, and is solved as one.

A body is one stone, the ordinary case, or a cluster. Its unknowns are a shift, a turn and a common factor of
the moments, whatever the number of stones, so a carried cluster costs no more than a carried stone and cannot
come apart into ghosts. The slopes follow from the stones' own (companion.sensing.fields.dipole): with a turn w about
the body's centre c a stone at p shifts by w x (p - c) and its axis u turns by w x u.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from companion.sensing.fields.magnets import Magnets, cross, turned
from companion.sensing.sensors.layout import Floats


@dataclass(frozen=True, eq=False)
class Body:
    """Stones that move together. tracks: their ids; stones: N of them, in the same order, which do not change."""

    tracks: tuple[int, ...]
    stones: Magnets

    @cached_property
    def centre(self) -> Floats:
        """(3,) mm, weighted by the moments, which go with the masses; read-only."""
        if len(self.tracks) == 1:
            c: Floats = self.stones.position[0].copy()
        else:
            m = self.stones.moment
            c = m @ self.stones.position / m.sum()
        c.setflags(write=False)
        return c

    @property
    def moment(self) -> float:
        """Sum of the stones' moments' sizes, A m2."""
        return float(self.stones.moment.sum())

    @property
    def up(self) -> float:
        """How far the first stone's moment points up or down, 0 to 1."""
        return abs(float(self.stones.axis[0, 2]))

    @property
    def log_moment(self) -> float:
        """Natural logarithm of `moment`."""
        if len(self.tracks) == 1:
            return float(self.stones.log_moment[0])
        return float(np.log(self.stones.moment.sum()))

    @property
    def axis(self) -> Floats:
        """(3,) unit vector of the body's whole moment (of its first stone where the moments cancel)."""
        total = self.stones.moment @ self.stones.axis
        size = float(np.sqrt(total @ total))
        out: Floats = total / size if size > 0.05 * self.moment else self.stones.axis[0]
        return out

    def moved(self, step: Floats) -> "Body":
        """The body after a step (7,) of its unknowns."""
        return Group([self]).moved(step[None]).bodies[0]

    def shifted(self, by: Floats) -> "Body":
        """The same body, shifted by (3,) mm."""
        s = self.stones
        return Body(self.tracks, Magnets(s.position + by, s.axis, s.log_moment, s.shape, s.side))


def joined(a: Body, b: Body) -> Body:
    """One body of two, each stone where it is."""
    return Body(a.tracks + b.tracks, a.stones.joined(b.stones))


def part(body: Body, which: Sequence[int]) -> Body:
    """The body of some of the stones, by their places in `tracks`."""
    return Body(tuple(body.tracks[i] for i in which), body.stones.take(list(which)))


def with_moments(body: Body, known: Mapping[int, float]) -> Body:
    """The body with the moments that its stones are known to have. known: track -> natural logarithm of A.m2."""
    s = body.stones
    moments = [known.get(t, float(m)) for t, m in zip(body.tracks, s.log_moment, strict=True)]
    return Body(body.tracks, replace(s, log_moment=np.array(moments)))


def align(a: Floats, b: Floats) -> Floats:
    """The turn vector that takes the unit vector a to b by the shortest way."""
    across = cross(a[None], b[None])[0]
    sine, cosine = float(np.sqrt(across @ across)), float(a @ b)
    if sine < 1e-9:
        side = np.eye(3)[int(np.argmin(np.abs(a)))]
        square = np.cross(a, side)
        out: Floats = np.zeros(3) if cosine > 0.0 else np.pi * square / np.linalg.norm(square)
        return out
    out = across / sine * float(np.arctan2(sine, cosine))
    return out


class Group:
    """B bodies side by side, as one set of N stones, so that they are moved and solved without a loop.

    stones: body by body; starts (B,): the first stone of each; of (N,): each stone's body.
    """

    def __init__(self, bodies: Sequence[Body]) -> None:
        """Raises ValueError where there is no body."""
        if not bodies:
            raise ValueError("a group needs at least one body")
        sizes = [len(b.stones) for b in bodies]
        self._tracks = [b.tracks for b in bodies]
        self.starts = np.cumsum([0, *sizes[:-1]])
        self.of = np.repeat(np.arange(len(sizes)), sizes)
        self.single = len(self.of) == len(sizes)
        self.stones = bodies[0].stones
        if len(bodies) > 1:
            self.stones = self.stones.joined(*(b.stones for b in bodies[1:]))
        self._pose()

    def _pose(self) -> None:
        s = self.stones
        if self.single:
            self.centres, self.log_moments = s.position, s.log_moment
            return
        moment = s.moment
        total = np.add.reduceat(moment, self.starts)
        self.centres = np.add.reduceat(moment[:, None] * s.position, self.starts) / total[:, None]
        self.log_moments = np.log(total)
        self.arms = s.position - self.centres[self.of]

    def moved(self, step: Floats, floors: Floats | None = None) -> "Group":
        """After a step (B, 7) of the unknowns; floors (B,): bodies are raised until no centre lies lower, mm."""
        out = object.__new__(Group)
        out._tracks, out.starts, out.of, out.single = self._tracks, self.starts, self.of, self.single
        if self.single:
            out.stones = self.stones.stepped(step)
            height = out.stones.position[:, 2]
            if floors is not None:
                np.maximum(height, floors, out=height)
        else:
            each = step[self.of]
            out.stones = self.stones.stepped(each)
            place = out.stones.position
            place += turned(self.arms, each[:, 3:6]) - self.arms
            if floors is not None:
                low = np.maximum(floors - np.minimum.reduceat(place[:, 2], self.starts), 0.0)
                place[:, 2] += low[self.of]
        out._pose()
        return out

    @property
    def bodies(self) -> tuple[Body, ...]:
        """The bodies one by one, in the order given."""
        s, out = self.stones, []
        for tracks, first in zip(self._tracks, self.starts.tolist(), strict=True):
            at = slice(first, first + len(tracks))
            of = Magnets(s.position[at], s.axis[at], s.log_moment[at], s.shape[at], s.side[at])
            out.append(Body(tracks, of))
        return tuple(out)
