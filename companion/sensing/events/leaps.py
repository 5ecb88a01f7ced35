"""A stone at rest that leaps up to a hand's stone which is seen no more: both are one body already.

A hand's stone is faint until it is low, and a snap takes 40 ms: where the readings are noisy its track is lost in it,
and the one that leapt seems to hang in the air, a third stronger than it was as it lay. That no stone is.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from companion.sensing.events.as_one import stuck
from companion.sensing.events.contacts import CLOSE_MM, DRAWN_MM, MISSED, Contact, came
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.rivals import costs_of
from companion.sensing.fields.solver import fit
from companion.sensing.fields.stacks import STACK_MM
from companion.sensing.tracks.movers import LIFT_MM, Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import BoardTime

LOST_US: Final = 300_000
"""A hand's stone that was lost so long ago may still be where it was."""
LOOKS: Final = 5  # in a row: a contact lasts more than 50 ms
LAIN_SIGMA: Final = 0.05
"""Of the logarithm of a moment, as it was seen while the stone lay."""
BOTH_SIGMA: Final = 0.15
"""The same of it and of one that was hardly seen."""


@dataclass(slots=True)
class _Leap:
    since: BoardTime
    log_moment: float  # as it lay
    looks: int = 0
    gain: float = 0.0


@dataclass(slots=True)
class Leaps:
    """Those of one table that are being looked at."""

    _leaps: dict[Mover, _Leap] = field(default_factory=dict)

    def step(self, tracker: Tracker, t_us: BoardTime) -> list[Contact]:
        """The contact that this frame has made sure of; the hand's stone is followed again then."""
        hands = [m for since, m in tracker.newborn.parked if m.phase is Phase.HAND and t_us - since < LOST_US]
        hand = next((m for m in reversed(hands) if m.told and m.single), None)
        if hand is None:
            self._leaps.clear()
            return []
        self._leaps = {m: leap for m, leap in self._leaps.items() if m in tracker.movers}
        for m in tracker.movers:
            if not _leapt(m) or float(np.linalg.norm(m.body.centre - hand.body.centre)) > CLOSE_MM:
                self._leaps.pop(m, None)
                continue
            leap = self._leaps.setdefault(m, _Leap(t_us, m.log_moment))
            both, gain = _compared(tracker, m, hand, leap.log_moment)
            if gain <= 0.0:
                del self._leaps[m]
                continue
            leap.looks, leap.gain = leap.looks + 1, leap.gain + gain
            if leap.looks >= LOOKS and leap.gain > 2.0 * MISSED:
                self._leaps.clear()
                tracker.newborn.parked[:] = [entry for entry in tracker.newborn.parked if entry[1] is not hand]
                tracker.movers.append(hand)
                return [Contact(hand, m, both, leap.since, leap.gain)]
        return []


def _leapt(m: Mover) -> bool:
    """It lay on the board, is above it, and came as fast as a stone that is drawn; it may hang there since."""
    if not m.single or not m.awake or m.phase not in (Phase.BOARD, Phase.LIFTED) or m.rested is None:
        return False
    rose = float(m.body.centre[2] - m.rested[2]) > LIFT_MM
    return rose and (came(m) > DRAWN_MM or m.phase is Phase.LIFTED)


def _compared(tracker: Tracker, m: Mover, hand: Mover, log_moment: float) -> tuple[Body, float]:
    """Both as one body, and by how much of chi squared that explains the reading better than m alone, as it was."""
    target = tracker.residual + m.kept
    p = tracker.prior(m)
    firm = Prior(p.centre, p.sigma, p.turn_sigma, log_moment, LAIN_SIGMA)
    alone = fit(tracker.layout, [m.body], [firm], target, tracker.sharp, limit=6, floors=[tracker.floor(m)])
    over = hand.body.shifted(m.body.centre + np.array([0.0, 0.0, 3.0 * STACK_MM]) - hand.body.centre)
    total = float(np.log(np.exp(log_moment) + np.exp(hand.log_moment)))
    ones = stuck(tracker, over, m.body, target, total, BOTH_SIGMA, 6)
    _, costs = costs_of([alone, *ones], tracker.model, target, tracker.sharp)
    best = int(np.argmin(costs[1:]))
    return ones[best].bodies[0], costs[0] - costs[1 + best]
