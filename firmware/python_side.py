"""The host's side of the messages: the text of drivers/wire/messages.py."""

from collections.abc import Mapping
from typing import Any

from firmware.definition import MARK, check_value, head_format, max_payload


def python_side(definition: Mapping[str, Any]) -> str:
    """The text of drivers/wire/messages.py."""
    out = [
        f'"""The messages between board and host: {MARK}.',
        "",
        "`decode` gives the message of a payload or raises ValueError; `encode` is its inverse.",
        '"""',
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
    out = ["", f'_{cls.upper()} = struct.Struct("{head_format(fields, id_byte=True)}")']
    if records:
        out += [f'_{cls.upper()}_RECORD = struct.Struct("{head_format(records["fields"], id_byte=False)}")']
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
    parts = ["head"]
    records_line: list[str] = []
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
        records_line = [f'            records = b"".join(_{cls.upper()}_RECORD.pack(*r) for r in self.{count})']
        parts.insert(1, "records")
    return [
        *out,
        "        try:",
        f"            head = _{cls.upper()}.pack({message['id']}, {', '.join(given.values())})",
        *records_line,
        f"            return {' + '.join(parts)}",
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
        arguments.append("records")
        out += [f"        tail = {size}"]
        size = "tail"
    if tail and tail["type"] == "packed10":
        out += [
            f"        if {' or '.join(f'{c} > MAX_{c.upper()}' for c in _counts(message))}:",
            f'            raise ValueError("{message["name"]} over its limits")',
            f"        if len(payload) != {size} + packed_size({tail['count']}):",
            f'            raise ValueError("{message["name"]} of wrong length")',
        ]
        if records:  # only now is it sure that the payload has them all
            out += [f"        records = tuple({head}_RECORD.iter_unpack(payload[at:tail]))"]
        out += [f"        {tail['name']} = unpack10(payload[{size}:], {tail['count']})"]
        arguments.append(tail["name"])
    if tail and tail["type"] == "text":
        out += [
            f"        if len(payload) > {size} + MAX_TEXT:",
            '            raise ValueError("text too long")',
        ]
        arguments.append(f'payload[{size}:].decode(errors="replace")')
    return [*out, f"        return cls({', '.join(arguments)})", ""]


def _parts(message: Mapping[str, Any]) -> tuple[str, list[Any], dict[str, Any], dict[str, Any]]:
    return _class(message["name"]), message["fields"], message.get("records", {}), message.get("tail", {})


def _counts(message: Mapping[str, Any]) -> list[str]:
    return [message[part]["count"] for part in ("records", "tail") if "count" in message.get(part, {})]


def _class(name: str) -> str:
    return name.capitalize()
