"""The board's side of the wire is the host's: CRC, COBS, packing, commands, on anything."""

import binascii
import itertools
import json
import struct
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from drivers.wire import messages
from drivers.wire.framing import FrameError, seal, unseal
from drivers.wire.messages import DEFINITION, DONE_CODES, PROTOCOL, Command, decode_command
from drivers.wire.packing import pack10
from tests.firmware.core import Core, Ear

VECTORS = Path(__file__).parents[1] / "drivers" / "vectors"
CAUSES = {-1: "cobs", -2: "size", -3: "crc"}
payloads = st.binary(min_size=1, max_size=700) | st.integers(1, 700).map(lambda n: b"\x07" * n)


def rows(name: str) -> list[dict[str, str]]:
    return list(json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8")))


@given(st.binary(max_size=400))
def test_the_crc_is_that_of_the_host(core: Core, data: bytes) -> None:
    assert core.crc(data) == binascii.crc_hqx(data, 0xFFFF)


@given(payloads)
def test_a_sealed_payload_is_what_the_host_seals_and_comes_back(core: Core, payload: bytes) -> None:
    wire = core.seal(payload)
    assert wire == seal(payload)
    assert core.unseal(wire[:-1]) == payload == unseal(wire[:-1])


@given(payloads, st.data())
def test_a_ring_is_written_over_its_end(core: Core, payload: bytes, data: st.DataObject) -> None:
    ring = len(seal(payload)) + data.draw(st.integers(1, 40))
    assert core.seal(payload, ring, data.draw(st.integers(0, ring - 1))) == seal(payload)


@given(st.binary(max_size=300).map(lambda b: b.replace(b"\0", b"\1")))
@settings(max_examples=300)
def test_any_bytes_between_zeros_are_judged_as_by_the_host(core: Core, frame: bytes) -> None:
    try:
        wanted: bytes | str = unseal(frame)
    except FrameError as error:
        wanted = error.cause
    got = core.unseal(frame)
    assert wanted == (CAUSES[got] if isinstance(got, int) else got)


@given(st.lists(st.integers(0, 1023), max_size=260))
def test_packing_is_that_of_the_host(core: Core, values: list[int]) -> None:
    assert core.pack10(values) == pack10(struct.pack(f"<{len(values)}H", *values))


@pytest.mark.parametrize("name", ["hello", "frame", "log", "other", "commands"])
def test_the_vectors_are_sealed_and_opened_alike(core: Core, name: str) -> None:
    for row in rows(name):
        wire = bytes.fromhex(row["wire"])
        assert core.seal(bytes.fromhex(row["payload"])) == wire
        assert core.unseal(wire[:-1]) == bytes.fromhex(row["payload"])


COMMANDS = st.one_of(
    st.builds(messages.Greet, st.integers(0, 255), st.integers(0, 65535)),
    st.just(messages.Greet(PROTOCOL, DEFINITION)),
    st.just(messages.Start()),
    st.just(messages.Stop()),
    st.just(messages.Diagnose()),
    st.builds(messages.Rate, st.integers(0, 255), st.integers(0, 65535)),
    st.builds(messages.Identify, st.integers(0, 255)),
    st.builds(messages.Name, st.text(max_size=20)),
)


HEARD = len(seal(messages.Name("n" * 32).encode())) + 1
"""Longer ones do not fit into the board's memory (TC_COMMAND_FRAME)."""


def code_of(command: Command) -> str:
    """What a board should answer, as far as the parser knows."""
    match command:
        case messages.Greet():
            return "ok" if (command.protocol, command.definition) == (PROTOCOL, DEFINITION) else "mismatch"
        case messages.Name():
            raw = command.table_id.encode()
            return "ok" if 1 <= len(raw) <= 32 and not any(b < 32 or b == 127 for b in raw) else "bad_value"
    return "ok"


@given(st.lists(COMMANDS, max_size=8), st.lists(st.integers(0, 400), max_size=10))
@example([messages.Name("n" * size) for size in (32, 33, 34)], [])
def test_commands_are_heard_in_any_pieces(core: Core, commands: list[Command], cuts: list[int]) -> None:
    stream = b"\0" + b"".join(seal(command.encode()) for command in commands)
    ear, heard = Ear(core), []
    edges = [0, *sorted(min(c, len(stream)) for c in cuts), len(stream)]
    for a, b in itertools.pairwise(edges):
        heard += ear.hear(stream[a:b])
    fits = [c for c in commands if len(seal(c.encode())) <= HEARD]
    assert [(h.id, DONE_CODES[h.code]) for h in heard] == [(c.encode()[0], code_of(c)) for c in fits]
    for told, sent in zip(heard, fits, strict=True):
        match sent:
            case messages.Rate():
                assert (told.every, told.budget) == (sent.every, sent.budget)
            case messages.Identify():
                assert told.seconds == sent.seconds
            case messages.Name() if code_of(sent) == "ok":
                assert told.table_id == sent.table_id.encode()
    assert ear.refused == len(commands) - len(fits)


@given(st.binary(max_size=60))
@settings(max_examples=300)
def test_any_payload_is_a_command_for_both_sides_or_for_none(core: Core, payload: bytes) -> None:
    heard = Ear(core).hear(seal(payload or b"\xff"))
    try:
        command: Command | None = decode_command(payload)
    except ValueError:
        command = None
    known = [h for h in heard if DONE_CODES[h.code] != "unknown"]
    assert [h.id for h in known] == ([command.encode()[0]] if command is not None else [])


@pytest.mark.failure("A12")
@given(st.binary(max_size=200), st.sampled_from(rows("commands")))
def test_after_any_noise_and_a_zero_the_next_command_is_heard(core: Core, noise: bytes, row: dict[str, str]) -> None:
    ear = Ear(core)
    ear.hear(noise + b"\0")
    assert [h.id for h in ear.hear(bytes.fromhex(row["wire"]))] == [bytes.fromhex(row["payload"])[0]]
