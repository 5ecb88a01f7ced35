"""A hand over the virtual table: motions as generators that are run one step a frame."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np

from drivers.virtual.place import Floats
from drivers.virtual.sensors import Sensors
from drivers.virtual.world import Where, World

Motion: TypeAlias = Iterator[None]

HIGH = 90.0  # mm above the mats at which stones are carried
REACH = 260.0  # mm from the middle of the table to the piles
_CARRY, _LOWER, _LIFT, _PUSH = 450.0, 140.0, 250.0, 90.0  # mm/s
_AWAY = 110.0  # mm
_HOLD_S = 0.3
_PRESS_G = 12.0


class Hand:
    """One player's hand. dt: seconds a frame."""

    def __init__(self, world: World, sensors: Sensors, dt: float) -> None:
        self.world, self._sensors, self._dt = world, sensors, dt

    def rest(self, seconds: float) -> Motion:
        """Let time pass."""
        for _ in range(round(seconds / self._dt)):
            yield

    def bring(self, stone: int, home: Floats, path: Sequence[tuple[float, float]]) -> Motion:
        """A stone from the pile at home (2,) to the board: along high over the others, down at the path's first point,
        pushed along the others, held, let go.
        """
        world = self.world
        world.position[stone] = (*home, world.thickness[stone] / 2 - world.place.below)
        held = world.take(stone)
        yield from self._to(held, (*home, HIGH), _LIFT)
        yield from self._to(held, (*path[0], HIGH), _CARRY)
        yield from self._to(held, (*path[0], world.rest_height(stone)), _LOWER)
        for point in path[1:]:
            yield from self._to(held, (*point, world.rest_height(stone)), _PUSH)
        self._sensors.pressed_g = _PRESS_G
        yield from self.rest(_HOLD_S)
        held = world.cluster(stone)
        world.release(held)
        self._sensors.pressed_g = 0.0

    def fetch(self, stone: int, home: Floats, player: int) -> Motion:
        """A stone, with all that sticks to it, from board or table to a pile."""
        world = self.world
        from_board = world.where[stone] == Where.BOARD
        self._sensors.pressed_g = _PRESS_G if from_board else 0.0
        yield from self.rest(_HOLD_S / 2)
        held = world.take(stone)
        held = [stone, *(other for other in held if other != stone)]
        self._sensors.pressed_g = 0.0
        x, y, z = world.position[stone]
        if (
            not from_board
        ):  # a fallen stone is drawn away from the board before it is lifted: over it it would be a move
            far = 1.0 + _AWAY / max(float(np.hypot(x, y)), 1.0)
            x, y = far * x, far * y
            yield from self._to(held, (x, y, z), _LIFT)
        yield from self._to(held, (x, y, HIGH), _LIFT)
        yield from self._to(held, (*home, HIGH), _CARRY)
        world.put_away(held, player)

    def _to(self, held: Sequence[int], place: Sequence[float], speed: float) -> Motion:
        """Along a straight line, gently begun and ended."""
        start = self.world.position[held[0]].copy()
        way = np.array(place, dtype=np.float64) - start
        frames = max(1, round(float(np.linalg.norm(way)) / speed / self._dt))
        for k in range(1, frames + 1):
            part = k / frames
            self.world.carry(held, start + way * (part * part * (3.0 - 2.0 * part)))
            yield
