"""PROTOCOL.md says what the definition and the vectors say."""

import json
import re
import struct
from pathlib import Path

from drivers.wire.framing import MAX_FRAME
from drivers.wire.messages import MAX_PAYLOAD
from firmware import generate
from firmware.definition import CODES, load, messages

PAGE = (generate.ROOT / "firmware" / "PROTOCOL.md").read_text(encoding="utf-8")
DEFINITION = load(generate.SOURCE.read_text(encoding="utf-8"))
VECTORS = Path(__file__).parents[1] / "drivers" / "vectors"


def test_every_field_stands_at_its_offset_with_its_type() -> None:
    for message in messages(DEFINITION, "board"):
        section = PAGE.split(f"### {message['id']} {message['name']}:")[1].split("### ")[0]
        at = 1
        for field in message["fields"]:
            assert re.search(rf"^\| {at} \| {field['name']} \| {field['type']} \|", section, re.M), field
            at += struct.calcsize("<" + CODES[field["type"]])
    for message in messages(DEFINITION, "host"):
        fields = ", ".join(f"{f['name']} {f['type']}" for f in message["fields"])
        if "tail" in message:
            fields = f"{message['tail']['name']} UTF-8"
        assert f"| {message['id']} | {message['name']} |{' ' + fields if fields else ''} |" in PAGE, message["name"]


def test_every_code_is_named() -> None:
    for value, code in ((v, c) for c, v in DEFINITION["load_errors"].items()):
        assert f"{value:08X}" in PAGE
        assert code in PAGE
    for table in ("load_states", "reset_causes", "done_codes"):
        for code, value in DEFINITION[table].items():
            assert f"{value} {code}" in PAGE


def test_every_example_is_a_vector() -> None:
    known = {
        (row["payload"], row["wire"])
        for path in VECTORS.glob("*.json")
        if path.stem != "bad"
        for row in json.loads(path.read_text(encoding="utf-8"))
    }
    said = re.findall(r"^    payload  (.*)\n(?:    wire     (.*))?", PAGE, re.M)

    def bare(text: str) -> str:
        return re.split(r"\s{3,}", text)[0].replace(" ", "")

    assert len(said) == 6
    for payload, wire in said:
        assert any(bare(payload) == p and (not wire or bare(wire) == w) for p, w in known), payload


def test_the_lengths_are_those_of_the_code() -> None:
    assert f"The longest payload is {MAX_PAYLOAD} bytes, the longest frame {MAX_FRAME} and its zero." in PAGE
