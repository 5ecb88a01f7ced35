"""What the model leaves over at rest, learned so that a new stone stands out - and never so much that it hides one.

`bare` is what sensors show with no stone near: the drift of their zeros, piles beside the board. `extra` is what
errors of gain and shape leave over round a resting body; it is owned by that body and forgotten with it. Rows
that a body has just left are trusted less (`scar`) until their bare part is learned anew. `background` is what all
sensors show alike.

Bare and extra are bounded by what such errors can be. Without a bound a stone that no track explains is learned away
within half a second, and when it leaves, what it leaves behind looks like a stone: a ghost.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.sensors.layout import Bools, Floats, TableLayout
from companion.sensing.tracks.groups import median
from companion.sensing.tracks.movers import Mover

OWN_MM: Final = 42.0
DRIFT_RATE: Final = 0.005
"""Of the residual, a frame: within two seconds. Nothing that drifts is faster, and what a hand shows that hovers 60 mm
over the board, or pushes from beside it, must not be learned before it is seen.
"""
BACKGROUND_RATE: Final = 0.03
BACKGROUND_LEAK: Final = 0.002
"""A frame. The uniform part follows at once what all sensors share (the supply, a table that is turned), and is handed
over within some seconds to what each sensor has by itself: of a uniform error of the stones' far fields, which differs
with every stone that comes or goes, nothing may be left in it.
"""
FREE: Final = 0.8
FEWEST_FREE: Final = 20
"""What sensors have in common those show that no body's wrong shape disturbs: their weight is nearly that of the noise
alone.
"""
SCAR_MT: Final = 0.3
NEAR_SCAR_MM: Final = 60.0
BARE_LIMIT_MT: Final = 0.35
"""Drift of a zero by some degrees (0.1 mT), a pile of stones set down 150 mm beside the sensor (0.15 mT), a table
turned under the earth's field (0.1 mT)."""

SHAPE_PEAK: Final = 0.4
SHAPE_MM: Final = 16.0
"""Worst sensor of a shape that DEFAULT_SHAPE describes badly, as a part of the peak, under the stone only: 28 %
(a bar on edge), and its gain's error on top."""

SHAPE_SPREAD: Final = 0.12
"""The same as a standard deviation over shapes and sensors under the stone."""


