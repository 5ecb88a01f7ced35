"""What each stone weighs, learned as the board changes, and whether the load cell agrees with the tracks.

From one rest of the board to the next the weight changes by the stones that came and went. One whose grams are not
known yet is weighed by that; where all are known, or where a stone came and the weight did not change, the two are
compared. Only changes count, so that the load cell's drift and the error of its gain do not.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

LIGHTEST_G, HEAVIEST_G = 2.5, 14.0
"""What one stone may weigh (3-12 g), with the errors of a step."""
USUAL_G: Final = (6.0, 2.5)
"""Of a stone that was never weighed, and its spread."""
CREEP_G: Final = 1.2
"""Of the load cell from one rest to the next, with the pull of magnets that are moved about."""
STEP_G: Final = 0.3
SPREADS: Final = 2.5
_MOST: Final = 400


@dataclass(slots=True)
class Grams:
    """of: grams of each track, also of those that are gone and may come again; usual: mean and spread of the set."""

    usual: tuple[float, float] = USUAL_G
    of: dict[int, float] = field(default_factory=dict)
    _lain: frozenset[int] | None = None
    _level_g: float = 0.0

    def rests(self, tracks: Iterable[int], level_g: float) -> float:
        """The board is at rest with these tracks and this weight: grams that the weight has changed by beyond what they
        explain, 0 where it agrees. What agrees is the base of the next comparison; what does not changes nothing.
        """
        now = frozenset(tracks)
        if self._lain is None:
            self.begin(now, level_g)
            return 0.0
        come, gone = now - self._lain, self._lain - now
        new = [k for k in come if k not in self.of]
        lost = [k for k in gone if k not in self.of]
        known = sum(self.of[k] for k in come if k in self.of) - sum(self.of[k] for k in gone if k in self.of)
        change = level_g - self._level_g - known
        slack = CREEP_G + STEP_G * (len(come) + len(gone)) ** 0.5
        low, high = LIGHTEST_G * len(new) - HEAVIEST_G * len(lost), HEAVIEST_G * len(new) - LIGHTEST_G * len(lost)
        off = change - self.usual[0] * (len(new) - len(lost))
        usual = self.usual[1] * SPREADS * (len(new) + len(lost)) ** 0.5
        if not low - (slack if lost or not new else 0.0) <= change <= high + slack or abs(off) > usual + slack:
            return off
        if new and not lost:
            for k in new:
                self.of[k] = change / len(new)
        self.begin(now, level_g)
        return 0.0

    def begin(self, tracks: Iterable[int], level_g: float) -> None:
        """Take this as it is: the base of the next comparison."""
        self._lain, self._level_g = frozenset(tracks), level_g
        while len(self.of) > _MOST:
            self.of.pop(next(iter(self.of)))

    def forget(self) -> None:
        """Nobody knows what the load cell showed before: it was silent, or began again."""
        self._lain = None

    def stones(self, off_g: float) -> int:
        """How many stones so many grams are: less than 0 where the weight shows fewer than the tracks."""
        return round(off_g / self.usual[0]) if abs(off_g) > self.usual[0] - 1.5 * self.usual[1] else 0
