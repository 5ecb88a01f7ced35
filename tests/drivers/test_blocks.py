"""Values of many sensors in few bits: what is written is read, and what is damaged is refused."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.wire.blocks import in_round, read_blocks, write_blocks


@given(st.data())
def test_what_is_written_is_read(data: st.DataObject) -> None:
    count, block = data.draw(st.integers(0, 60)), data.draw(st.integers(1, 12))
    number = -(-count // block)
    turn, bases = data.draw(st.integers(0, max(0, number - 1))), data.draw(st.integers(0, number))
    values: list[int | None] = [None] * count
    for k, sensors in enumerate(in_round(count, block, turn)):
        absent = k >= bases and data.draw(st.booleans())
        low, high = (0, 4095) if k < bases else (-4095, 4095)
        for sensor in sensors:
            values[sensor] = None if absent else data.draw(st.integers(low, high))
    assert read_blocks(write_blocks(values, block, turn, bases), count, block, turn, bases) == tuple(values)


@given(st.binary(max_size=80), st.integers(0, 60), st.integers(1, 12), st.integers(0, 70), st.integers(0, 70))
def test_any_bytes_are_read_or_refused(data: bytes, count: int, block: int, turn: int, bases: int) -> None:
    with suppress(ValueError):
        assert len(read_blocks(data, count, block, turn, bases)) == count


@pytest.mark.parametrize(("data", "bases"), [("", 0), ("0700", 0), ("0f", 0), ("01", 0), ("0707", 1)])
def test_too_few_bits_and_too_many_are_refused(data: str, bases: int) -> None:
    with pytest.raises(ValueError, match="block"):
        read_blocks(bytes.fromhex(data), 3, 3, 0, bases)


def test_a_still_block_takes_a_bit_a_sensor() -> None:
    assert len(write_blocks([0] * 220, 11, 0, 0)) == -(-20 * (3 + 11) // 8)


def test_of_large_differences_the_lowest_bits_are_left_out_where_they_are_nought() -> None:
    assert len(write_blocks([1024] * 11, 11, 0, 0)) < len(write_blocks([1025] * 11, 11, 0, 0))
