"""`companion board` at the emulated board."""

from pathlib import Path

import pytest

from companion.cli.main import main
from firmware.emulate import Emulator
from firmware.signals import still
from tests.firmware.board import HALL, WEIGHT, Built


def ask(built: Built, folder: Path, *options: str, arguments: tuple[str, ...] = ()) -> int:
    signals = folder / "signals"
    signals.write_bytes(still(HALL, WEIGHT))
    with Emulator(built.simulator, built.elf, signals, "--speed", "1", "--await-host", *options) as board:
        return main(["board", "--port", str(board.usb), *arguments])


@pytest.mark.slow
@pytest.mark.failure("B7")
def test_a_board_is_named_and_its_wires_are_found_sound(
    built: Built, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = ask(built, tmp_path, "--noise", "0.5", arguments=("--name", "casa", "--identify"))
    said = capsys.readouterr().out
    assert said.startswith("table casa, 220 sensors, 100 frames/s")
    # the emulated cell shows the same counts for ever, which a real one never does
    assert [line for line in said.splitlines() if line.startswith("WRONG")] == [
        "WRONG: the load cell is constant: check its four wires and the chip's"
    ]
    assert code == 1


@pytest.mark.slow
@pytest.mark.failure("E2", "B9")
def test_a_stuck_line_and_a_missing_cell_are_told_with_what_to_check(
    built: Built, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(built, tmp_path, "--stuck-high", "4", "--load", "missing") == 1
    said = capsys.readouterr().out
    assert "WRONG: select line S2 never falls: check pin 24" in said
    assert "WRONG: the load cell is absent" in said


def test_the_image_is_written_with_how_to_flash_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "mega.hex"
    assert main(["board", "--image", str(target)]) == 0
    assert target.read_text().startswith(":10")
    assert str(target) in capsys.readouterr().out
    assert main(["board", "--image", str(tmp_path / "no" / "mega.hex")]) == 2


def test_the_image_takes_no_files_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "notes.txt"
    target.write_text("mine")
    assert main(["board", "--image", str(target)]) == 2
    assert "give the name of a new file" in capsys.readouterr().err
    assert target.read_text() == "mine"
