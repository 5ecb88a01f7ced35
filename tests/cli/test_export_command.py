"""`companion export`: what it writes, and what it says when something is missing."""

import json
import os
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.games.text import read_game
from companion.journal import open_journal
from tests.process.test_documents import played


@pytest.fixture
def data(tmp_path: Path) -> Path:
    bench, _ = played(open_journal(tmp_path))
    assert isinstance(bench.journal.reached_us(), int)
    return tmp_path  # the journal stays open: the service runs on


def test_a_game_is_exported_beside_a_running_service(data: Path, tmp_path: Path) -> None:
    for form in ("text", "json", "csv"):
        out = tmp_path / f"game.{form}"
        assert main(["export", "g1", "--format", form, "--data", str(data), "--out", str(out)]) == 0
        assert out.stat().st_size > 300
    assert read_game((tmp_path / "game.text").read_text("utf-8")).game == "yikerz"
    assert json.loads((tmp_path / "game.json").read_text("utf-8"))["winners"] == [1]


def test_the_games_are_listed(data: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["export", "--data", str(data)]) == 0
    assert b"g1     yikerz" in capfdbinary.readouterr().out


@pytest.mark.parametrize(
    ("args", "said"), [(["g9"], "there is no game 'g9'"), (["g1", "--out", "/no/such/file"], "Cannot write")]
)
def test_a_wrong_argument_ends_with_one_sentence(
    data: Path, args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", *args, "--data", str(data)]) == 2
    assert said in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--data", str(tmp_path / "none")]) == 2
    assert "no journal" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_a_folder_that_may_not_be_written_is_enough(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench, _ = played(open_journal(tmp_path))
    bench.journal.close()
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # a test run as root may write everywhere
    assert main(["export", "--data", str(tmp_path)]) == 0
    assert b"g1     yikerz" in capfdbinary.readouterr().out
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_without_a_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--data", str(tmp_path)]) == 2
    assert "no journal" in capsys.readouterr().err


def test_a_file_that_is_no_journal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "journal.db").write_bytes(b"no database at all" * 100)
    assert main(["export", "g1", "--data", str(tmp_path)]) == 2
    assert "cannot be read" in capsys.readouterr().err
