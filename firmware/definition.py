"""messages.toml, read and checked: the one definition of the messages between board and host."""

import binascii
import json
import struct
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

CODES = {"u8": "B", "u16": "H", "u32": "I", "i8": "b", "i16": "h", "i32": "i"}
TABLES = ("load_errors", "load_states", "reset_causes", "done_codes")
"""Named values: each becomes constants on both sides."""
MARK = "made by firmware/generate.py from firmware/messages.toml; do not edit"


class DefinitionError(Exception):
    """messages.toml is not a sound definition; the message names the entry."""


def load(text: str) -> dict[str, Any]:
    """The definition as plain data. Raises DefinitionError."""
    try:
        definition = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DefinitionError(f"messages.toml is not valid TOML: {error}") from error
    seen: set[int] = {0}  # a zero id would be the delimiter's byte
    for message in definition["message"]:
        name, number = message["name"], message["id"]
        if number in seen or not 0 < number < 256:
            raise DefinitionError(f"message {name}: id {number} is taken or outside 1..255")
        seen.add(number)
        fields = [f["name"] for f in message["fields"]]
        for field in [*message["fields"], *message.get("records", {}).get("fields", [])]:
            if field["type"] not in CODES:
                raise DefinitionError(f"message {name}: unknown type {field['type']!r} of {field['name']}")
        if message.get("by", "board") not in ("board", "host"):
            raise DefinitionError(f"message {name}: by {message['by']!r} is neither board nor host")
        if "records" in message and message.get("tail", {}).get("type") not in ("packed10", "blocks"):
            raise DefinitionError(f"message {name}: records are only provided for before a packed tail")
        for part in ("records", "tail"):
            count = message.get(part, {}).get("count")
            if count is not None and count not in fields:
                raise DefinitionError(f"message {name}: {part} count {count!r} is not a field before them")
    for code, value in definition["load_errors"].items():
        if -(1 << 23) <= value < 1 << 23:
            raise DefinitionError(f"load error {code} lies inside the 24-bit data range")
    return definition


def check_value(definition: Mapping[str, Any]) -> int:
    """CRC-16 of the definition without its prose: what board and host compare."""

    def bare(item: Any) -> Any:
        if isinstance(item, Mapping):
            return {k: bare(v) for k, v in item.items() if k != "doc"}
        return [bare(i) for i in item] if isinstance(item, list) else item

    return binascii.crc_hqx(json.dumps(bare(definition), sort_keys=True).encode(), 0xFFFF)


def head_format(fields: Sequence[Mapping[str, str]], *, id_byte: bool) -> str:
    """The struct format of fixed fields."""
    return "<" + ("B" if id_byte else "") + "".join(CODES[f["type"]] for f in fields)


def messages(definition: Mapping[str, Any], by: str) -> list[Any]:
    """The messages that the board, or the host, sends."""
    return [message for message in definition["message"] if message.get("by", "board") == by]


def max_payload(definition: Mapping[str, Any], by: str = "board") -> int:
    """Bytes of the longest payload that the limits allow, of the messages of the board or of the host."""
    limits, longest = definition["limits"], 0
    for message in messages(definition, by):
        size = struct.calcsize(head_format(message["fields"], id_byte=True))
        if records := message.get("records"):
            size += limits[records["count"]] * struct.calcsize(head_format(records["fields"], id_byte=False))
        tail = message.get("tail", {})
        if tail.get("type") in ("packed10", "blocks"):  # a part's tail is never longer than a frame's
            size += -(-limits[tail["count"]] * 10 // 8)
        if tail.get("type") == "text":
            size += limits["text"]
        longest = max(longest, size)
    return longest
