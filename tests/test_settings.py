"""Settings of the household: kept, whole, checked."""

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from companion import settings
from companion.settings import Settings, SettingsError, data_folder, load, rotate_code, save

PARSERS = re.compile(r"Expecting|delimiter|char \d|decode|codec|control character|Unterminated|recursion|argument")
"""What a parser or an interpreter says, and no person."""


def test_the_first_start_makes_a_code_and_keeps_it(tmp_path: Path) -> None:
    first = load(tmp_path)
    assert len(first.code) >= 12
    assert load(tmp_path) == first
    (tmp_path / "other").mkdir()
    assert load(tmp_path / "other").code != first.code


def test_a_rotated_code_replaces_the_old_one(tmp_path: Path) -> None:
    first = load(tmp_path)
    second = rotate_code(tmp_path, first)
    assert second.code != first.code
    assert load(tmp_path) == second


def test_the_file_with_the_code_is_its_owners_only(tmp_path: Path) -> None:
    load(tmp_path)
    assert (tmp_path / settings.FILE).stat().st_mode & 0o077 == 0


def test_a_save_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SettingsError, match="there is no space left: delete something"):
        save(tmp_path, replace(first, port=9000))
    monkeypatch.undo()
    assert load(tmp_path) == first
    assert os.listdir(tmp_path) == [settings.FILE]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there is nothing in it"),
        ("{", "it is cut off"),
        ('{"name": "Küc', "it is cut off"),
        ('{"name": "Küche",\n "port" 8080}', "line 2 is no JSON from column 9 on"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "JSON object"),
        ('{"colour": "red"}', "unknown setting 'colour'"),
        ('{"port": 70000}', "port"),
        ('{"port": true}', "port"),
        ('{"language": "french"}', "language"),
        ('{"table_name": 5}', "name"),
        ('{"code": 5}', "code"),
        ('{"sound": 5}', "sound"),
        ('{"volume": "loud"}', "volume"),
    ],
)
def test_a_damaged_file_is_refused_with_what_is_kept_and_what_to_do(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / settings.FILE).write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=says) as caught:
        load(tmp_path)
    told = str(caught.value)
    assert str(tmp_path / settings.FILE) in told
    assert "correct it, or move it away to start afresh" in told
    assert "Games and what was learned of the table stay" in told
    assert not PARSERS.search(told)
    assert (tmp_path / settings.FILE).read_text("utf-8") == text


def test_a_file_of_no_text_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / settings.FILE).write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SettingsError, match=r"bytes that are no text.*Games .* stay"):
        load(tmp_path)


def test_a_file_without_a_code_gets_one(tmp_path: Path) -> None:
    (tmp_path / settings.FILE).write_text(json.dumps({"table_name": "Küche"}))
    made = load(tmp_path)
    assert made.name == "Küche"
    assert made.code == load(tmp_path).code != ""


def test_a_data_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="--data"):
        data_folder(str(tmp_path / "file" / "below"))
    assert data_folder(str(tmp_path / "new" / "er")).is_dir()


def test_settings_of_the_wrong_kind_are_refused() -> None:
    with pytest.raises(ValueError, match="name"):
        Settings(name="x" * 41)


@pytest.mark.parametrize(
    ("kept", "name"),
    [
        ({"table_name": "Table"}, ""),  # as files of before said that nobody had named it
        ({"table_name": "Küche"}, "Küche"),
        ({"name": "Table"}, "Table"),  # somebody has named it so
        ({}, ""),
    ],
)
def test_a_table_has_the_name_that_somebody_gave_it_or_none(tmp_path: Path, kept: dict[str, str], name: str) -> None:
    (tmp_path / settings.FILE).write_text(json.dumps({**kept, "code": "abc"}))
    assert load(tmp_path).name == name
    settings.save(tmp_path, load(tmp_path))
    assert load(tmp_path).name == name
