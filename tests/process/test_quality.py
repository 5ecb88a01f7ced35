"""How good what was learned is: gains that agree on a few points alone are not called good."""

import numpy as np
import pytest

from companion.process.common.quality import figures
from companion.sensing.learning.calibration import Calibration
from companion.sensing.learning.learned import Learned


@pytest.mark.parametrize(
    ("sure", "residual", "grade"), [(14, 0.009, "fair"), (60, 0.009, "good"), (60, 0.03, "fair"), (14, 0.05, "poor")]
)
def test_gains_are_good_only_where_enough_sensors_are_sure(sure: int, residual: float, grade: str) -> None:
    spread = np.where(np.arange(220) < sure, 0.01, 0.03)
    found = Learned("hw1", tuple(map(str, range(220))), Calibration(np.full(220, 5.0), spread, residual, 12))
    told = figures(found)["gains"]
    assert (told["grade"], told["sure"], told["n"]) == (grade, sure, 220)
