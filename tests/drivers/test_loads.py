"""Conversions of the load cell are dated by their frame, through the wrap of the board's ticks."""

from hypothesis import given
from hypothesis import strategies as st

from drivers.sample import LoadSample
from drivers.wire.loads import dated
from drivers.wire.messages import LOAD_ERRORS

WRAP = 1 << 32


@given(st.integers(0, WRAP - 1), st.integers(-2_000_000, 2_000_000), st.integers(-(1 << 23), (1 << 23) - 1))
def test_a_conversion_lies_as_far_from_its_frame_as_its_ticks_say(ticks: int, after: int, value: int) -> None:
    assert dated([((ticks + after) % WRAP, value)], ticks, 7) == [LoadSample(7 + after, value)]


@given(st.integers(0, WRAP - 1), st.integers(2_000_001, WRAP - 2_000_001))
def test_one_that_is_far_from_its_frame_is_left_out_and_its_neighbours_are_not(ticks: int, after: int) -> None:
    loads = [(ticks, 1), ((ticks + after) % WRAP, 2), (ticks, 3)]
    assert dated(loads, ticks, 7) == [LoadSample(7, 1), LoadSample(7, 3)]


def test_a_value_beyond_24_bits_is_an_errors_code() -> None:
    errors = [(0, value) for value in LOAD_ERRORS]
    assert [(s.counts, s.error) for s in dated(errors, 0, 0)] == [(None, name) for name in LOAD_ERRORS.values()]
    assert dated([(0, 1 << 23), (0, -(1 << 23) - 1)], 0, 0) == [LoadSample(0, None, "unknown")] * 2
