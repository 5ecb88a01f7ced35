"""Whatever comes in, nothing is raised, no frame is delivered that was not sent, and the way is found again.

More rounds: `python -m tests.drivers.fuzz 10000000`.
"""

import pytest

from tests.drivers.fuzz import damage, noise, others


@pytest.mark.failure("A13")
def test_ten_thousand_damaged_frames_never_give_a_false_one() -> None:
    assert damage(10_000, seed=1) == 0


@pytest.mark.slow
def test_a_hundred_thousand_damaged_frames_never_give_a_false_one() -> None:
    assert damage(100_000, seed=2) == 0


def test_ten_thousand_pieces_of_noise_give_nothing_and_are_forgotten() -> None:
    noise(10_000, seed=3)


@pytest.mark.slow
def test_a_hundred_thousand_pieces_of_noise_give_nothing_and_are_forgotten() -> None:
    noise(100_000, seed=4)


@pytest.mark.failure("A13")
def test_every_kind_of_message_damaged_gives_nothing_false() -> None:
    others(10_000, seed=5)


@pytest.mark.slow
def test_every_kind_of_message_damaged_a_hundred_thousand_times_gives_nothing_false() -> None:
    others(100_000, seed=6)
