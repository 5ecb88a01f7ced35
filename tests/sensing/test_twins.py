"""One stone under two numbers is found; of a stone that is not known nothing is said."""

import math
from dataclasses import replace

import pytest

from companion.sensing.fields.stones import LearnedStone
from companion.sensing.learning.twins import same_stone

ONE = LearnedStone(1, 0.29, 0.02, (4.0, 0.4, 1.0), 6.8, 5.8, 0.01)
OTHER = LearnedStone(2, 0.2, 0.02, (3.0, 0.8, 0.0), 5.8, 3.9, 0.01)


def test_a_stone_shown_again_is_found_and_another_one_is_not() -> None:
    assert same_stone([ONE, OTHER], replace(ONE, number=3)) == 1
    assert same_stone([OTHER], ONE) is None
    assert same_stone([], ONE) is None


def test_a_stone_that_was_not_weighed_is_found_too() -> None:
    assert same_stone([ONE], replace(ONE, number=3, mass=None)) == 1


@pytest.mark.parametrize(
    "change",
    [
        *({"moment": value} for value in (0.0, -0.29, math.nan, math.inf)),
        {"thickness": math.nan},
        {"shape": (4.0, math.nan, 1.0)},
    ],
)
def test_of_a_stone_that_is_not_known_nothing_is_said(change: dict[str, float]) -> None:
    unknown = replace(ONE, number=3, **change)  # type: ignore[arg-type]
    assert same_stone([ONE], unknown) is None
    assert same_stone([unknown], replace(ONE, number=4)) is None
    assert same_stone([ONE, unknown], replace(ONE, number=4)) == 1
