"""Packing and framing: both ways are inverse, damage is found, memory is bounded."""

import contextlib
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.wire.framing import MAX_FRAME, FrameError, Splitter, cobs_decode, cobs_encode, seal, unseal
from drivers.wire.messages import Frame
from drivers.wire.packing import pack10, packed_size, unpack10


@given(st.lists(st.integers(0, 1023), max_size=512))
def test_packing_puts_value_k_at_bit_10k(values: list[int]) -> None:
    raw = struct.pack(f"<{len(values)}H", *values)
    number = sum(value << 10 * k for k, value in enumerate(values))
    packed = number.to_bytes(packed_size(len(values)), "little")
    assert pack10(raw) == packed
    assert unpack10(packed, len(values)) == raw


@given(st.lists(st.integers(0, 1023), min_size=1, max_size=20), st.integers(1024, 65535), st.data())
def test_a_value_over_ten_bits_is_refused(values: list[int], over: int, data: st.DataObject) -> None:
    values[data.draw(st.integers(0, len(values) - 1))] = over
    with pytest.raises(ValueError, match="10-bit"):
        pack10(struct.pack(f"<{len(values)}H", *values))


@given(st.binary(max_size=900) | st.integers(0, 900).map(lambda n: b"\x07" * n))
def test_cobs_has_no_zero_and_comes_back(data: bytes) -> None:
    encoded = cobs_encode(data)
    assert 0 not in encoded
    assert len(encoded) <= len(data) + len(data) // 254 + 1
    assert cobs_decode(encoded) == data


@given(st.binary(max_size=900).map(lambda b: b.replace(b"\0", b"\1")))
def test_any_bytes_decode_or_raise_a_frame_error_and_nothing_else(frame: bytes) -> None:
    with contextlib.suppress(FrameError):
        unseal(frame)


def test_no_change_of_one_byte_in_a_frame_is_overlooked() -> None:
    wire = seal(Frame(1, 2, 300, ((280, 84000),), struct.pack("<40H", *range(490, 530))).encode())
    for at in range(len(wire) - 1):
        for value in range(1, 256):
            if value != wire[at]:
                with pytest.raises(FrameError):
                    unseal(wire[:at] + bytes([value]) + wire[at + 1 : -1])


@given(st.lists(st.binary(max_size=2000), max_size=20))
def test_the_splitter_holds_one_frame_at_most_and_accounts_for_every_byte(pieces: list[bytes]) -> None:
    splitter, passed = Splitter(), 0
    for piece in pieces:
        for frame in splitter.feed(piece):
            assert 0 < len(frame) <= MAX_FRAME
            passed += len(frame)
        assert splitter.held <= MAX_FRAME
    total = sum(len(piece) - piece.count(0) for piece in pieces)
    assert passed + splitter.junk + splitter.held == total
