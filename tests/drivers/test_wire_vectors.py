"""The bytes on the wire, fixed: an independent hand wrote the vectors, the firmware's tests will read the same."""

import json
import struct
from pathlib import Path
from typing import Any

import pytest

from drivers.wire import Session, messages
from drivers.wire.framing import seal, unseal
from drivers.wire.messages import Command, Frame, Hello, Log, Message, decode, decode_command

VECTORS = Path(__file__).parent / "vectors"


def vectors(name: str) -> list[Any]:
    rows = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    return [pytest.param(row, id=f"{name}: {row['name']}") for row in rows]


def as_message(row: dict[str, Any]) -> Message:
    values = row["message"]
    if "kind" in row:
        return as_kind(row)
    if "hall" in values:
        hall = struct.pack(f"<{len(values['hall'])}H", *values["hall"])
        loads = tuple((ticks, value) for ticks, value in values["loads"])
        return Frame(values["boot"], values["seq"], values["ticks"], loads, hall)
    return Hello(**values) if "protocol" in values else Log(**values)


def as_kind(row: dict[str, Any]) -> Any:
    values = dict(row["message"])
    if "spare" in values:
        values["spare"] = struct.pack(f"<{len(values['spare'])}H", *values["spare"])
    if "hall" in values:
        values["hall"] = tuple(values["hall"])
    if "loads" in values:
        values["loads"] = tuple(map(tuple, values["loads"]))
    return getattr(messages, row["kind"])(**values)


@pytest.mark.parametrize("row", [*vectors("hello"), *vectors("frame"), *vectors("log"), *vectors("other")])
def test_the_vector_decodes_to_its_message_and_back(row: dict[str, Any]) -> None:
    wire, message = bytes.fromhex(row["wire"]), as_message(row)
    assert wire.endswith(b"\0")
    assert wire.count(0) == 1
    assert unseal(wire[:-1]).hex() == row["payload"]
    assert decode(unseal(wire[:-1])) == message
    if not row.get("decode_only"):
        assert seal(message.encode()) == wire


@pytest.mark.parametrize("row", vectors("commands"))
def test_the_vector_of_a_command_decodes_and_comes_back(row: dict[str, Any]) -> None:
    command: Command = as_kind(row)
    assert seal(command.encode()).hex() == row["wire"]
    assert decode_command(unseal(bytes.fromhex(row["wire"])[:-1])) == command


@pytest.mark.parametrize("row", vectors("bad"))
def test_a_bad_vector_is_counted_by_its_cause_and_nothing_else_happens(row: dict[str, Any]) -> None:
    session = Session()
    assert session.feed(bytes.fromhex(row["wire"]), 0) == []
    counts = session.counts
    seen = {
        "cobs": counts.bad_cobs,
        "crc": counts.bad_crc,
        "size": counts.bad_size,
        "malformed": counts.malformed,
        "junk": min(session.junk_bytes, 1),
    }
    assert seen == {**dict.fromkeys(seen, 0), row["cause"]: 1}
