"""A person's finger on the page of the virtual table: it holds one stone and drags it.

{"do": "grab", "stone": k}, {"do": "move", "x": mm, "y": mm}, {"do": "drop"}, {"do": "flip", "stone": k},
{"do": "stand", "stone": k}: onto its edge, or flat again.
A finger that says nothing for a while has let go.
"""

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from drivers.virtual.players import Players
from drivers.virtual.world import Where, World

_ABOVE_MM: Final = 45.0
_FASTEST: Final = 500.0  # mm/s
_DOWN: Final = 140.0
_PATIENCE_S: Final = 10.0
_FARTHEST: Final = 400.0
_HEAVIEST_G: Final = 3000.0
_DOING: Final = ("grab", "move", "drop", "flip", "stand", "play", "misbehave", "behave", "weigh")


class Finger:
    """dt: seconds a frame."""

    def __init__(self, world: World, players: Players, dt: float) -> None:
        self._world, self._players, self._dt = world, players, dt
        self._held: list[int] = []
        self._to = (0.0, 0.0)
        self._lowering = False
        self._idle_s = 0.0

    @staticmethod
    def check(asked: Mapping[str, Any]) -> None:
        """Raises ValueError, TypeError or KeyError where it is nothing that can be done."""
        if asked["do"] not in _DOING:
            raise ValueError(f"nobody can do {asked['do']!r}")
        if asked["do"] in ("grab", "flip", "stand") and not 0 <= int(asked["stone"]) < 1000:
            raise ValueError("there is no such stone")
        if asked["do"] == "weigh" and not 0.0 <= float(asked["grams"]) <= _HEAVIEST_G:
            raise ValueError("that is too heavy")
        if asked["do"] == "move" and not all(abs(float(asked[key])) <= _FARTHEST for key in "xy"):
            raise ValueError("that is too far away")

    def do(self, asked: Mapping[str, Any]) -> None:
        """Checked before."""
        self._idle_s = 0.0
        match asked["do"]:
            case "grab" if int(asked["stone"]) < self._world.count:
                self._grab(int(asked["stone"]))
            case "move":
                self._to = float(asked["x"]), float(asked["y"])
            case "drop":
                self.drop()
            case "flip" if int(asked["stone"]) < self._world.count:
                for stone in self._world.cluster(int(asked["stone"])):
                    self._world.pole[stone] = -self._world.pole[stone]
                self._world.stir()
            case "stand" if int(asked["stone"]) < self._world.count:
                self._stand(int(asked["stone"]))

    def _stand(self, stone: int) -> None:
        """A single stone onto its edge, or flat again; it turns on the spot."""
        world = self._world
        if len(world.cluster(stone)) > 1 or world.where[stone] == Where.FALLING:
            return
        world.tilt[stone] = 0.0 if world.tilt[stone] else 1.0
        if world.where[stone] == Where.BOARD:
            world.position[stone, 2] = world.rest_height(stone)
        world.stir()

    def drop(self) -> None:
        """Let down what is held."""
        self._lowering = bool(self._held)

    def step(self) -> None:
        """One frame."""
        if not self._held:
            return
        world, stone = self._world, self._held[0]
        self._idle_s += self._dt
        if self._idle_s > _PATIENCE_S:
            self._lowering = True
        over = bool(world.place.over(np.array([self._to]))[0])
        rest = world.rest_height(stone)
        at = world.position[stone].copy()
        self._toward(at, rest if self._lowering and over else _ABOVE_MM)
        self._held = [stone, *(other for other in world.cluster(stone) if other != stone)]
        world.carry(self._held, at)
        if not self._lowering or math.dist(at[:2], self._to) > 0.5:
            return
        if not over:
            world.put_away(self._held, self._nearest_pile())
            self._held = []
        elif at[2] <= rest + 0.01:
            world.release(self._held)
            self._held = []

    def _grab(self, stone: int) -> None:
        if self._held:
            self._world.release(self._held)
        world = self._world
        if world.where[stone] == Where.FALLING:  # one in the hand of a player who was stopped is taken from it
            self._held = []
            return
        if world.where[stone] == Where.PILE:
            home = self._players.home(max(0, int(world.owner[stone])))
            world.position[stone] = (*home, _ABOVE_MM)
        self._held = world.take(stone)
        self._held = [stone, *(other for other in self._held if other != stone)]
        self._to = float(world.position[stone, 0]), float(world.position[stone, 1])
        self._lowering = False

    def _toward(self, at: "np.ndarray[tuple[int], np.dtype[np.float64]]", height: float) -> None:
        way = np.array(self._to) - at[:2]
        length = float(np.linalg.norm(way))
        if length > 0:
            at[:2] += way * min(1.0, _FASTEST * self._dt / length)
        down = height - at[2]
        if not self._lowering or length < 1.0:
            at[2] += math.copysign(min(abs(down), _DOWN * 2 * self._dt), down)

    def _nearest_pile(self) -> int:
        players = range(len(self._players.piles))
        return min(players, key=lambda player: math.dist(self._players.home(player), self._to))
