"""The stones of the virtual table and what moves them: magnetism, friction, hands and edges. Light and believable.

Stones lie flat or stand on their edge. Between two dipoles m1 and m2, d apart, the force on the first is
K [3 (m2.d) m1 + 3 (m1.d) m2 + 3 (m1.m2) d - 15 (m1.d) (m2.d) d / d^2] / d^5: lying side by side, like poles push and
unlike ones pull. A stone slides where that is more than friction. One that stands is tipped over where the field of the
others turns it harder than its weight keeps it on its edge. Stones that pull together until they touch stay together, a
cluster; it moves as one. A stone whose centre leaves the mats falls to the table.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

import numpy as np

from drivers.virtual.place import Floats, Place

_K: Final = 1e11  # mu0/4pi for moments in A.m2, lengths in mm, forces in g.mm/s2
_G: Final = 9810.0  # mm/s2
_FIELD: Final = 1e5  # the same with the field in mT: a moment turns with m B, 1e-3 N.m
_FRICTION: Final = 0.45
_TIP_S: Final = 0.12  # a standing stone takes so long to fall flat
_FASTEST: Final = 1200.0  # mm/s; a snap closes at 0.7 to 2 m/s
_STEPS: Final = 5  # of the motion in a frame
_FAR: Final = 70.0  # mm beyond which no force is looked at
_SLOW: Final = 1.0  # mm/s below which a stone rests


class Where(IntEnum):
    """Where a stone is."""

    PILE = 0
    BOARD = 1
    HAND = 2
    FALLING = 3
    TABLE = 4


class World:
    """n stones. position (n, 3) of the centres; pole (n,) +1 north up or -1; tilt (n,): 0 lies flat, 1 stands on its
    edge, its north towards turn (n,), radians; where (n,) of Where; owner (n,) of the player in whose pile it counts,
    also while it is played; label (n,): stones of one label stick together.

    fell: stones that have fallen since somebody looked, in order.
    """

    def __init__(self, place: Place, count: int = 20, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.place = place
        self.count = count
        self.moment: Floats = np.exp(rng.normal(np.log(0.29), 0.15, count))
        self.mass: Floats = 20.0 * self.moment * rng.uniform(0.9, 1.1, count)
        self.radius: Floats = rng.uniform(7.0, 9.0, count)
        self.thickness: Floats = rng.uniform(6.0, 8.0, count)
        self.position: Floats = np.zeros((count, 3))
        self.velocity: Floats = np.zeros((count, 3))
        self.pole = np.ones(count)
        self.tilt: Floats = np.zeros(count)
        self.turn: Floats = rng.uniform(0.0, 2.0 * np.pi, count)
        self.where = np.full(count, int(Where.PILE))
        self.owner = np.zeros(count, dtype=int)
        self.label = np.arange(count)
        self.fell: list[int] = []
        self._awake = True

    @property
    def still(self) -> bool:
        """Nothing slides or falls."""
        tipping = (self.tilt > 0.0) & (self.tilt < 1.0)
        return not self.velocity.any() and not tipping.any() and not (self.where == Where.FALLING).any()

    @property
    def axis(self) -> Floats:
        """Unit vectors (n, 3) to each stone's north."""
        lean = self.tilt * np.pi / 2.0
        level = np.sin(lean)
        return np.column_stack([level * np.cos(self.turn), level * np.sin(self.turn), self.pole * np.cos(lean)])

    def rest_height(self, stone: int) -> float:
        """Of its centre over what it lies or stands on, mm."""
        lean = float(self.tilt[stone]) * np.pi / 2.0
        return float(np.cos(lean) * self.thickness[stone] / 2.0 + np.sin(lean) * self.radius[stone])

    def stir(self) -> None:
        """Look again whether something moves: stones were put or turned from outside."""
        self._awake = True

    def on_board(self) -> list[int]:
        return [int(k) for k in np.flatnonzero(self.where == Where.BOARD)]

    def pile(self, player: int) -> list[int]:
        """Stones that lie in a player's pile."""
        return [int(k) for k in np.flatnonzero((self.where == Where.PILE) & (self.owner == player))]

    def cluster(self, stone: int) -> list[int]:
        """The stones that stick to one, itself among them."""
        return [int(k) for k in np.flatnonzero(self.label == self.label[stone])]

    def clusters(self) -> list[list[int]]:
        """Every cluster of more than one stone on the board."""
        labels, counts = np.unique(self.label[self.where == Where.BOARD], return_counts=True)
        return [self.cluster(int(np.flatnonzero(self.label == label)[0])) for label in labels[counts > 1]]

    def take(self, stone: int) -> list[int]:
        """Into a hand, with everything that sticks to it; the stones taken."""
        taken = self.cluster(stone)
        self.where[taken] = Where.HAND
        self.velocity[taken] = 0.0
        self._awake = True
        return taken

    def carry(self, stones: Sequence[int], to: Floats) -> None:
        """A hand moves what it holds: the first stone's centre to a place (3,), the others with it."""
        held = list(stones)
        self.position[held] += to - self.position[held[0]]
        self._awake = True

    def release(self, stones: Sequence[int]) -> None:
        """Let go: what is over the mats lies on the board, the rest falls."""
        for stone in stones:
            over = bool(self.place.over(self.position[stone : stone + 1, :2])[0])
            self.where[stone] = Where.BOARD if over else Where.FALLING
            if over:
                self.position[stone, 2] = self.rest_height(stone)
        self._awake = True

    def put_away(self, stones: Sequence[int], player: int) -> None:
        """Into a player's pile; a cluster is parted there."""
        for stone in stones:
            self.where[stone], self.owner[stone], self.label[stone] = Where.PILE, player, stone
            self.velocity[stone] = self.tilt[stone] = 0.0
        self._awake = True

    def step(self, seconds: float) -> None:
        """Let time pass."""
        if not self._awake:
            return
        dt = seconds / _STEPS
        for _ in range(_STEPS):
            self._slide(dt)
            self._tip(dt)
            self._fall(dt)
            self._touch()
        self._awake = not self.still or bool((self.where == Where.HAND).any())

    def _slide(self, dt: float) -> None:
        free = np.flatnonzero(self.where == Where.BOARD)
        if not free.size:
            return
        force = self._forces(free)
        labels, group = np.unique(self.label[free], return_inverse=True)
        held = np.isin(labels, self.label[self.where == Where.HAND])
        total = np.zeros((labels.size, 2))
        np.add.at(total, group, force)
        mass = np.bincount(group, self.mass[free])
        speed = np.zeros((labels.size, 2))
        np.add.at(speed, group, self.velocity[free, :2] * self.mass[free, None])
        speed /= mass[:, None]
        going = np.linalg.norm(speed, axis=1)
        pull = np.linalg.norm(total, axis=1)
        grip = _FRICTION * mass * _G
        moves = ((going > _SLOW) | (pull > grip)) & ~held
        along = np.where((going > _SLOW)[:, None], speed / np.maximum(going, 1e-9)[:, None],
                         total / np.maximum(pull, 1e-9)[:, None])  # fmt: skip
        after = speed + (total - grip[:, None] * along) / mass[:, None] * dt
        turned = ((after * along).sum(axis=1) < 0.0) & (pull <= grip)
        after[turned | ~moves] = 0.0
        fast = np.linalg.norm(after, axis=1)
        after *= np.minimum(1.0, _FASTEST / np.maximum(fast, 1e-9))[:, None]
        self.velocity[free, :2] = after[group]
        self.position[free, :2] += after[group] * dt
        off = free[~self.place.over(self.position[free, :2])]
        for stone in off:
            self.where[stone] = Where.FALLING
            self.label[stone] = stone

    def _forces(self, free: np.ndarray) -> Floats:
        """Level forces (n, 2) on the stones of the board by all near ones that do not stick to them."""
        near = np.flatnonzero((self.where == Where.BOARD) | (self.where == Where.HAND))
        apart = self.position[free, None] - self.position[None, near]
        d2 = (apart**2).sum(axis=2)
        d2[self.label[free, None] == self.label[None, near]] = np.inf
        d2[d2 > _FAR**2] = np.inf
        moment = self.moment[:, None] * self.axis
        mine, theirs = moment[free, None], moment[None, near]
        along, other = (mine * apart).sum(axis=2), (theirs * apart).sum(axis=2)
        force = 3.0 * (other[..., None] * mine + along[..., None] * theirs)
        force += (3.0 * (mine * theirs).sum(axis=2) - 15.0 * along * other / d2)[..., None] * apart
        total: Floats = (_K * force[..., :2] * (d2**-2.5)[..., None]).sum(axis=1)
        return total

    def _tip(self, dt: float) -> None:
        """Standing stones that the field of the others tips over, and those that are on their way."""
        for stone in np.flatnonzero((self.where == Where.BOARD) & (self.tilt > 0.0)):
            up = self._field_up(int(stone))
            keeps = self.mass[stone] * _G * 1e-6 * self.thickness[stone] / 2.0  # 1e-3 N.m
            if self.tilt[stone] == 1.0 and abs(up) * self.moment[stone] <= keeps:
                continue
            if self.tilt[stone] == 1.0:
                self.pole[stone] = 1.0 if up > 0.0 else -1.0
            self.tilt[stone] = max(0.0, self.tilt[stone] - dt / _TIP_S)
            self.position[stone, 2] = self.rest_height(int(stone))

    def _field_up(self, stone: int) -> float:
        """mT upwards at a stone, of all others."""
        others = np.flatnonzero(np.isin(self.where, (Where.BOARD, Where.HAND)) & (np.arange(self.count) != stone))
        d = self.position[stone] - self.position[others]
        r2 = (d * d).sum(axis=1)
        axis = self.axis[others]
        up = 3.0 * (axis * d).sum(axis=1) * d[:, 2] / r2 - axis[:, 2]
        return float((_FIELD * self.moment[others] * up * r2**-1.5).sum())

    def _fall(self, dt: float) -> None:
        for stone in np.flatnonzero(self.where == Where.FALLING):
            self.velocity[stone, 2] -= _G * dt
            self.tilt[stone] = 0.0  # it tumbles, and comes to lie flat
            going = np.linalg.norm(self.velocity[stone, :2])
            if going < 150.0:  # tipped over the edge it goes on outwards
                out = self.position[stone, :2] - self.place.corners.reshape(-1, 2).mean(axis=0)
                self.velocity[stone, :2] = 150.0 * out / max(float(np.linalg.norm(out)), 1e-9)
            self.position[stone] += self.velocity[stone] * dt
            bottom = self.rest_height(int(stone)) - self.place.below
            if self.position[stone, 2] <= bottom:
                self.position[stone, 2] = bottom
                self.velocity[stone] = 0.0
                self.where[stone] = Where.TABLE
                self.fell.append(int(stone))

    def _touch(self) -> None:
        """Stones that have run into each other are set edge to edge; those that pull stay together."""
        near = np.flatnonzero((self.where == Where.BOARD) | (self.where == Where.HAND))
        if near.size < 2:
            return
        apart = self.position[near, None] - self.position[None, near]
        level = np.hypot(apart[..., 0], apart[..., 1])
        room = self.radius[near, None] + self.radius[None, near]
        high = (self.thickness[near, None] + self.thickness[None, near]) / 2
        hit = (level < room) & (np.abs(apart[..., 2]) < high) & (self.label[near, None] != self.label[None, near])
        for a, b in np.argwhere(np.triu(hit, 1)):
            self._meet(int(near[a]), int(near[b]))

    def _meet(self, a: int, b: int) -> None:
        if self.where[a] == Where.BOARD and (self.where[b] == Where.HAND or self.mass[a] < self.mass[b]):
            a, b = b, a  # b is the one that is moved
        apart = self.position[b, :2] - self.position[a, :2]
        length = float(np.linalg.norm(apart))
        way = apart / length if length > 1e-6 else np.array([1.0, 0.0])
        moved = self.cluster(b) if self.where[b] == Where.BOARD else []
        self.position[moved, :2] += way * (self.radius[a] + self.radius[b] - length)
        if self.pole[a] * self.pole[b] < 0:
            both = self.cluster(a) + self.cluster(b)
            self.label[both] = self.label[a]
            if (self.where[both] == Where.HAND).any():
                self.velocity[both] = 0.0
            else:
                mass = self.mass[both]
                self.velocity[both] = (self.velocity[both] * mass[:, None]).sum(axis=0) / mass.sum()
        else:
            self.velocity[moved] = 0.0
