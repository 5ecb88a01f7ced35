"""How the tiles lay before is taken back from whatever is kept: a damaged entry never reaches table.json."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import main
from companion.process.common.earlier import Earlier, beside, earlier_layings
from companion.process.table.laying import laid, lay, picture_of
from companion.sensing.sensors.layout import TableLayout
from tests.sensing.tables import table_json

STAR, ROW = laid(table_json(), "star"), laid(table_json(), "row")


def written(file: Path, table: Any) -> Path:
    file.write_text(json.dumps(table), "utf-8")
    return file


def entry(table: dict[str, Any], until: str = "2026-05-01T18:30:05Z") -> dict[str, Any]:
    tiles = [[tile["x"], tile["y"], tile["rot"]] for tile in table["tiles"]]
    return {"until": until, "tiles": tiles, "weighed": True}


def picture(file: Path) -> str:
    table = json.loads(file.read_bytes())
    TableLayout.from_json(table)  # whatever has been taken back, the table starts with it
    return picture_of(table)


def undo(folder: Path) -> int:
    return main(["lay", "--undo", "--data", str(folder)])


@pytest.mark.parametrize("value", ["a", None, math.nan, math.inf, -math.inf, True, 10**400, [1.0]])
def test_a_damaged_entry_is_passed_over_and_a_sound_one_taken_back(tmp_path: Path, value: Any) -> None:
    file = written(tmp_path / "table.json", table_json())
    damaged = entry(ROW)
    damaged["tiles"][1][0] = value
    written(beside(file), [entry(STAR), damaged])
    assert [each.until for each in earlier_layings(file)] == ["2026-05-01T18:30:05Z"]
    assert undo(tmp_path) == 0
    assert picture(file) == "star"
    assert undo(tmp_path) == 2
    assert picture(file) == "star"


def test_a_table_that_could_not_start_is_not_laid_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = table_json()
    table["sensor"]["range_mt"] = 0
    file = written(tmp_path / "table.json", table)
    written(beside(file), [entry(STAR)])
    before = file.read_bytes()
    assert undo(tmp_path) == 2
    assert "range_mt" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_what_the_program_before_kept_is_the_one_earlier_laying(tmp_path: Path) -> None:
    file = written(tmp_path / "table.json", ROW)
    unweighed = laid(table_json(), "star", weighed=False)
    written(tmp_path / "table.last.json", unweighed)
    assert earlier_layings(file) == [Earlier("", tuple((t["x"], t["y"], t["rot"]) for t in STAR["tiles"]), False)]
    assert undo(tmp_path) == 0
    assert json.loads(file.read_bytes()) == unweighed
    assert undo(tmp_path) == 2  # and only once
    assert picture(file) == "star"


def test_what_the_program_before_kept_stays_beneath_what_is_laid_now(tmp_path: Path) -> None:
    file = written(tmp_path / "table.json", ROW)
    written(tmp_path / "table.last.json", STAR)
    lay(file, "triangle", "2026-05-01T18:30:05Z")
    for before in ("row", "star"):
        assert undo(tmp_path) == 0
        assert picture(file) == before
    assert undo(tmp_path) == 2


def broken(x: Any) -> dict[str, Any]:
    table = laid(table_json(), "star")
    table["tiles"][2]["x"] = x
    return table


@pytest.mark.parametrize(
    "last",
    [STAR | {"table_id": "kitchen"}, STAR | {"tiles": 3}, [], "{", *map(broken, ("a", None, math.nan, 10**400))],
)
def test_what_the_program_before_kept_of_no_table_or_another_is_none(tmp_path: Path, last: Any) -> None:
    file = written(tmp_path / "table.json", ROW)
    written(tmp_path / "table.last.json", last)
    assert earlier_layings(file) == []
    assert undo(tmp_path) == 2
    assert picture(file) == "row"
