"""Whether the board is surely empty and quiet, so that zeros may be learned from it."""

from typing import Final

import numpy as np

from companion.sensing.sensors.layout import TableLayout
from companion.sensing.sensors.weight import Scale, Weight
from companion.sensing.tracks.tracker import Tracker
from companion.table import SECOND, BoardTime

CREEP_G: Final = 1.2
"""What the load cell shows may be off by so much; the lightest stone weighs more."""
BELOW_US: Final = 3 * SECOND
"""So long it must show steadily less than nothing: no hand that lifts the plate by an edge holds it so still."""
BACK_US: Final = 60 * SECOND
"""So long it must show a tare that was given up; something heavy that was put back does not lie there for so long."""

EMPTY_US: Final = 3 * SECOND
"""As long as for BELOW_US, and for its reason: a plate that a hand relieves by just the stones' weight."""


class Emptiness:
    """No track, nobody's hand, a quiet load cell that shows no more than when the board was last empty.

    tare_g: what the load cell showed then, and has crept by since. None before, and after each silence of it, until the
    board is empty again: a board that starts again may have another offset. Without a load cell the field alone
    decides: a stone on the mats is a thousand times its noise.

    The first tare is a guess, as something may lie there that no sensor sees. Nothing weighs less than nothing: a level
    that stays below the tare proves it false, and is the tare from then on. Where that was an error itself (the plate
    was off for a while, the amplifier had another gain), the level comes back to the tare that was given up.

    before_g: the last tare, also of an earlier session, while a new one is not known: a load cell that shows just that
    shows an empty board, and nothing else is told by it.
    """

    def __init__(self) -> None:
        self.tare_g: float | None = None
        self.before_g: float | None = None
        self._empty_since: BoardTime | None = None
        self._given_up_g: float | None = None
        self._steady: tuple[BoardTime, float] | None = None  # since when, near which level
        self._crept_g = 0.0
        self._heard = False

    @property
    def _last_tare_g(self) -> float | None:
        """The tare, or the one before while there is none."""
        return self.before_g if self.tare_g is None else self.tare_g

    def surely(self, tracker: Tracker, weight: Weight) -> bool:
        """Whether nothing speaks against it at the newest reading."""
        level = weight.level
        self._creep(weight.crept_g)
        if self._heard and level is None:
            self.before_g = self._last_tare_g
            self.tare_g = self._given_up_g = None
        self._heard = level is not None
        if tracker.movers or tracker.handled or tracker.newborn.parked or weight.state is Scale.DISTURBED:
            self._steady = None
            return False
        if level is None or weight.last_us is None:
            self._steady = None
            return True
        if self.tare_g is None:
            self.tare_g = level
        self._prove(self.tare_g, level, weight.last_us)
        return abs(level - self.tare_g) < CREEP_G

    def by_weight(self, weight: Weight, now_us: BoardTime) -> bool:
        """Whether the load cell, quiet and alive, has shown for EMPTY_US what it showed when the board was last empty;
        asked with every reading."""
        tare = self._last_tare_g
        lives = weight.changed_us is not None and now_us - weight.changed_us < SECOND
        quiet = lives and weight.tell(now_us) is Scale.QUIET
        if tare is None or weight.level is None or not quiet or abs(weight.level - tare) >= CREEP_G:
            self._empty_since = None
            return False
        self._empty_since = now_us if self._empty_since is None else self._empty_since
        return now_us - self._empty_since >= EMPTY_US

    def excess_g(self, weight: Weight, now_us: BoardTime) -> float | None:
        """Grams above the empty board's, as it was last known, also in an earlier session; None where nothing is
        known."""
        tare = self._last_tare_g
        if tare is None or weight.tell(now_us) is Scale.ABSENT:
            return None
        return weight.last_g - tare

    def zeroed(self, weight: Weight) -> None:
        """The zeros were learned: this is what the load cell shows without stones."""
        if self._given_up_g is not None and self.tare_g is not None and weight.level is not None:
            self._given_up_g += weight.level - self.tare_g
        self.tare_g = weight.level

    def _creep(self, crept_g: float) -> None:
        """A cell under a load creeps for minutes, and warms: its tares creep as well."""
        by, self._crept_g = crept_g - self._crept_g, crept_g
        if self.tare_g is not None:
            self.tare_g += by
        if self._given_up_g is not None:
            self._given_up_g += by

    def go_on_from(self, before: "Emptiness", was: TableLayout, layout: TableLayout) -> None:
        """In the place of another one of the same link, with other grams a count. Where the tiles lie otherwise the
        plate may bear more than before: the tare is not known.
        """
        alike = np.array_equal(was.position, layout.position)
        if before.tare_g is None or not was.load_gain or not layout.load_gain or not alike:
            return
        counts = was.load_offset + was.load_gain * before.tare_g
        self.tare_g = (counts - layout.load_offset) / layout.load_gain

    def _prove(self, tare: float, level: float, t_us: BoardTime) -> None:
        """Give a tare up that is too high, or take one back; t_us: of the newest weighing."""
        if self._steady is None or abs(level - self._steady[1]) >= CREEP_G:
            self._steady = t_us, level
        for_us = t_us - self._steady[0]
        back = self._given_up_g is not None and abs(level - self._given_up_g) < CREEP_G
        if level <= tare - CREEP_G and for_us >= BELOW_US:
            self.tare_g, self._given_up_g = level, tare
        elif back and for_us >= BACK_US:
            self.tare_g, self._given_up_g = level, None
