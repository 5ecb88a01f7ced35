"""Writes the host's and the board's side of firmware/messages.toml, the one definition of the messages.

    python -m firmware.generate            write drivers/wire/messages.py and firmware/core/messages.h
    python -m firmware.generate --check    write nothing; exit 1 and name the stale files
"""

import argparse
import binascii
import json
import struct
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "firmware" / "messages.toml"
PYTHON = ROOT / "drivers" / "wire" / "messages.py"
HEADER = ROOT / "firmware" / "core" / "messages.h"
_CODES = {"u8": "B", "u16": "H", "u32": "I", "i8": "b", "i16": "h", "i32": "i"}
_MARK = "made by firmware/generate.py from firmware/messages.toml; do not edit"


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
            if field["type"] not in _CODES:
                raise DefinitionError(f"message {name}: unknown type {field['type']!r} of {field['name']}")
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
    return "<" + ("B" if id_byte else "") + "".join(_CODES[f["type"]] for f in fields)


def python_side(definition: Mapping[str, Any]) -> str:
    """The text of drivers/wire/messages.py."""
    out = [
        f'"""The messages between board and host: {_MARK}.',
        "",
        "`decode` gives the message of a payload or raises ValueError; `encode` is its inverse.",
        '"""',
        "",
        "# ruff: noqa: E501",
        "",
        "import struct",
        "from dataclasses import dataclass",
        "from typing import TypeAlias",
        "",
        "from drivers.wire.packing import pack10, packed_size, unpack10",
        "",
        f"PROTOCOL = {definition['protocol']}",
        f"DEFINITION = 0x{check_value(definition):04X}",
        *(f"MAX_{name.upper()} = {value}" for name, value in definition["limits"].items()),
        f"MAX_PAYLOAD = {max_payload(definition)}",
        "LOAD_ERRORS = {"
        + ", ".join(f'0x{value:08X}: "{code}"' for code, value in definition["load_errors"].items())
        + "}",
    ]
    for message in definition["message"]:
        out += _python_message(message)
    names = [_class(m["name"]) for m in definition["message"]]
    out += [
        "",
        "Message: TypeAlias = " + " | ".join(names),
        "_BY_ID: dict[int, type[Message]] = {"
        + ", ".join(f"{m['id']}: {_class(m['name'])}" for m in definition["message"])
        + "}",
        "",
        "",
        "def decode(payload: bytes) -> Message:",
        '    """The message of a payload (without its CRC). Raises ValueError where it is none."""',
        "    cls = _BY_ID.get(payload[0]) if payload else None",
        "    if cls is None:",
        '        raise ValueError("unknown message")',
        "    return cls.decode(payload)",
        "",
    ]
    return "\n".join(out)


def _python_message(message: Mapping[str, Any]) -> list[str]:
    cls, fields, records, tail = _parts(message)
    plain = [f for f in fields if f["name"] not in _counts(message)]
    out = ["", f"_{cls.upper()} = struct.Struct(\"{head_format(fields, id_byte=True)}\")"]
    if records:
        out += [f"_{cls.upper()}_RECORD = struct.Struct(\"{head_format(records['fields'], id_byte=False)}\")"]
    out += ["", "", "@dataclass(frozen=True, slots=True)", f"class {cls}:", f'    """{message["doc"]}', ""]
    shown = [*plain, *([tail] if tail else [])]
    out += [f"    {f['name']}: {f['doc']}." for f in shown]
    if records:
        names = ", ".join(f["name"] for f in records["fields"])
        out += [f"    {records['count']}: ({names}) of each {records['name']}."]
        out += [f"        {f['name']}: {f['doc']}." for f in records["fields"]]
    out += ['    """', ""]
    out += [f"    {f['name']}: int" for f in plain]
    if records:
        kinds = ", ".join("int" for _ in records["fields"])
        out += [f"    {records['count']}: tuple[tuple[{kinds}], ...]"]
    if tail:
        out += [f"    {tail['name']}: {'str' if tail['type'] == 'text' else 'bytes'}"]
    return out + _python_encode(message) + _python_decode(message)


def _python_encode(message: Mapping[str, Any]) -> list[str]:
    cls, fields, records, tail = _parts(message)
    given = {f["name"]: f"self.{f['name']}" for f in fields}
    promise = '        """The payload. Raises ValueError where a value has no place."""'
    out = ["", "    def encode(self) -> bytes:", promise]
    parts = [f"_{cls.upper()}.pack({message['id']}, " + "{head})"]
    if tail and tail["type"] == "packed10":
        given[tail["count"]] = f"len(self.{tail['name']}) // 2"
        out += [
            f"        if len(self.{tail['name']}) > 2 * MAX_{tail['count'].upper()}:",
            f'            raise ValueError("too many {tail["count"]}")',
        ]
        parts.append(f"pack10(self.{tail['name']})")
    if tail and tail["type"] == "text":
        out += [
            f"        text = self.{tail['name']}.encode()",
            "        if len(text) > MAX_TEXT:",
            '            raise ValueError("text too long")',
        ]
        parts.append("text")
    if records:
        count = records["count"]
        given[count] = f"len(self.{count})"
        out += [
            f"        if len(self.{count}) > MAX_{count.upper()}:",
            f'            raise ValueError("too many {count}")',
        ]
        parts.insert(1, f'b"".join(_{cls.upper()}_RECORD.pack(*r) for r in self.{count})')
    body = " + ".join(parts).replace("{head}", ", ".join(given.values()))
    return [
        *out,
        "        try:",
        f"            return {body}",
        "        except struct.error as error:",
        '            raise ValueError(f"a value has no place in its field: {error}") from error',
    ]


