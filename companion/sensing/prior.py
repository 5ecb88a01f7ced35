"""What is known of stones before the field is looked at: moments, resting heights, flat or on edge,
predicted places.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
import numpy.typing as npt

from companion.sensing.dipole import DEFAULT_MOMENT, DEFAULT_MOMENT_SPREAD, Magnets, indices
from companion.sensing.layout import Floats


class Rest(StrEnum):
    """How a stone lies."""

    FREE = "free"  # in a hand, moving or not decided
    FLAT = "flat"  # moment upright (through the thickness)
    UPRIGHT = "upright"  # on edge, the moment lies level


FLAT_HEIGHT: Final = (3.4, 0.4)
UPRIGHT_HEIGHT: Final = (6.5, 0.9)
"""Height of the centre as fitted, and its spread, mm: the population of DEFAULT_SHAPE lies at 3.0-3.9 flat
and at 5.1-7.3 on edge, where the fit stands 0.4-0.8 too high."""
TILT_SPREAD: Final = 0.035


@dataclass(frozen=True, slots=True, eq=False)
class Priors:
    """Gaussian priors of N stones as targets and weights (1 / variance; 0 = nothing known).

    position, position_weight (N, 3): mm, 1/mm2. tilt_weight (N, 3): pulls the components of the unit moment
    axis to 0, (w, w, 0) for flat, (0, 0, w) for on edge. log_moment, log_moment_weight (N,).
    """

    position: Floats
    position_weight: Floats
    tilt_weight: Floats
    log_moment: Floats
    log_moment_weight: Floats

    def __len__(self) -> int:
        return len(self.log_moment)

    @classmethod
    def free(
        cls,
        count: int,
        log_moment: npt.ArrayLike | None = None,
        spread: npt.ArrayLike = DEFAULT_MOMENT_SPREAD,
    ) -> "Priors":
        """Only moments known: log_moment (N,) of A.m2 (the population's where None) within spread (N,) or
        one.
        """
        target = np.log(DEFAULT_MOMENT) if log_moment is None else log_moment
        return cls(
            np.zeros((count, 3)),
            np.zeros((count, 3)),
            np.zeros((count, 3)),
            np.broadcast_to(np.asarray(target, dtype=np.float64), (count,)).copy(),
            np.broadcast_to(1.0 / np.square(np.asarray(spread, dtype=np.float64)), (count,)).copy(),
        )

    def resting(
        self,
        which: npt.ArrayLike,
        rest: Rest,
        height: tuple[float, float] | None = None,
        tilt_spread: float = TILT_SPREAD,
    ) -> "Priors":
        """A copy where the stones `which` rest: height (mm of the centre, its spread), tilt within
        tilt_spread (rad).

        Without a height that of the population is taken. Rest.FREE lifts these priors.
        """
        position, weight, tilt = self.position.copy(), self.position_weight.copy(), self.tilt_weight.copy()
        at = indices(which)
        if rest is Rest.FREE:
            weight[at, 2] = 0.0
            tilt[at] = 0.0
        else:
            centre, spread = height or (FLAT_HEIGHT if rest is Rest.FLAT else UPRIGHT_HEIGHT)
            position[at, 2] = centre
            weight[at, 2] = spread**-2
            tilt[at] = np.array([1.0, 1.0, 0.0] if rest is Rest.FLAT else [0.0, 0.0, 1.0]) * tilt_spread**-2
        return Priors(position, weight, tilt, self.log_moment, self.log_moment_weight)

    def near(self, which: npt.ArrayLike, position: npt.ArrayLike, spread: npt.ArrayLike) -> "Priors":
        """A copy where the stones `which` are expected at position (..., 3) mm within spread (one, or by
        component).
        """
        target, weight = self.position.copy(), self.position_weight.copy()
        at = indices(which)
        target[at] = position
        weight[at] = 1.0 / np.square(np.asarray(spread, dtype=np.float64))
        return Priors(target, weight, self.tilt_weight, self.log_moment, self.log_moment_weight)

    def moments(self, which: npt.ArrayLike, log_moment: npt.ArrayLike, spread: npt.ArrayLike) -> "Priors":
        """A copy where the stones `which` have these log moments within spread."""
        target, weight = self.log_moment.copy(), self.log_moment_weight.copy()
        at = indices(which)
        target[at] = log_moment
        weight[at] = 1.0 / np.square(np.asarray(spread, dtype=np.float64))
        return Priors(self.position, self.position_weight, self.tilt_weight, target, weight)

    def take(self, which: npt.ArrayLike) -> "Priors":
        """Those of the stones at the indices (or where a boolean mask is true)."""
        at = indices(which)
        return Priors(
            self.position[at],
            self.position_weight[at],
            self.tilt_weight[at],
            self.log_moment[at],
            self.log_moment_weight[at],
        )

    def joined(self, other: "Priors") -> "Priors":
        """These and then the others."""
        return Priors(
            np.concatenate([self.position, other.position]),
            np.concatenate([self.position_weight, other.position_weight]),
            np.concatenate([self.tilt_weight, other.tilt_weight]),
            np.concatenate([self.log_moment, other.log_moment]),
            np.concatenate([self.log_moment_weight, other.log_moment_weight]),
        )

    def cost(self, magnets: Magnets) -> float:
        """Sum over stones of the squared, weighted deviations."""
        move = magnets.position - self.position
        log = magnets.log_moment - self.log_moment
        return float(
            (self.position_weight * move * move).sum()
            + (self.tilt_weight * magnets.axis * magnets.axis).sum()
            + (self.log_moment_weight * log * log).sum()
        )
