"""The host's side of the messages: the text of drivers/wire/messages.py."""

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from firmware.definition import MARK, TABLES, check_value, head_format, max_payload, messages

_KINDS = {"text": "str", "packed10": "bytes", "blocks": "tuple[int | None, ...]"}


def python_side(definition: Mapping[str, Any]) -> str:
    """The text of drivers/wire/messages.py."""
    out = [
        f'"""The messages between board and host: {MARK}.',
        "",
        "`decode` gives the message of a payload of the board, `decode_command` one of the host, or raises ValueError;",
        "`encode` is the inverse of both.",
        '"""',
        "",
        "import struct",
        "from dataclasses import dataclass",
        "from typing import TypeAlias",
        "",
        "from drivers.wire.blocks import read_blocks, write_blocks",
        "from drivers.wire.packing import pack10, packed_size, unpack10",
        "",
        f"PROTOCOL = {definition['protocol']}",
        f"DEFINITION = 0x{check_value(definition):04X}",
        *(f"MAX_{name.upper()} = {value}" for name, value in definition["limits"].items()),
        f"MAX_PAYLOAD = {max_payload(definition)}",
        f"MAX_COMMAND = {max_payload(definition, by='host')}",
    ]
    for table in TABLES:
        form = "0x{:08X}" if table == "load_errors" else "{}"
        rows = [f'    {form.format(value)}: "{code}",' for code, value in definition[table].items()]
        out += [f"{table.upper()} = {{", *rows, "}"]
    for message in definition["message"]:
        out += _python_message(message)
    for by, alias, function in (("board", "Message", "decode"), ("host", "Command", "decode_command")):
        names = [_class(m["name"]) for m in messages(definition, by)]
        kinds = [f"    {m['id']}: {_class(m['name'])}," for m in messages(definition, by)]
        out += [
            "",
            f"{alias}: TypeAlias = " + " | ".join(names),
            f"_{alias.upper()}S: dict[int, type[{alias}]] = {{",
            *kinds,
            "}",
            "",
            "",
            f"def {function}(payload: bytes) -> {alias}:",
            f'    """The {alias.lower()} of a payload (without its CRC). Raises ValueError where it is none."""',
            f"    cls = _{alias.upper()}S.get(payload[0]) if payload else None",
            "    if cls is None:",
            f'        raise ValueError("unknown {alias.lower()}")',
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
    out += [f"{cls.upper()}_{key.upper()} = {tail[key]}" for key in ("block", "unit", "small") if key in tail]
    out += ["", "", "@dataclass(frozen=True, slots=True)", f"class {cls}:", *_docstring(message)]
    if plain or records or tail:
        out += ["", *(f"    {f['name']}: int" for f in plain)]
    if records:
        kinds = ", ".join("int" for _ in records["fields"])
        out += [f"    {records['count']}: tuple[tuple[{kinds}], ...]"]
    if tail:
        out += [f"    {tail['name']}: {_KINDS[tail['type']]}"]
    return out + _python_encode(message) + _python_decode(message)


def _docstring(message: Mapping[str, Any]) -> list[str]:
    _, fields, records, tail = _parts(message)
    lines = [f"{f['name']}: {f['doc']}." for f in fields if f["name"] not in _counts(message)]
    if tail:
        lines += [f"{tail['name']}: {tail['doc']}."]
    if records:
        names = ", ".join(f["name"] for f in records["fields"])
        lines += [f"{records['count']}: ({names}) of each {records['name']}."]
        lines += [f"    {f['name']}: {f['doc']}." for f in records["fields"]]
    wrapped = [row for line in lines for row in textwrap.wrap(line, 112, subsequent_indent="    ")]
    head = textwrap.wrap(message["doc"], 108)
    if len(head) == 1 and not wrapped:
        return [f'    """{head[0]}"""']
    rows = [f'"""{head[0]}', *head[1:], *(["", *wrapped] if wrapped else []), '"""']
    return [f"    {row}".rstrip() for row in rows]


def _call(start: str, arguments: Sequence[str], end: str = ")") -> list[str]:
    """A call as the formatter would write it: on one line, or else indented, or else one argument a line."""
    indent = " " * (len(start) - len(start.lstrip()) + 4)
    joined = ", ".join(arguments)
    if len(start + joined + end) <= 120:
        return [start + joined + end]
    if len(indent + joined) <= 120:
        return [start, indent + joined, indent[4:] + end]
    return [start, *(f"{indent}{argument}," for argument in arguments), indent[4:] + end]


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
    if tail and tail["type"] == "blocks":
        given[tail["count"]] = f"len(self.{tail['name']})"
        out += [
            f"        if len(self.{tail['name']}) > MAX_{tail['count'].upper()}:",
            f'            raise ValueError("too many {tail["count"]}")',
        ]
        parts.append(f"write_blocks(self.{tail['name']}, {cls.upper()}_BLOCK, self.turn, self.bases)")
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
    pack = f"_{cls.upper()}.pack("
    arguments = [str(message["id"]), *given.values()]
    if parts == ["head"]:
        return [
            *out,
            "        try:",
            *_call(f"            return {pack}", arguments),
            "        except struct.error as error:",
            '            raise ValueError(f"a value has no place in its field: {error}") from error',
        ]
    head = _call(f"            head = {pack}", arguments)
    return [
        *out,
        "        try:",
        *head,
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
        f"        if len(payload) {'<' if tail else '!='} at:",
        f'            raise ValueError("{message["name"]} of wrong length")',
    ]
    if names:
        out += _call(f"        _, {', '.join(names)} = {head}.unpack_from(", ["payload"])
    size, arguments = "at", [n for n in names if n not in _counts(message)]
    if records:
        size += f" + {records['count']} * {head}_RECORD.size"
        arguments.append("records")
        out += [f"        tail = {size}"]
        size = "tail"
    count = tail.get("count", "")
    if count:
        limited = [part["count"] for part in (records, tail) if part]
        out += [
            f"        if {' or '.join(f'{c} > MAX_{c.upper()}' for c in limited)}:",
            f'            raise ValueError("{message["name"]} over its limits")',
        ]
        blocks = tail["type"] == "blocks"
        most = f"packed_size(MAX_{count.upper()})" if blocks else f"packed_size({count})"
        short = f"not {size} <= len(payload) <= {size} + {most}" if blocks else f"len(payload) != {size} + {most}"
        out += [
            f"        if {short}:",
            f'            raise ValueError("{message["name"]} of wrong length")',
        ]
        if records:  # only now is it sure that the payload has them all
            out += [f"        records = tuple({head}_RECORD.iter_unpack(payload[at:tail]))"]
        read = f"read_blocks(payload[{size}:], {count}, {cls.upper()}_BLOCK, turn, bases)"
        out += [f"        {tail['name']} = {read if blocks else f'unpack10(payload[{size}:], {count})'}"]
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
    """The fields that follow from what comes after them, and so are no attributes."""
    parts = [message.get("records", {}), message.get("tail", {})]
    return [part["count"] for part in parts if "count" in part]


def _class(name: str) -> str:
    return name.capitalize()