def _python_decode(message: Mapping[str, Any]) -> list[str]:
    cls, fields, records, tail = _parts(message)
    head, names = f"_{cls.upper()}", [f["name"] for f in fields]
    out = [
        "",
        "    @classmethod",
        f'    def decode(cls, payload: bytes) -> "{cls}":',
        '        """The message of a payload. Raises ValueError."""',
        f"        at = {head}.size",
        "        if len(payload) < at:",
        f'            raise ValueError("short {message["name"]}")',
        f"        _, {', '.join(names)} = {head}.unpack_from(payload)",
    ]
    size, arguments = "at", [n for n in names if n not in _counts(message)]
    if records:
        count = records["count"]
        size += f" + {count} * {head}_RECORD.size"
        arguments.append(f"tuple({head}_RECORD.iter_unpack(payload[at:tail]))")
        out += [f"        tail = {size}"]
        size = "tail"
    if tail and tail["type"] == "packed10":
        out += [
            f"        if {' or '.join(f'{c} > MAX_{c.upper()}' for c in _counts(message))}:",
            f'            raise ValueError("{message["name"]} over its limits")',
            f"        if len(payload) != {size} + packed_size({tail['count']}):",
            f'            raise ValueError("{message["name"]} of wrong length")',
        ]
        arguments.append(f"unpack10(payload[{size}:], {tail['count']})")
    if tail and tail["type"] == "text":
        out += [
            f"        if len(payload) > {size} + MAX_TEXT:",
            '            raise ValueError("text too long")',
        ]
        arguments.append(f'payload[{size}:].decode(errors="replace")')
    return [*out, f"        return cls({', '.join(arguments)})", ""]


def c_side(definition: Mapping[str, Any]) -> str:
    """The text of firmware/core/messages.h: ids, places and sizes; the packing itself is the core's."""
    out = [
        f"/* The messages between board and host: {_MARK}. */",
        "#ifndef TC_MESSAGES_H",
        "#define TC_MESSAGES_H",
        "",
        f"#define TC_PROTOCOL {definition['protocol']}u",
        f"#define TC_DEFINITION 0x{check_value(definition):04X}u",
        *(f"#define TC_MAX_{name.upper()} {value}u" for name, value in definition["limits"].items()),
        f"#define TC_MAX_PAYLOAD {max_payload(definition)}u",
    ]
    for message in definition["message"]:
        name = f"TC_{message['name'].upper()}"
        out += ["", f"/* {message['doc']} */", f"#define {name}_ID {message['id']}u"]
        out += _places(name, message["fields"], start=1)
        if records := message.get("records"):
            out += _places(f"{name}_{records['name'].upper()}", records["fields"], start=0)
        if tail := message.get("tail"):
            out += [f"/* then {tail['name']} ({tail['type']}): {tail['doc']} */"]
    out += ["", "/* values of a load conversion that are no weight */"]
    errors = definition["load_errors"].items()
    out += [f"#define TC_LOAD_{code.upper()} 0x{value:08X}L" for code, value in errors]
    return "\n".join([*out, "", "#endif", ""])


def max_payload(definition: Mapping[str, Any]) -> int:
    """Bytes of the longest payload that the limits allow."""
    limits, longest = definition["limits"], 0
    for message in definition["message"]:
        size = struct.calcsize(head_format(message["fields"], id_byte=True))
        if records := message.get("records"):
            size += limits[records["count"]] * struct.calcsize(head_format(records["fields"], id_byte=False))
        tail = message.get("tail", {})
        if tail.get("type") == "packed10":
            size += -(-limits[tail["count"]] * 10 // 8)
        elif tail.get("type") == "text":
            size += limits["text"]
        longest = max(longest, size)
    return longest


def _places(name: str, fields: Sequence[Mapping[str, str]], start: int) -> list[str]:
    out, at = [], start
    for field in fields:
        out.append(f"#define {name}_{field['name'].upper()} {at}u /* {field['type']}: {field['doc']} */")
        at += struct.calcsize("<" + _CODES[field["type"]])
    return [*out, f"#define {name}_SIZE {at}u"]


def _parts(message: Mapping[str, Any]) -> tuple[str, list[Any], dict[str, Any], dict[str, Any]]:
    return _class(message["name"]), message["fields"], message.get("records", {}), message.get("tail", {})


def _counts(message: Mapping[str, Any]) -> list[str]:
    return [message[part]["count"] for part in ("records", "tail") if "count" in message.get(part, {})]


def _class(name: str) -> str:
    return name.capitalize()


def stale(write: bool) -> list[Path]:
    """The generated files that differ from what the definition gives; written anew where asked."""
    definition = load(SOURCE.read_text(encoding="utf-8"))
    out = []
    for path, text in ((PYTHON, python_side(definition)), (HEADER, c_side(definition))):
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            out.append(path)
            if write:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write both sides of firmware/messages.toml.")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 where a file is stale")
    options = parser.parse_args(arguments)
    try:
        files = stale(write=not options.check)
    except DefinitionError as error:
        print(error, file=sys.stderr)
        return 2
    for path in files:
        print(f"{'stale' if options.check else 'written'}: {path.relative_to(ROOT)}")
    return 1 if options.check and files else 0


if __name__ == "__main__":
    sys.exit(main())