class Leftovers:
    """Of one table: bare, extra and scar (S,) mT, mT and mT2; background mT; owner (S,): the first track of a resting
    body.
    """

    def __init__(self, layout: TableLayout) -> None:
        self._at, self._gain_spread = layout.position[:, :2], layout.gain_spread
        count = layout.count
        self.bare = np.zeros(count)
        self.extra = np.zeros(count)
        self.background = 0.0
        self.owner = np.full(count, -1)
        self.scar = np.zeros(count)
        self._limit = np.full(count, BARE_LIMIT_MT)

    def taken_from(self, field: Floats) -> Floats:
        """What bodies have to explain of a field (S,) mT."""
        out: Floats = field - self.learned
        return out

    @property
    def learned(self) -> Floats:
        """What sensors (S,) show that no body is taken to give, mT."""
        out: Floats = self.bare + self.extra + self.background
        return out

    def added_to(self, field: Floats) -> Floats:
        """What sensors show where bodies give the field (S,) mT."""
        out: Floats = field + self.learned
        return out

    def share(self, residual: Floats, trust: Floats) -> None:
        """Follow what all sensors have in common in the residual (S,) mT of a frame. trust (S,): the sensors' weights,
        as parts of what noise alone would leave them.
        """
        free = trust > FREE
        if free.sum() > FEWEST_FREE:
            self.background += BACKGROUND_RATE * median(residual[free]) - BACKGROUND_LEAK * self.background

    def quiet(self, residual: Floats, settled: bool) -> None:
        """Nothing moves on or over the board: follow the residual (S,) mT of this frame slowly, and what all sensors
        have in common.
        """
        if settled:
            self._follow(DRIFT_RATE * residual + BACKGROUND_LEAK * self.background)

    def zeroed(self, shift: Floats) -> None:
        """The zeros have moved by shift (S,) mT: what was drift in `bare` is in them now."""
        self.bare -= shift

    def heal(self, residual: Floats, moving: Sequence[Mover]) -> None:
        """Where a body has gone, what it leaves over is learned anew as soon as nothing moves near."""
        hurt = self.scar > 1e-4
        if not hurt.any():
            return
        hurt &= self.calm(moving)
        self._follow(np.where(hurt, 0.08 * residual, 0.0))
        self.scar[hurt] *= 0.95

    def calm(self, moving: Sequence[Mover]) -> Bools:
        """Sensors (S,) that no moving body is near: what these show is theirs."""
        if not moving:
            return np.ones(len(self.bare), dtype=np.bool_)
        places = np.array([m.body.centre for m in moving])
        dx = self._at[:, 0] - places[:, 0:1]
        dy = self._at[:, 1] - places[:, 1:2]
        out: Bools = (dx * dx + dy * dy).min(axis=0) > NEAR_SCAR_MM**2
        return out

    def rest(self, m: Mover, left: Floats, valid: Bools) -> Floats:
        """A body has come to rest and leaves `left` (S,) mT over: its own now. What was added to extra, (S,)."""
        mine = (self.owner == m.body.tracks[0]) & valid
        before = self.extra.copy()
        self.extra[mine] = np.clip(self.extra[mine] + left[mine], -self._limit[mine], self._limit[mine])
        self.scar[mine] = 0.0
        return self.extra - before

    def spread(self, moving: Sequence[Mover]) -> Floats:
        """Variance (S,) mT2 of what the shapes of bodies that move leave over and is not learned."""
        if not moving:
            return np.zeros(len(self.scar))
        under = self._under(moving)
        out: Floats = SHAPE_SPREAD**2 * np.einsum("ms,ms->s", under, under)
        return out

    def _under(self, bodies: Sequence[Mover]) -> Floats:
        """Each body's peak field under its stones, less and less beside them; (M, S) mT."""
        place = np.concatenate([m.body.stones.position for m in bodies])
        dx = self._at[:, 0] - place[:, 0:1]
        dy = self._at[:, 1] - place[:, 1:2]
        away = dx * dx + dy * dy
        if len(place) > len(bodies):
            starts = np.cumsum([0, *(len(m.body.tracks) for m in bodies[:-1])])
            away = np.minimum.reduceat(away, starts, axis=0)
        peak = np.array([np.abs(m.kept).max(initial=0.0) for m in bodies])
        out: Floats = peak[:, None] * np.exp(away / -(SHAPE_MM**2))
        return out

    def own(self, resting: Sequence[Mover]) -> None:
        """Each sensor near a resting body belongs to the nearest one."""
        owner = np.full(len(self.bare), -1)
        if resting:
            at = np.array([m.rested for m in resting])[:, :2]
            dx, dy = self._at[:, 0] - at[:, 0:1], self._at[:, 1] - at[:, 1:2]
            away = dx * dx + dy * dy
            k = away.argmin(axis=0)
            near = away.min(axis=0) < OWN_MM**2
            first = np.array([m.body.tracks[0] for m in resting])
            owner[near] = first[k[near]]
        self.extra[owner < 0] = 0.0
        self.owner = owner
        self._limit[:] = BARE_LIMIT_MT
        if resting:
            for m, under in zip(resting, self._under(resting), strict=True):
                self._limit += 3.0 * self._gain_spread * np.abs(m.kept) + SHAPE_PEAK * under

    def forget(self, m: Mover) -> None:
        """The body lies there no more."""
        mine = self.owner == m.body.tracks[0]
        self.extra[mine] = 0.0
        self.scar[mine] = SCAR_MT**2
        self.owner[mine] = -1

    def _follow(self, change: Floats) -> None:
        owned = self.owner >= 0
        self.bare += np.where(owned, 0.0, change)
        self.extra += np.where(owned, change, 0.0)
        np.clip(self.bare, -BARE_LIMIT_MT, BARE_LIMIT_MT, out=self.bare)
        np.clip(self.extra, -self._limit, self._limit, out=self.extra)
