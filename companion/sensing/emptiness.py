"""Whether the board is surely empty and quiet, so that zeros may be learned from it."""

from typing import Final

from companion.sensing.tracker import Tracker
from companion.sensing.weight import Scale, Weight

CREEP_G: Final = 1.2
"""The load cell may have crept by so much since it was last known to be empty; the lightest stone weighs more."""


class Emptiness:
    """No track, nobody's hand, a quiet load cell that shows no more than when the board was last empty.

    tare_g: what the load cell showed then. None before, and after each silence of it, until the board is empty again: a
    board that starts again may have another offset. Without a load cell the field alone decides: a stone on the mats is
    a thousand times its noise.
    """

    def __init__(self) -> None:
        self.tare_g: float | None = None

    def surely(self, tracker: Tracker, weight: Weight) -> bool:
        """Whether nothing speaks against it at the newest reading."""
        if weight.level is None:
            self.tare_g = None
        if tracker.movers or tracker.handled or tracker.newborn.parked or weight.state is Scale.DISTURBED:
            return False
        if self.tare_g is None:
            self.tare_g = weight.level
        if self.tare_g is None or weight.level is None:
            return True
        return abs(weight.level - self.tare_g) < CREEP_G

    def zeroed(self, weight: Weight) -> None:
        """The zeros were learned: this is what the load cell shows without stones."""
        self.tare_g = weight.level
