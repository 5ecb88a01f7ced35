"""What is known of a body before the field is looked at: place, turn, moment; how high a stone lies at rest."""

from dataclasses import dataclass
from typing import Final

from companion.sensing.sensors.layout import Floats

FLAT_HEIGHT: Final = (3.4, 0.4)
UPRIGHT_HEIGHT: Final = (6.5, 0.9)
"""Height of the centre as fitted, and its spread, mm: the population of DEFAULT_SHAPE lies at 3.0-3.9 flat
and at 5.1-7.3 on edge, where the fit stands 0.4-0.8 too high."""


@dataclass(frozen=True, slots=True, eq=False)
class Prior:
    """What is known of one body, with standard deviations.

    centre (3,) and sigma (3,) mm; turn_sigma: rad, of each step of the fit from where it is: it holds a turn
    that the field does not show and has no say in one that it shows; log_moment, log_sigma: of the moments'
    sum.
    """

    centre: Floats
    sigma: Floats
    turn_sigma: float
    log_moment: float
    log_sigma: float
