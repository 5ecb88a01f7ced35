"""What the board makes of its load cell: no fault of the reading ever passes for a weight, and no wait is endless."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.wire.messages import LOAD_ERRORS, LOAD_STATES
from tests.firmware.core import Core, Load

STEP = 12_500


def settled(core: Core) -> tuple[Load, int]:
    """A cell that weighs, and the time."""
    load, now = Load(core), 0
    for k in range(6):
        now += STEP
        load.take(84_000 + k, now)
    assert LOAD_STATES[load.state] == "ok"
    return load, now


@given(st.integers(-(1 << 23) + 1, (1 << 23) - 2).filter(lambda v: v != -1))
def test_a_sound_read_is_its_24_bits_with_sign(core: Core, value: int) -> None:
    load, now = settled(core)
    assert load.take(value, now + STEP) == value


@pytest.mark.failure("B6")
@pytest.mark.parametrize(("bits", "code"), [(0x7FFFFF, "saturated_high"), (0x800000, "saturated_low")])
def test_a_rail_is_a_state_of_its_own_and_no_weight(core: Core, bits: int, code: str) -> None:
    load, now = settled(core)
    assert LOAD_ERRORS[load.take(bits, now + STEP)] == code
    assert LOAD_STATES[load.state] == "saturated"
    assert load.take(84_000, now + 2 * STEP) == 84_000
    assert LOAD_STATES[load.state] == "ok"


@pytest.mark.failure("B3")
def test_a_stretched_pulse_is_an_error_and_the_chip_settles_before_it_weighs_again(core: Core) -> None:
    load, now = settled(core)
    assert LOAD_ERRORS[load.take(84_000, now + STEP, high_us=51)] == "stretched"
    after = [load.take(84_000 + k, now + (2 + k) * STEP) for k in range(5)]
    assert [LOAD_ERRORS.get(v, v) for v in after] == ["settling"] * 4 + [84_004]


@pytest.mark.failure("B1", "B3")
@pytest.mark.parametrize(("bits", "line_after"), [(0xFFFFFF, True), (84_000, False), (0, False)])
def test_only_ones_or_a_line_that_does_not_rise_after_25_pulses_is_a_lost_count(
    core: Core, bits: int, line_after: bool
) -> None:
    load, now = settled(core)
    assert LOAD_ERRORS[load.take(bits, now + STEP, line_after=line_after)] == "desync"


@pytest.mark.failure("B4")
def test_a_read_that_took_too_long_is_an_error_and_several_switch_the_chip_off_and_on(core: Core) -> None:
    load, now = settled(core)
    for k in range(1, 4):
        assert LOAD_ERRORS[load.take(84_000, now + k * STEP, took_us=2_001)] == "long_read"
        assert not load.restart()
    load.take(84_000, now + 4 * STEP, took_us=2_001)
    assert LOAD_STATES[load.state] == "faulty"
    assert load.restart()


@pytest.mark.failure("B9", "B10")
def test_a_missing_chip_is_absent_after_a_second_and_told_once_a_second(core: Core) -> None:
    load = Load(core)
    told = {now: load.missing(now) for now in range(0, 3_500_000, 10_000)}
    assert {now: LOAD_ERRORS[code] for now, code in told.items() if code} == {
        1_000_000: "absent",
        2_000_000: "absent",
        3_000_000: "absent",
    }
    assert LOAD_STATES[load.state] == "absent"
    assert load.restart()


@pytest.mark.failure("B9")
def test_a_chip_that_falls_silent_is_late_then_absent_and_welcome_when_it_returns(core: Core) -> None:
    load, now = settled(core)
    told = [LOAD_ERRORS[c] for t in range(0, 1_500_000, 5_000) if (c := load.missing(now + t))]
    assert told == ["late"] * 24 + ["absent"]
    back = [load.take(84_000 + k, now + 2_000_000 + k * STEP) for k in range(5)]
    assert [LOAD_ERRORS.get(v, v) for v in back] == ["settling"] * 4 + [84_004]


@pytest.mark.failure("B7")
def test_the_very_same_counts_for_half_a_second_are_told_as_constant(core: Core) -> None:
    load, now = settled(core)
    states = []
    for k in range(45):
        load.take(500_000, now + k * STEP)
        states.append(LOAD_STATES[load.state])
    assert states == ["ok"] * 40 + ["constant"] * 5
    load.take(500_001, now + 50 * STEP)
    assert LOAD_STATES[load.state] == "ok"


@pytest.mark.failure("B10")
def test_counts_all_over_the_range_are_told_as_random(core: Core) -> None:
    load, now = settled(core)
    told = [load.take(0x300000 if k % 2 else -0x300000, now + k * STEP) for k in range(12)]
    assert LOAD_STATES[load.state] == "random"
    assert [LOAD_ERRORS.get(value) for value in told[8:]] == ["read_error"] * 4
    for k in range(20):  # a chip that is there after all
        value = load.take(1000 + k, now + (12 + k) * STEP)
    assert (LOAD_STATES[load.state], value) == ("ok", 1019)


@pytest.mark.failure("B10")
def test_random_bits_are_told_as_random_though_some_lie_near_each_other(core: Core) -> None:
    load, now = settled(core)
    chance = random.Random(4)
    told = [load.take(chance.randrange(1 << 24) - (1 << 23), now + k * STEP) for k in range(200)]
    assert {LOAD_ERRORS.get(value) for value in told[40:]} <= {"read_error", "desync"}


@given(st.lists(st.tuples(st.integers(0, 0xFFFFFF), st.integers(0, 200), st.integers(0, 5000), st.booleans())))
def test_whatever_is_read_the_value_lies_in_the_range_or_is_a_known_code(
    core: Core, reads: list[tuple[int, int, int, bool]]
) -> None:
    load = Load(core)
    for k, (bits, high, took, line) in enumerate(reads):
        value = load.take(bits, (k + 1) * STEP, high_us=high, took_us=took, line_after=line)
        assert value in LOAD_ERRORS or abs(value) < 1 << 23
        assert load.state in LOAD_STATES
