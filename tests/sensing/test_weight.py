"""The load cell: touches to the conversion, steps of seconds, no invented ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing.sensors.weight import Scale, Weight

PERIOD_US = 12_500


def feed(weight: Weight, grams: list[float], start: int = 0) -> None:
    for k, g in enumerate(grams):
        weight.feed(start + k * PERIOD_US, g)


def noisy(grams: list[float], seed: int, sigma: float) -> list[float]:
    return [float(g) for g in np.array(grams) + np.random.default_rng(seed).normal(0.0, sigma, len(grams))]


def ringing(n: int, peak: float) -> list[float]:
    """A platform of 30 Hz with a damping of 0.12 after a blow."""
    t = np.arange(n) * PERIOD_US * 1e-6
    return list(peak * np.exp(-0.12 * 2 * np.pi * 30 * t) * np.cos(2 * np.pi * 30 * t))


@given(st.floats(3.0, 12.0), st.floats(35.0, 120.0), st.integers(0, 1000), st.sampled_from([0.03, 0.06, 0.1]))
def test_a_stone_pressed_on_and_let_go_is_one_step_dated_by_its_first_touch(
    mass: float, press: float, seed: int, sigma: float
) -> None:
    before, held = [0.0] * 80, [mass + press * (1.0 - 0.02 * (k % 7)) for k in range(30)]
    after = [mass + r for r in ringing(80, press / 2)]
    weight = Weight()
    feed(weight, noisy(before + held + after, seed, sigma))
    assert len(weight.steps) == 1
    step = weight.steps[0]
    assert step.t_us == 80 * PERIOD_US
    assert step.grams == pytest.approx(mass, abs=0.6)
    assert step.peak_g > 0.8 * press
    assert step.quiet_us >= 110 * PERIOD_US


@given(st.floats(-400.0, 400.0), st.integers(20, 60))
def test_one_odd_conversion_is_no_touch(spike: float, at: int) -> None:
    grams = noisy([5.0] * 100, 1, 0.03)
    grams[at] += spike
    weight = Weight()
    feed(weight, grams)
    assert weight.state is Scale.QUIET
    assert weight.steps == []


@given(st.floats(-2.0, 2.0))
def test_creep_and_warming_make_no_step(grams_a_second: float) -> None:
    drift = [grams_a_second * k * PERIOD_US * 1e-6 for k in range(1600)]
    weight = Weight()
    feed(weight, noisy(drift, 3, 0.03))
    assert weight.steps == []
    assert weight.level == pytest.approx(drift[-1], abs=0.6)


def test_a_hand_that_leans_and_goes_leaves_the_level_where_it_was() -> None:
    weight = Weight()
    feed(
        weight,
        noisy([9.0] * 50 + [9.0 + 700.0 * np.sin(np.pi * k / 120) for k in range(120)] + [9.0] * 50, 4, 0.05),
    )
    assert [abs(s.grams) < 0.5 for s in weight.steps] == [True]


def test_silence_is_absent_and_what_comes_after_it_is_no_step() -> None:
    weight = Weight()
    assert weight.tell(0) is Scale.ABSENT
    feed(weight, [1.0] * 40)
    assert weight.tell(40 * PERIOD_US) is Scale.QUIET
    assert weight.tell(40 * PERIOD_US + 600_000) is Scale.ABSENT
    feed(weight, [50.0] * 40, start=5_000_000)
    assert weight.steps == []
    assert weight.level == pytest.approx(50.0)


@given(st.floats(20.0, 60.0), st.integers(0, 1000))
def test_what_a_finger_bears_down_with_is_no_blow(press: float, seed: int) -> None:
    """While it presses, for a second after it has gone, and then no more; the swings of a blow bear nothing."""
    second = 1_000_000
    weight, blow = Weight(), Weight()
    feed(weight, noisy([5.0] * 80 + [5.0 + press] * 40, seed, 0.05))
    assert weight.borne(120 * PERIOD_US, second) == pytest.approx(press, abs=1.0)
    feed(weight, noisy([5.0] * 60, seed, 0.05), 120 * PERIOD_US)
    assert weight.borne(180 * PERIOD_US, second) == pytest.approx(press, abs=1.0)
    feed(weight, noisy([5.0] * 80, seed, 0.05), 180 * PERIOD_US)
    assert weight.borne(260 * PERIOD_US, second) == 0.0
    feed(blow, noisy([5.0] * 80, seed, 0.05))
    for k, grams in enumerate(noisy([5.0 + g for g in ringing(14, press)], seed, 0.05), 80):
        blow.feed(k * PERIOD_US, grams)
        assert blow.borne(k * PERIOD_US, second) < 6.0


@pytest.mark.parametrize(
    ("pressed", "then", "borne"),
    [
        (100, [], 40.0),  # it still presses
        (400, [], 40.0),
        (400, [8.0] * 100, 0.0),  # it has gone, a stone is left there
        (900, [], 0.0),  # something that was put there
    ],
)
def test_a_finger_bears_on_the_board_until_it_goes(pressed: int, then: list[float], borne: float) -> None:
    weight = Weight()
    feed(weight, noisy([0.0] * 80 + [40.0] * pressed + then, 5, 0.05))
    now = (80 + pressed + len(then)) * PERIOD_US
    assert weight.borne(now, 1_000_000) == pytest.approx(borne, abs=0.5)


def test_stones_that_are_laid_down_one_after_another_bear_no_finger() -> None:
    weight = Weight()
    feed(weight, noisy([9.0 * (k // 100) for k in range(800)], 6, 0.05))
    assert len(weight.steps) == 7
    assert weight.borne(900 * PERIOD_US, 1_000_000) == 0.0


def test_a_load_cell_that_falls_silent_while_it_is_pressed_bears_nothing() -> None:
    weight = Weight()
    feed(weight, noisy([0.0] * 80 + [40.0 + 5.0 * (k % 2) for k in range(20)], 7, 0.05))
    assert weight.borne(100 * PERIOD_US, 1_000_000) > 30.0
    assert weight.borne(100 * PERIOD_US + 600_000, 1_000_000) == 0.0


@pytest.mark.failure("B7")
@pytest.mark.parametrize(("sigma", "constant"), [(0.03, True), (0.0, False)])
def test_a_cell_whose_noise_is_gone_tells_nothing_until_it_changes(sigma: float, constant: bool) -> None:
    """0.03 g are a dozen counts: half a second of one count never happens. One without noise may stand still."""
    weight, count = Weight(), 1 / 420.0
    before = [round(g / count) * count for g in noisy([5.0] * 900, 4, sigma)]
    feed(weight, before + [before[-1]] * 60)
    end = 960 * PERIOD_US
    assert (weight.tell(end) is Scale.ABSENT) is constant
    feed(weight, [5.1], end)
    assert weight.tell(end) is not Scale.ABSENT
    assert not weight.mute(end)
    assert weight.mute(end + 1)
