"""companion board at a virtual table: what it says of itself, and whether it took its name."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.clock import SystemClock
from drivers.virtual.board import VirtualBoard
from drivers.virtual.cable import Cable
from drivers.virtual.table import VirtualTable
from tests.drivers.rig import PLACE


@contextmanager
def plugged_in(folder: Path) -> Iterator[str]:
    """The port of a running virtual table."""
    cable = Cable(folder / "board")
    table = VirtualTable(PLACE, cable, SystemClock())
    thread = threading.Thread(target=table.run)
    thread.start()
    try:
        yield str(cable.name)
    finally:
        table.close()
        thread.join()


def test_a_name_is_read_back_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with plugged_in(tmp_path) as port:
        assert main(["board", "--port", port, "--name", "mesa1"]) == 0
        said = capsys.readouterr().out
        assert said.startswith("table mesa1, 220 sensors")
        assert "\nnamed mesa1\n" in said
        assert main(["board", "--port", port]) == 0
    assert capsys.readouterr().out.startswith("table mesa1, 220 sensors")


def test_a_board_that_forgets_its_name_is_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(VirtualBoard, "name", lambda self, name: "ok")
    with plugged_in(tmp_path) as port:
        assert main(["board", "--port", port, "--name", "mesa1"]) == 1
    said = capsys.readouterr().out
    assert f"WRONG: the board kept its name: {PLACE.table_id}" in said
    assert "named mesa1" not in said
