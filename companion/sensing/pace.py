"""When sensing falls behind the board it solves fewer frames, so that the lag stays bounded; it looks at every one.

Of a frame that is not solved the tracks stay where they were, the load cell and the rules about events go on. A frame
in which a stone at rest stirs is always solved.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.sensors.layout import Bools, Floats
from companion.sensing.tracks.sleepers import WAKE_RMS
from companion.sensing.tracks.tracker import Tracker
from companion.table import SECOND, BoardTime

STEPS_US: Final = (150_000, 250_000, 350_000)
"""Lags from which on every second, third and fourth frame is solved."""
LASTING_US: Final = 2 * SECOND
"""Frames have to be left out for so long, with pauses below PAUSE_US, before it is told: a moment is no fault."""
PAUSE_US: Final = SECOND
TOLD_US: Final = 5 * SECOND
"""What was told is so until none has been left out for so long."""
NEAR_MM: Final = 16.0
APART_MM: Final = 70.0
"""Nearer to what moves and is not solved, its field is in the residual."""


@dataclass(slots=True)
class Pace:
    """lag_us: how far the newest frame that was taken lies behind, in real time; whoever measures it sets it."""

    lag_us: int = 0
    _left: int = 0  # frames that were left out in a row
    _first_us: BoardTime = 0  # since when they are, with pauses
    _last_us: BoardTime | None = None  # when one was
    _lasting: bool = False

    @property
    def every(self) -> int:
        """Of how many frames one is solved now."""
        return 1 + sum(self.lag_us >= step for step in STEPS_US)

    def solves(self, t_us: BoardTime, stirs: bool) -> bool:
        """Whether to solve the frame at t_us; stirs: something at rest shows that it has moved."""
        if stirs or self._left + 1 >= self.every:
            self._left = 0
            return True
        self._left += 1
        if self._last_us is None or t_us - self._last_us >= (TOLD_US if self._lasting else PAUSE_US):
            self._first_us, self._lasting = t_us, False
        self._last_us = t_us
        self._lasting |= t_us - self._first_us >= LASTING_US
        return False

    def behind(self, t_us: BoardTime) -> bool:
        """Whether frames have been left out for long, and lately: it neither comes nor goes from moment to moment."""
        return self._lasting and self._last_us is not None and t_us - self._last_us < TOLD_US


def stirs(tracker: Tracker, field: Floats, valid: Bools) -> bool:
    """Whether a frame has to be solved: nothing moves, so that it costs little, or something at rest shows that it
    moves, away from what does.
    """
    awake = [m for m in tracker.movers if m.awake]
    asleep = [m for m in tracker.movers if not m.awake]
    if not awake:
        return True
    if not asleep:
        return False
    left = tracker.leftovers.taken_from(field)
    left = np.where(valid, left - sum(m.kept for m in tracker.movers), 0.0)
    scaled = tracker.sharp * left**2
    places = np.array([m.body.centre[:2] for m in asleep])
    moving = np.array([m.body.centre[:2] for m in awake])
    far = np.sqrt(((places[:, None] - moving[None]) ** 2).sum(axis=2)).min(axis=1) > APART_MM
    near = ((tracker.layout.position[None, :, :2] - places[:, None]) ** 2).sum(axis=2) < NEAR_MM**2
    mean = (near * scaled).sum(axis=1) / np.maximum(near.sum(axis=1), 1)
    return bool((far & (mean > WAKE_RMS**2)).any())
