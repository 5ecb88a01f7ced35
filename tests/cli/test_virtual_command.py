"""companion virtual: the line that it prints is all that is needed to referee it."""

import json
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.cli.virtual import laid_anew
from companion.process.table.laying import laid as laid_so
from drivers.virtual.place import Place
from tests.drivers.rig import Rig

ROOT = Path(__file__).parents[2]
OWN = ROOT / "drivers" / "virtual" / "table.json"


@contextmanager
def printed_line(*arguments: str) -> Iterator[list[str]]:
    """The words of the printed line, while the table runs."""
    command = [sys.executable, "-m", "companion.cli.main", "virtual", "--no-players", *arguments]
    # A shell in the background ignores Ctrl-C for all that it starts: the table would never stop.
    usual = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, preexec_fn=usual) as table:
        assert table.stdout is not None
        try:
            typed = next(line for line in table.stdout if line.startswith("  companion run "))
            assert table.stdout.readline() == "Stop with Ctrl-C.\n"
            yield shlex.split(typed)
        finally:
            table.send_signal(signal.SIGINT)


def test_what_the_printed_line_names_is_this_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with printed_line() as typed:
        source, table = typed[2:4], typed[4:6]
        assert (source[0], table[0]) == ("--source", "--table")
        assert Path(table[1]).resolve() != OWN  # a laying of who referees it is written there
        assert main(["diagnose", *source, *table, "--seconds", "1", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("Nothing is wrong in ")
    assert not Path(table[1]).exists()


def test_a_table_json_that_was_given_is_named_as_it_is(tmp_path: Path) -> None:
    given = shutil.copy(OWN, tmp_path / "our table.json")
    with printed_line("--table", str(given), "--link", str(tmp_path / "cable")) as typed:
        assert typed[2:] == ["--source", f"serial:{tmp_path / 'cable'}", "--table", str(given)]


def test_an_amount_that_is_no_number_is_said_in_plain_words(capsys: pytest.CaptureFixture[str]) -> None:
    for text, what in (("drop=abc", "the amount, 'abc',"), ("drop=20,soon", "the seconds, 'soon',")):
        assert main(["virtual", "--misbehave", text]) == 2
        said = capsys.readouterr().err
        assert f"{what} is no number" in said
        assert "such as drop=20,60" in said


def test_help_says_that_the_amount_of_a_sensor_is_which_one(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["virtual", "--help"])
    assert "sensor_noisy which sensor, counted from 0" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(("which", "is_one"), [("219", True), ("220", False), ("300", False), ("30.5", False)])
def test_a_sensor_that_the_table_does_not_have_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, which: str, is_one: bool
) -> None:
    monkeypatch.setattr("drivers.virtual.table.VirtualTable.run", lambda table: None)
    assert main(["virtual", "--no-players", "--misbehave", f"sensor_stuck={which}"]) == (0 if is_one else 2)
    said = capsys.readouterr().err
    assert ("numbered from 0 to 219" in said) is not is_one


def test_a_table_that_was_started_by_hand_lies_as_its_file_says_from_then_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.json"
    shutil.copy(OWN, file)
    laid: list[float] = []

    class Table:
        def lay(self, place: Place) -> None:
            laid.append(float(place.sensors[:, 0].max()))

    look = laid_anew(Table(), file)
    look()
    assert laid == []
    table = json.loads(file.read_text("utf-8"))
    file.write_text("{", "utf-8")
    look()
    look()
    assert laid == []  # half written
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"The tiles stay as they were: {file} cannot be used (")
    file.write_text(json.dumps(laid_so(table, "row")), "utf-8")
    look()
    look()
    assert laid == [float(Place.of(laid_so(table, "row")).sensors[:, 0].max())]
    assert capsys.readouterr().err == ""


def test_a_file_with_fewer_tiles_is_said_to_be_of_no_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.json"
    shutil.copy(OWN, file)
    rig = Rig()
    look = laid_anew(rig.table, file)
    table = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps(table | {"tiles": table["tiles"][:3]}), "utf-8")
    look()
    rig.table.do({"do": "misbehave", "name": "sensor_stuck", "amount": 219.0})
    rig.table.do({"do": "grab", "stone": 0})
    rig.run(0.1)
    assert len(rig.table.world.place.sensors) == 220
    assert "it has 165 sensors, and the tiles that lie here have 220" in capsys.readouterr().err
