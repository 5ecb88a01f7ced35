"""companion diagnose, plot and calibrate: what they print, and one sentence for what is wrong."""

import json
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from companion.cli.diagnose import UNCHECKED, said
from companion.cli.main import main
from companion.clock import SystemClock
from companion.process.common.lock import FolderLock
from companion.process.common.stored import Entry, Store
from companion.sensing.learning.learned import Learned
from companion.sensing.learning.weighing import LoadGain
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.sensors.multiplexers import multiplexers
from companion.sensing.sensors.parts import faulty_parts
from drivers.virtual.cable import Cable
from drivers.virtual.table import VirtualTable
from tests.drivers.rig import PLACE

DATA = Path(__file__).parents[1] / "data" / "recordings"
SNAP = DATA / "nominal-snap2-a"
VIRTUAL = Path(__file__).parents[2] / "drivers" / "virtual" / "table.json"


def test_a_sound_table_is_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", "--source", f"replay:{SNAP}", "--seconds", "3"]) == 0
    first, unchecked = capsys.readouterr().out.splitlines()
    assert first.startswith("Nothing is wrong in ")
    assert unchecked == UNCHECKED  # without a magnet nobody knows whose plug is where
    assert main(["diagnose", "--source", f"replay:{SNAP}", "--seconds", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_a_multiplexer_is_named_as_the_template_numbers_it() -> None:
    """One part, one name: whether it is missing or one of its pins is broken."""
    layout = TableLayout.from_json(json.loads(VIRTUAL.read_text()))
    counts = 512.0 + np.random.default_rng(1).normal(0.0, 6.0, layout.count) + np.zeros((50, 1))
    parts = multiplexers(np.flatnonzero(layout.tile == 1))[2]
    broken, gone = counts.copy(), counts.copy()
    broken[:, parts[1::2]] = broken[:, parts[0::2]]
    gone[:, parts] = 0.0
    (stuck,), (missing,) = faulty_parts(layout, broken)[0], faulty_parts(layout, gone)[0]
    name = "B-2 (tile and number on the template)"
    assert said(stuck).startswith(f"Select line S0 at multiplexer {name} is stuck")
    assert said(missing).startswith(f"Multiplexer {name} is missing")


def test_a_live_board_is_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clock = SystemClock()
    cable = Cable(tmp_path / "board")
    table = VirtualTable(PLACE, cable, clock)
    thread = threading.Thread(target=table.run)
    thread.start()
    try:
        command = ["diagnose", "--source", f"serial:{cable.name}", "--seconds", "1", "--data", str(tmp_path)]
        code = main([*command, "--table", str(VIRTUAL)])
    finally:
        table.close()
        thread.join()
    assert capsys.readouterr().out.startswith("Nothing is wrong in ")
    assert code == 0


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["diagnose", "--seconds", "0"], "--seconds must be from 1 to 600"),
        (["diagnose", "--source", "replay:/nowhere"], "is not a recording"),
        (["diagnose"], "give --source"),
        (["plot", str(SNAP), "--at", "1e6"], "--at must be from 0 to"),
        (["plot", "/nowhere"], "There is no folder"),
        (["calibrate"], "give one of these"),
        (["calibrate", str(SNAP), "--data", "DATA"], "There is nothing to learn"),
        (["calibrate", "--undo", "hw1", "--data", "DATA"], "nothing is stored for table hw1"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    arguments: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path) if a == "DATA" else a for a in arguments]) == 2
    assert why in capsys.readouterr().err


def test_without_matplotlib_plot_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["plot", str(SNAP)]) == 2
    assert "pip install -e '.[plot]'" in capsys.readouterr().err
    for arguments, why in (
        (["/nowhere"], "There is no folder"),
        ([str(SNAP), "--at", "1e6"], "--at must be from 0 to"),
    ):
        assert main(["plot", *arguments]) == 2  # what is wrong with the line itself comes first
        assert why in capsys.readouterr().err


@pytest.mark.slow
def test_plot_draws_four_pictures(tmp_path: Path) -> None:
    assert main(["plot", str(SNAP), "--out", str(tmp_path / "pictures"), "--at", "5"]) == 0
    drawn = {p.name: p.read_bytes()[:4] for p in (tmp_path / "pictures").iterdir()}
    assert drawn == dict.fromkeys(["field.png", "residual.png", "tracks.png", "time.png"], b"\x89PNG")


def test_a_list_with_nothing_stored_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "--list", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"Nothing is stored in {tmp_path}.\n"


def test_what_a_running_service_uses_is_not_taken_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = Learned("hw1", ("A0",), load=LoadGain(420.0, 0.001, 4))
    Store(tmp_path).add(Entry("2026-05-01T18:30:05Z", "page: grams", found))
    undo = ["calibrate", "--undo", "hw1", "--data", str(tmp_path)]
    with closing(FolderLock(tmp_path)):
        assert main(undo) == 2
    said = capsys.readouterr().err
    assert "is in use by another companion" in said
    assert "on its page" in said
    assert "or stop it first" in said
    assert len(Store(tmp_path).entries()) == 1
    assert main(undo) == 0
    assert Store(tmp_path).entries() == []


@pytest.mark.parametrize("arguments", [[], ["--source", "virtual"], ["--source", "radio"]])
def test_the_sources_that_diagnose_offers_are_those_it_takes(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diagnose", *arguments]) == 2
    said = capsys.readouterr().err
    assert "serial[:PORT], ble[:ADDRESS]" in said
    assert "virtual, " not in said


def test_the_line_that_makes_a_table_json_is_quoted_whole_and_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my data"
    for command in (["lay", "row"], ["diagnose", "--source", "serial"]):
        assert main([*command, "--data", str(folder)]) == 2
        line = capsys.readouterr().err.split("`")[1]
        subprocess.run(line, shell=True, check=True, cwd=Path(__file__).parents[2])
        assert main(["lay", "star", "--data", str(folder)]) == 0
        capsys.readouterr()
        (folder / "table.json").unlink()


def test_a_table_json_that_is_cut_off_is_not_called_a_recording(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.json").write_text('{"tiles": [')
    given = ["--table", str(tmp_path / "table.json"), "--data", str(tmp_path)]
    for command in (["lay", "row", "--data", str(tmp_path)], ["run", "--source", "serial", *given]):
        assert main(command) == 2
        said = capsys.readouterr().err
        assert "is not JSON, or is cut off: copy it again, or make one anew." in said
