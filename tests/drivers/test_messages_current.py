"""The generated files are those of messages.toml, and a wrong definition is refused."""

import pytest

from drivers.wire import messages
from firmware import generate
from firmware.definition import DefinitionError, check_value, load


def test_both_sides_are_current() -> None:
    assert generate.stale(write=False) == [], "run: python -m firmware.generate"


def test_the_check_value_does_not_see_prose_but_sees_every_field() -> None:
    text = generate.SOURCE.read_text(encoding="utf-8")
    assert check_value(load(text)) == messages.DEFINITION
    assert check_value(load(text.replace("A line for people", "Words"))) == messages.DEFINITION
    changed = text.replace('name = "seq", type = "u16"', 'name = "seq", type = "u32"')
    assert check_value(load(changed)) != messages.DEFINITION


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("id = 2", "id = 1", "id 1 is taken"),
        ("id = 2", "id = 256", "id 256"),
        ('type = "u8"', 'type = "u9"', "unknown type 'u9'"),
        ('count = "loads"', 'count = "weights"', "count 'weights' is not a field"),
        ('type = "packed10"', 'type = "text"', "records are only provided for before a packed tail"),
        ("read_error = 0x01000001", "read_error = 0x7FFFFF", "read_error lies inside"),
        ("protocol = 2", "protocol = ", "not valid TOML"),
    ],
)
def test_a_wrong_definition_is_named(old: str, new: str, words: str) -> None:
    text = generate.SOURCE.read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(DefinitionError, match=words):
        load(text.replace(old, new, 1))
