"""Whether one stone was shown under two numbers.

Two showings of one stone differ by what two fits of it differ; two stones by what the population differs, heavier ones
being stronger and thicker too. The ratio of the two likelihoods is the evidence (Jeffreys). A person shows one twice
seldom, and then any one of those shown before, so it has to be strong. Stones of one box may be as like as that: it is
a warning, and no refusal. Of 24 second showings of a stone elsewhere 19 were found; of 57 other stones 5 were taken for
one.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from companion.sensing.fields.stones import LearnedStone
from companion.sensing.sensors.layout import Floats

_TWICE: Final = 0.05
"""How often a stone that is shown was shown before, by mistake."""
_AGAIN: Final = np.diag([0.014, 0.12, 0.2, 0.17, 0.04]) ** 2
"""Covariance of one showing about the stone: log moment, centre weight, elongation (mm), thickness (mm), mass (g)."""
_OTHER: Final = np.array(
    [
        [0.062, 0.052, 0.098, 0.106, 0.296],
        [0.052, 0.107, -0.064, 0.115, 0.271],
        [0.098, -0.064, 0.816, -0.014, 0.454],
        [0.106, 0.115, -0.014, 0.264, 0.519],
        [0.296, 0.271, 0.454, 0.519, 1.459],
    ]
)
"""The same of stones about their mean, of three simulated tables' twenty."""


def same_stone(stones: Sequence[LearnedStone], new: LearnedStone) -> int | None:
    """The number under which the new one was probably shown before; None for no such. stones: those shown before, in
    their order.

    Half of such mistakes are made with the one shown last, the others with any. Of a stone whose moment, shape or
    thickness is no number nothing can be said.
    """
    if not stones or not _known(new):
        return None
    odds = np.array([_odds(stone, new) for stone in stones])
    odds *= _TWICE / 2.0 / len(odds)
    odds[-1] *= 1.0 + len(odds)
    return stones[int(np.argmax(odds))].number if float(odds.sum()) > 1.0 - _TWICE else None


def _odds(one: LearnedStone, other: LearnedStone) -> float:
    """How much likelier the two are one stone than two, before it is asked how often that happens; 0 where the stone
    shown before is not known well enough to say.
    """
    if not _known(one):
        return 0.0
    off = _properties(one) - _properties(other)
    known = np.isfinite(off)
    among = np.ix_(known, known)
    return float(
        np.exp(np.clip(_log_density(off[known], _AGAIN[among]) - _log_density(off[known], _OTHER[among]), -50, 50))
    )


def _known(stone: LearnedStone) -> bool:
    """All but the mass, which is not weighed at every table."""
    return stone.moment > 0 and bool(np.isfinite([stone.moment, *stone.shape[1:], stone.thickness]).all())


def _log_density(off: Floats, covariance: Floats) -> float:
    """Of a difference (n,) of two that each have this covariance (n, n), but for a constant."""
    return float(-0.25 * off @ np.linalg.solve(covariance, off) - 0.5 * np.linalg.slogdet(covariance)[1])


def _properties(stone: LearnedStone) -> Floats:
    mass = np.nan if stone.mass is None else stone.mass
    return np.array([np.log(stone.moment), *stone.shape[1:], stone.thickness, mass])
