"""The board's side of the messages: the text of firmware/core/messages.h."""

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from firmware.definition import CODES, MARK, TABLES, check_value, max_payload


def c_side(definition: Mapping[str, Any]) -> str:
    """The text of firmware/core/messages.h: ids, places and sizes; the packing itself is the core's."""
    out = [
        f"/* The messages between board and host: {MARK}. */",
        "#ifndef TC_MESSAGES_H",
        "#define TC_MESSAGES_H",
        "",
        f"#define TC_PROTOCOL {definition['protocol']}u",
        f"#define TC_DEFINITION 0x{check_value(definition):04X}u",
        *(f"#define TC_MAX_{name.upper()} {value}u" for name, value in definition["limits"].items()),
        f"#define TC_MAX_PAYLOAD {max_payload(definition)}u",
        f"#define TC_MAX_COMMAND {max_payload(definition, by='host')}u",
    ]
    for message in definition["message"]:
        name = f"TC_{message['name'].upper()}"
        out += ["", f"/* {message['doc']} */", f"#define {name}_ID {message['id']}u"]
        out += _places(name, message["fields"], start=1)
        if records := message.get("records"):
            out += _places(f"{name}_{records['name'].upper()}", records["fields"], start=0)
        if tail := message.get("tail"):
            out += [f"/* then {tail['name']} ({tail['type']}): {tail['doc']} */"]
    for table in TABLES:
        stem, kind = table.removesuffix("s").upper(), "L" if table == "load_errors" else "u"
        out += ["", f"/* {table} */"]
        out += [f"#define TC_{stem}_{code.upper()} 0x{value:X}{kind}" for code, value in definition[table].items()]
    return "\n".join([*out, "", "#endif", ""])


def _places(name: str, fields: Sequence[Mapping[str, str]], start: int) -> list[str]:
    out, at = [], start
    for field in fields:
        out.append(f"#define {name}_{field['name'].upper()} {at}u /* {field['type']}: {field['doc']} */")
        at += struct.calcsize("<" + CODES[field["type"]])
    return [*out, f"#define {name}_SIZE {at}u"]
