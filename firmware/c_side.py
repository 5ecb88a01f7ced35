"""The board's side: the texts of firmware/companion/src/core/messages.h and channels.h."""

import struct
from collections.abc import Mapping, Sequence
from typing import Any

from firmware.definition import CODES, MARK, TABLES, DefinitionError, check_value, max_payload
from hardware.geometry import GEOMETRY, channels

ADDRESSES = 16


def c_side(definition: Mapping[str, Any]) -> str:
    """The text of messages.h: ids, places and sizes; the packing itself is the core's."""
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
            out += [f"#define {name}_{key.upper()} {tail[key]}u" for key in ("block", "unit", "small") if key in tail]
            out += [f"/* then {tail['name']} ({tail['type']}): {tail['doc']} */"]
    for table in TABLES:
        stem, kind = table.removesuffix("s").upper(), "L" if table == "load_errors" else "u"
        out += ["", f"/* {table} */"]
        out += [f"#define TC_{stem}_{code.upper()} 0x{value:X}{kind}" for code, value in definition[table].items()]
    return "\n".join([*out, "", "#endif", ""])


def channel_map() -> str:
    """The text of channels.h: what hangs on which address of which multiplexer, from hardware/geometry.toml."""
    listed = channels()
    multiplexers = 1 + max(channel.multiplexer for channel in listed)
    on = [sum(c.sensor is not None and c.multiplexer == m for c in listed) for m in range(multiplexers)]
    sensors = sum(on)
    if [c.sensor for c in listed if c.sensor is not None] != list(range(sensors)):
        raise DefinitionError("the sensors do not lie on the multiplexers in the table's order")
    if not all(c.name.endswith("ground") for c in listed if c.address == ADDRESSES - 1):
        raise DefinitionError("the last address of each multiplexer must be ground: the self-test needs it")
    period_us = round(1e6 / GEOMETRY["converter"]["frame_rate"])
    return "\n".join(
        [
            "/* The multiplexers' channels: made by firmware/generate.py from hardware/geometry.toml; do not edit. */",
            "#ifndef TC_CHANNELS_H",
            "#define TC_CHANNELS_H",
            "",
            f"#define TC_MULTIPLEXERS {multiplexers}u /* one on each ADC input */",
            f"#define TC_ADDRESSES {ADDRESSES}u /* the last one of each is ground */",
            f"#define TC_CHANNELS {multiplexers * ADDRESSES}u",
            f"#define TC_SENSORS {sensors}u",
            f"#define TC_SPARES {multiplexers * ADDRESSES - sensors}u",
            f"#define TC_PERIOD_US {period_us}u /* from scan to scan */",
            "/* sensors on each multiplexer, from address 0 on; the addresses after them are spares */",
            "#define TC_SENSORS_ON { " + ", ".join(map(str, on)) + " }",
            "",
            "#endif",
            "",
        ]
    )


def _places(name: str, fields: Sequence[Mapping[str, str]], start: int) -> list[str]:
    out, at = [], start
    for field in fields:
        out.append(f"#define {name}_{field['name'].upper()} {at}u /* {field['type']}: {field['doc']} */")
        at += struct.calcsize("<" + CODES[field["type"]])
    return [*out, f"#define {name}_SIZE {at}u"]
