import numpy as np
import pytest

from companion.sensing.sensors.load import LoadCell, is_shifted
from drivers.sample import LoadSample

GAIN, OFFSET = 420.0, 84000.0
STEP = 12_500


def weigh(cell: LoadCell, values: list[int | None], first: int = 0) -> list[tuple[int, float]]:
    out = []
    for n, value in enumerate(values):
        t = (first + n) * STEP
        out += [
            (r.t_us, r.grams) for r in cell.update(t, [LoadSample(t, value, "" if value is not None else "read_error")])
        ]
    return out


def test_counts_become_grams():
    assert weigh(LoadCell(GAIN, OFFSET), [84000, 84420, 88200]) == [(0, 0.0), (STEP, 1.0), (2 * STEP, 10.0)]


@pytest.mark.failure("B1")
@pytest.mark.parametrize("spike", [2**n - 1 for n in range(1, 24) if n != 16] + [0, -1])
def test_a_lone_shifted_value_is_no_weight(spike):
    got = weigh(LoadCell(GAIN, OFFSET), [84000, 84010, spike, 84005, 84000])
    assert [t for t, _ in got] == [0, STEP, 3 * STEP, 4 * STEP]
    assert max(abs(g) for _, g in got) < 0.1


@pytest.mark.failure("B1")
def test_three_percent_of_them_are_reported_and_harm_nothing():
    rng = np.random.default_rng(5)
    cell = LoadCell(GAIN, OFFSET)
    values = [
        int(2 ** rng.integers(17, 24) - 1) if rng.random() < 0.03 else int(rng.normal(84000, 15)) for _ in range(2000)
    ]
    got = weigh(cell, values)
    assert max(abs(g) for _, g in got) < 0.3
    assert "load_spikes" in cell.faults or cell.rejected > 40


def test_a_real_weight_of_such_a_value_is_believed_late():
    value = 2**17 - 1
    got = weigh(LoadCell(GAIN, OFFSET), [84000, value, value + 8, value - 3])
    assert [t for t, _ in got] == [0, STEP, 2 * STEP, 3 * STEP]
    assert got[1][1] == pytest.approx((value - OFFSET) / GAIN)


@pytest.mark.failure("B6", "B7")
@pytest.mark.parametrize("end", [0x7FFFFF, -0x800000])
def test_the_ends_of_the_range_are_a_fault_not_a_weight(end):
    cell = LoadCell(GAIN, OFFSET)
    assert weigh(cell, [84000] + [end] * 10) == [(0, 0.0)]
    assert cell.faults == ("load_saturated",)
    weigh(cell, [84000] * 20, first=11)
    assert "load_saturated" not in cell.faults


@pytest.mark.failure("B3")
def test_read_errors_are_dropped():
    assert len(weigh(LoadCell(GAIN, OFFSET), [84000, None, 0x7FFFFF, 84001])) == 2


@pytest.mark.failure("B9")
def test_a_silent_cell_is_absent_and_a_table_without_one_has_no_fault():
    cell, none = LoadCell(GAIN, OFFSET), LoadCell(0.0, 0.0)
    for n in range(150):
        assert cell.update(n * 10_000, []) == ()
        assert none.update(n * 10_000, []) == ()
    assert cell.faults == ("load_absent",)
    assert none.faults == ()


def test_the_family_of_shifted_values():
    assert all(is_shifted(v) for v in (0, 1, 3, 255, 65535, 0x7FFFFF, -1))
    assert not any(is_shifted(v) for v in (2, 84000, -2, 0x800000, 65536))


@pytest.mark.failure("B5")
@pytest.mark.parametrize("ratio", [0.25, 0.5, 2.0])
def test_a_burst_at_another_gain_is_named_and_is_no_weight(ratio):
    rng = np.random.default_rng(6)
    cell = LoadCell(GAIN, OFFSET)
    noise = rng.normal(0, 15, 90).astype(int)
    values = [int((ratio if 30 <= n < 60 else 1.0) * 86000) + int(noise[n]) for n in range(90)]
    assert max(abs(g - 4.76) for _, g in weigh(cell, values[:60])) < 0.3
    assert cell.faults == ("load_gain",)
    got = weigh(cell, values[60:], first=60)
    assert len(got) == 30
    assert cell.faults == ()


@pytest.mark.failure("B5")
def test_a_gain_that_stays_switched_is_lived_with():
    cell = LoadCell(GAIN, OFFSET)
    weigh(cell, [84000] * 5)
    assert weigh(cell, [42000] * 1000, first=5)


@pytest.mark.failure("B12")
def test_a_hand_that_leans_is_weight_not_another_gain():
    cell = LoadCell(GAIN, OFFSET)
    ramp = [84000 + 700 * n for n in range(200)]
    assert len(weigh(cell, ramp)) == 200
    assert cell.faults == ()


@pytest.mark.failure("B5")
def test_a_weight_that_doubles_the_count_swings_and_is_believed():
    """200 g put on within one conversion, where the empty plate shows as many counts."""
    rng, cell = np.random.default_rng(7), LoadCell(GAIN, OFFSET)
    weigh(cell, [int(84000 + v) for v in rng.normal(0, 15, 40)])
    n = np.arange(80)
    swing = 40.0 * np.exp(-n * 0.0125 / 0.044) * np.cos(2 * np.pi * 30.0 * n * 0.0125)
    got = weigh(cell, [int(168000 + GAIN * s + v) for s, v in zip(swing, rng.normal(0, 15, 80), strict=True)], 40)
    assert len(got) >= 78
    assert got[-1][1] == pytest.approx(200.0, abs=0.3)
    assert cell.faults == ()


@pytest.mark.failure("B9")
def test_after_a_silence_another_count_is_a_weight():
    cell = LoadCell(GAIN, OFFSET)
    weigh(cell, [84000] * 20)
    for n in range(200):
        cell.update(250_000 + n * 10_000, [])
    got = weigh(cell, [168000] * 20, first=200)
    assert len(got) == 20
    assert cell.faults == ()


@pytest.mark.failure("B7")
def test_values_at_random_are_named_and_no_weight_until_they_are_weights_again():
    rng, cell = np.random.default_rng(8), LoadCell(GAIN, OFFSET)
    weigh(cell, [84000] * 40)
    got = weigh(cell, [int(v) for v in rng.integers(-(2**23), 2**23, 160)], 40)
    assert cell.faults == ("load_random",)
    assert max(t for t, _ in got) < 60 * STEP
    got = weigh(cell, [84000] * 80, 200)
    assert cell.faults == ()
    assert len(got) > 40


@pytest.mark.failure("B3")
def test_a_chip_that_gives_nothing_but_errors_is_named():
    cell = LoadCell(GAIN, OFFSET)
    weigh(cell, [84000] * 40)
    assert weigh(cell, [None] * 90, 40) == []
    assert cell.faults == ("load_faulty",)
    weigh(cell, [84000] * 10, 130)
    assert "load_faulty" not in cell.faults
