"""Players who play ¡Yikerz! by themselves on the virtual table, round after round; now and then stones collapse.

They keep to the rules as a careful family would: one hand, one stone, what collapsed or fell is taken back at once,
the next one comes some seconds later. `Players.play` is a generator, one step a frame.
"""

import math
from collections.abc import Callable, Generator
from typing import Final, TypeAlias

import numpy as np

from drivers.virtual.hand import REACH, Hand, Motion
from drivers.virtual.place import Floats
from drivers.virtual.sensors import Sensors
from drivers.virtual.world import Where, World

NAMES: Final = ("Ana", "Leo", "Mia", "Tom", "Eva", "Sam")
_MARGIN = 14.0  # mm from the edge
_APART = 46.0  # mm between stones, where there is room
_LEAST = 34.0  # mm: like poles do not slide at that distance
_STANDING = 60.0  # mm: a standing stone is not tipped over
_SNAP = 27.0  # mm: unlike poles do
_NEXT_S = (4.5, 6.5)  # until the next player comes, in most turns
_FULL_S = 11.5  # in some turns the ten seconds pass
_PUSH = 21.0  # mm: a like pole slides away by more than
_EDGE = 24.0  # mm
_FALLS = 0.35  # of the accidents
_TRIES = 200

Point: TypeAlias = tuple[float, float]


