"""companion lay: tiles as in a picture, and back."""

import json
import shutil
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.process.table.laying import PICTURES, laid, lay, picture_of
from companion.sensing.sensors.layout import TableLayout
from hardware import geometry

SNAP = Path(__file__).parents[1] / "data" / "recordings" / "nominal-snap2-a"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    shutil.copy(SNAP / "table.json", tmp_path / "table.json")
    return tmp_path


def middles(folder: Path) -> list[list[float]]:
    table = json.loads((folder / "table.json").read_text())
    middle: list[list[float]] = TableLayout.from_json(table).triangles.mean(axis=1).round(1).tolist()
    return middle


@pytest.mark.parametrize("picture", sorted(PICTURES))
def test_pictures_are_those_of_the_geometry(data: Path, picture: str) -> None:
    table = laid(json.loads((data / "table.json").read_text()), picture)
    assert [(t["x"], t["y"], t["rot"]) for t in table["tiles"]] == [
        (pytest.approx(p.x, abs=1e-3), pytest.approx(p.y, abs=1e-3), p.rot) for p in geometry.layout(picture)
    ]
    assert set(geometry.GEOMETRY["layouts"]) == set(PICTURES)


def test_a_laying_is_stored_and_taken_back(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = middles(data)
    assert main(["lay", "star", "--data", str(data)]) == 0
    assert middles(data) != before
    assert main(["lay", "--undo", "--data", str(data)]) == 0
    assert middles(data) == before
    assert main(["lay"]) == 0
    assert all(name in capsys.readouterr().out for name in ("row",))


def test_without_a_table_json_it_says_where_it_looked_and_how_to_make_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lay", "--data", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert f"there is no {tmp_path / 'table.json'}. `python3 -m hardware.geometry --layout triangle > " in told
    assert "Set up the table" in told
    assert list(tmp_path.iterdir()) == []
    assert main(["lay", "row", "--data", str(tmp_path)]) == 2
    assert f"There is no {tmp_path / 'table.json'}: put the table.json there." in capsys.readouterr().err


def test_what_a_page_laid_in_another_file_is_taken_back_there_step_by_step(data: Path, tmp_path: Path) -> None:
    (tmp_path / "kitchen").mkdir()
    file = Path(shutil.copy(data / "table.json", tmp_path / "kitchen" / "ours.json"))
    lay(file, "star", "2026-05-01T18:30:05Z")  # as the page does where companion run was given --table
    lay(file, "row", "2026-05-01T18:31:05Z")
    for picture in ("star", "triangle"):
        assert main(["lay", "--undo", "--table", str(file), "--data", str(data)]) == 0
        assert picture_of(json.loads(file.read_text())) == picture
    assert main(["lay", "--undo", "--table", str(file), "--data", str(data)]) == 2


def test_it_says_how_the_tiles_lie_and_how_many_layings_are_left(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(*arguments: str) -> str:
        assert main(["lay", *arguments, "--data", str(data)]) == 0
        return capsys.readouterr().out

    assert f"The tiles lie as triangle; no earlier layings left for --undo. ({data / 'table.json'})" in said()
    said("star")
    said("row")
    assert "The tiles lie as row; 2 earlier layings left" in said()
    assert "The tiles lie as star; 1 earlier laying left" in said("--undo")
    assert "The tiles lie as triangle; no earlier layings left" in said("--undo")
    table = json.loads((data / "table.json").read_text())
    table["tiles"][0]["x"] += 7.0
    (data / "table.json").write_text(json.dumps(table))
    assert "The tiles lie in none of the pictures" in said()


def test_where_nothing_is_stored_the_pictures_are_shown_and_nothing_is_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lay", "--data", str(tmp_path / "none")]) == 0
    assert "The tiles lie" not in capsys.readouterr().out
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["row", "--undo"], "not both"),
        (["--undo"], "nothing to take back"),
        (["row"], "There is no"),
        (["--without-weight"], "--without-weight is said with a picture"),
        (["--undo", "--without-weight"], "--without-weight is said with a picture"),
        (["--table", "/nowhere/table.json"], "There is no /nowhere/table.json"),
    ],
)
def test_what_cannot_be_laid_is_a_sentence(
    tmp_path: Path, arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lay", *arguments, "--data", str(tmp_path)]) == 2
    assert why in capsys.readouterr().err
