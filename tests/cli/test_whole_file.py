"""Files are whole or not there; links are followed, and what cannot be replaced is written through."""

import os
import threading
from pathlib import Path

import pytest

from companion.cli.failure import UserError
from companion.cli.whole import whole_file


def test_an_error_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("old")

    def half() -> None:
        with whole_file(path) as out:
            out.write("half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_link_is_followed(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    with whole_file(link) as out:
        out.write("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_pipe_gets_the_text_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    with whole_file(pipe) as out:
        out.write("through")
    reader.join()
    assert got == ["through"]
    assert pipe.is_fifo()


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a folder"), whole_file(tmp_path):
        pass


@pytest.mark.parametrize("name", ["table.json", "recording.npz", "README.md", "journal.db", "picture.png"])
def test_what_is_no_earlier_output_is_not_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / "recording.npz").write_bytes(b"PK\3\4\0\0")
    kept = b"SQLite format 3\0" if name.endswith(("db", "png")) else b"{}"
    (tmp_path / name).write_bytes(kept)
    with pytest.raises(UserError, match="would be lost"), whole_file(tmp_path / name) as out:
        out.write("new")
    assert (tmp_path / name).read_bytes() == kept


@pytest.mark.parametrize("name", ["events.jsonl", "mine.txt"])
def test_a_text_is_replaced_as_by_other_programs(tmp_path: Path, name: str) -> None:
    (tmp_path / "recording.npz").write_bytes(b"PK\3\4\0\0")
    (tmp_path / name).write_text("old")
    with whole_file(tmp_path / name) as out:
        out.write("new")
    assert (tmp_path / name).read_text() == "new"