class Players:
    """count: of players. said: told what has come about, for the log and the referee's attendant ("cleared", ...).

    accidents: how often a turn is meant to go wrong, uprights: how often a stone is stood on its edge, 0..1.
    between_s: from a cleared board to the next round, when `go_on` is set.
    """

    def __init__(
        self,
        world: World,
        sensors: Sensors,
        dt: float,
        count: int = 2,
        seed: int = 0,
        accidents: float = 0.15,
        said: Callable[..., None] = lambda what, **more: None,
        between_s: float = 2.0,
        uprights: float = 0.0,
    ) -> None:
        self._between_s = between_s
        self._world, self._hand = world, Hand(world, sensors, dt)
        self._rng = np.random.default_rng(seed)
        self._count, self._accidents, self._uprights, self._said = count, accidents, uprights, said
        self.go_on = True
        self.seat = 0
        self.deal()

    @property
    def piles(self) -> list[int]:
        """Stones in each pile."""
        return [len(self._world.pile(player)) for player in range(self._count)]

    def play(self) -> Motion:
        """Rounds for ever. Before each `go_on` is waited for; between two the board is cleared."""
        dealer = 0
        self.deal()
        yield from self._hand.rest(6.0)  # the zeros of the sensors are learned on an empty board
        while not self.go_on:
            yield
        while True:
            winner = yield from self._round(dealer)
            left = self.piles
            self._said("won", player=winner, piles=left)
            order = [(winner + k) % self._count for k in range(1, self._count)]
            dealer = max(order, key=lambda player: left[player])
            yield from self._clear()
            self.deal()
            self.go_on = False
            self._said("cleared", dealer=dealer)
            while not self.go_on:
                yield
            yield from self._hand.rest(self._between_s)

    def deal(self) -> None:
        """Equal piles; what is left over is nobody's."""
        each = self._world.count // self._count
        for stone in range(self._world.count):
            self._world.put_away([stone], stone // each if stone < each * self._count else -1)

    def _round(self, first: int) -> Generator[None, None, int]:
        self.seat = first
        while True:
            player = self.seat
            yield from self._turn(player)
            if not self._world.pile(player):
                yield from self._hand.rest(_FULL_S)
                if not self._world.pile(player):
                    return player
            long = self._rng.random() < 0.12
            yield from self._hand.rest(_FULL_S if long else self._rng.uniform(*_NEXT_S))
            self.seat = (player + 1) % self._count

    def _turn(self, player: int) -> Motion:
        world = self._world
        stone = int(self._rng.choice(world.pile(player)))
        path, mishap = self._choose(stone)
        yield from self._hand.bring(stone, self.home(player), path)
        yield from self._hand.rest(0.8)
        while not world.still:
            yield
        self._said("placed", player=player, mishap=mishap)
        yield from self._take_back(player, stone)

    def _take_back(self, player: int, played: int) -> Motion:
        """What sticks together or fell; after a fall the played stone too."""
        world = self._world
        fell = bool((world.where == Where.TABLE).any())
        while True:
            while not world.still:
                yield
            clusters, fallen = world.clusters(), np.flatnonzero(world.where == Where.TABLE)
            if clusters:
                stone = clusters[0][0]
            elif fallen.size:
                stone, fell = int(fallen[0]), True
            elif fell and world.where[played] == Where.BOARD:
                stone = played
            else:
                return
            yield from self._hand.rest(1.0)
            yield from self._hand.fetch(stone, self.home(player), player)
            yield from self._hand.rest(0.4)

    def _clear(self) -> Motion:
        """Everything back to the piles, one after the other."""
        while on_board := self._world.on_board():
            yield from self._hand.fetch(on_board[0], self.home(0), 0)
            yield from self._hand.rest(0.5)
        yield from self._hand.rest(1.0)

    def home(self, player: int) -> Floats:
        """Where a player's pile lies (2,)."""
        angle = 2.0 * math.pi * player / self._count - math.pi / 2
        return np.array([REACH * math.cos(angle), REACH * math.sin(angle)])

    def _choose(self, stone: int) -> tuple[list[Point], str]:
        """The way of a stone over the mats, which pole is up, and what shall go wrong ("" for nothing)."""
        world, rng = self._world, self._rng
        others = world.on_board()
        world.pole[stone] = rng.choice([-1.0, 1.0])
        if others and rng.random() < self._accidents:
            mishap = "fell_off" if rng.random() < _FALLS else "collapse"
            for near in map(int, rng.permutation(others)):
                path = self._push_off(near, others) if mishap == "fell_off" else self._beside(near, others)
                if path:
                    world.pole[stone] = world.pole[near] if mishap == "fell_off" else -world.pole[near]
                    return path, mishap
        spot, room = self._free(others)
        if room < _APART:  # among like poles stones may lie nearer
            nearest = min(others, key=lambda other: math.dist(spot, self._at(other)))
            world.pole[stone] = world.pole[nearest]
        elif room >= _STANDING and self._uprights and rng.random() < self._uprights:
            world.tilt[stone], world.turn[stone] = 1.0, rng.uniform(0.0, 2.0 * math.pi)
        return [spot], "" if room >= _LEAST else "crowded"

    def _free(self, others: list[int]) -> tuple[Point, float]:
        """A place with room, or the roomiest of many, and the distance to the nearest stone."""
        best, room = (0.0, 0.0), -1.0
        x0, y0, x1, y1 = self._world.place.box
        for _ in range(_TRIES):
            spot = float(self._rng.uniform(x0, x1)), float(self._rng.uniform(y0, y1))
            if not self._world.place.clear(*spot, _MARGIN):
                continue
            distance = min((math.dist(spot, self._at(other)) for other in others), default=999.0)
            if distance > room:
                best, room = spot, distance
            if distance >= _APART:
                break
        return best, room

    def _beside(self, near: int, others: list[int]) -> list[Point]:
        """A place so near to a stone that it comes over, and away from all others; [] if there is none."""
        for _ in range(_TRIES):
            spot = self._from(near, self._rng.uniform(0.0, 2.0 * math.pi), _SNAP)
            if self._world.place.clear(*spot, _MARGIN) and self._lonely(spot, near, others):
                return [spot]
        return []

    def _push_off(self, near: int, others: list[int]) -> list[Point]:
        """The way on which a like pole pushes a stone over the nearest edge; [] if it lies too far inside."""
        for _ in range(_TRIES):
            angle = self._rng.uniform(0.0, 2.0 * math.pi)
            over = np.array([self._from(near, angle + math.pi, away) for away in (_EDGE, 2 * _EDGE)])
            if self._world.place.over(over).any():
                continue
            path = [self._from(near, angle, _APART), self._from(near, angle, _PUSH)]
            if all(self._world.place.clear(*spot, _MARGIN) and self._lonely(spot, near, others) for spot in path):
                return path
        return []

    def _at(self, stone: int) -> Point:
        return float(self._world.position[stone, 0]), float(self._world.position[stone, 1])

    def _from(self, stone: int, angle: float, away: float) -> Point:
        x, y = self._at(stone)
        return x + away * math.cos(angle), y + away * math.sin(angle)

    def _lonely(self, spot: Point, near: int, others: list[int]) -> bool:
        return all(math.dist(spot, self._at(other)) > _APART for other in others if other != near)
