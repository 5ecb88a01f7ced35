"""Board time on the monotonic clock: delays and outliers hardly move it, the crystal's error is taken up."""

import random

from drivers.clockfit import ClockFit


def test_nothing_is_known_before_the_first_frame() -> None:
    fit = ClockFit()
    assert fit.to_monotonic(0) is None
    assert fit.offset_us(0) is None


def test_one_pair_gives_the_offset_and_reset_forgets() -> None:
    fit = ClockFit()
    fit.add(1_000, 51_000)
    assert fit.to_monotonic(2_000) == 52_000
    assert fit.offset_us(7) == 50_000
    fit.reset()
    assert fit.to_monotonic(2_000) is None


def test_drift_is_followed_through_late_and_very_late_arrivals() -> None:
    rng, fit = random.Random(1), ClockFit()
    for k in range(20_000):  # 200 s at 100 frames/s, the board 80 ppm slow against the host
        board = k * 10_000
        delay = 10_000 + rng.expovariate(1 / 3_000)
        if rng.random() < 0.01 or 9_000 < k < 9_200:  # now and then, and for two seconds: a stall
            delay += 400_000
        fit.add(board, round(5_000_000 + board * 1.00008 + delay))
    for board in (190_000_000, 199_990_000, 200_500_000):
        true = 5_000_000 + board * 1.00008 + 10_000
        assert abs(fit.to_monotonic(board) - true) < 1_000
