"""A link that loses messages again and again is named; one gap, and what sound links lose, is not."""

import random

import pytest

from companion.process.common.losses import Losses


def after(losses: Losses, samples: list[tuple[int, int]]) -> list[str]:
    """The fault after each sample."""
    out = []
    for lost, damaged in samples:
        losses.add(lost, damaged)
        out.append(losses.fault)
    return out


@pytest.mark.failure("D11")
@pytest.mark.parametrize(("share", "fault"), [(0.2, "messages_lost"), (0.05, "messages_lost"), (0.003, "")])
def test_many_losses_are_named_and_few_are_not(share: float, fault: str) -> None:
    chance = random.Random(1)
    told = after(Losses(), [(int(chance.random() < share), 0) for _ in range(2000)])
    assert set(told[500:]) == {fault}


def test_one_gap_is_none() -> None:
    assert set(after(Losses(), [(1000, 0), *[(0, 0)] * 600])) == {""}


@pytest.mark.failure("A12", "D10")
def test_what_arrives_damaged_is_told_from_what_does_not_arrive() -> None:
    assert after(Losses(), [(k % 10 == 0, k // 10) for k in range(500)])[-1] == "messages_damaged"
    assert after(Losses(), [(k % 10 == 0, 3) for k in range(500)])[-1] == "messages_lost"


def test_it_is_over_when_few_are_lost() -> None:
    losses = Losses()
    after(losses, [(1, 0)] * 30)
    assert losses.fault == "messages_lost"
    told = after(losses, [(0, 0)] * 500)
    assert (told[0], told[400], told[-1]) == ("messages_lost", "messages_lost", "")
