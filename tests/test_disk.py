"""What a household is told where something cannot be written: a cause and what to do, never a bare error number."""

import errno
import logging
import sqlite3
from pathlib import Path

import pytest

from companion.disk import why_unwritten
from companion.process.common.clips import Clips
from companion.process.table.snapshot import Snapshots
from companion.process.table.witness import Witness
from companion.settings import Settings, SettingsError, save
from companion.table import SECOND, EventKind, Picture, Stone, TableEvent
from tests.process.test_clips import TABLE, frames
from tests.process.test_snapshot import memory


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EIO])
def test_each_cause_comes_with_what_to_do(number: int) -> None:
    cause, way = why_unwritten(OSError(number, "the system's words")).split(": ")
    assert cause
    assert way.startswith(("delete", "put", "check"))


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("SQLITE_FULL", "delete something"),
        ("SQLITE_READONLY_DIRECTORY", "check the folder's rights"),
        ("SQLITE_CANTOPEN", "check the folder"),
        ("SQLITE_IOERR_WRITE", "delete something there, or check the disk"),
        ("SQLITE_BUSY", "check that only one"),
    ],
)
def test_each_cause_in_the_journal_comes_with_what_to_do(name: str, way: str) -> None:
    error = sqlite3.OperationalError("the library's words")
    error.sqlite_errorcode = getattr(sqlite3, name)
    assert why_unwritten(error).split(": ")[1].startswith(way)


def full(*args: object, **more: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_on_a_full_disk_each_thing_says_once_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    clips, witness, kept = Clips(tmp_path), Witness(tmp_path, TABLE, lambda: "x"), Snapshots(tmp_path, "hw1")
    monkeypatch.setattr("os.replace", full)
    monkeypatch.setattr("os.fsync", full)
    for ms in range(0, 4000, 50):
        clips.see(Picture(ms * 1000, (Stone(1, ms / 10, 0.0),)))
    for name in ("g1-7", "g1-8"):
        clips.want(name, 3 * SECOND, {})
        clips.cut(over=True)
    for sample in frames(20):
        snaps = sample.t_us % (9 * SECOND) == 0
        witness(sample, [TableEvent(EventKind.COLLAPSE, sample.t_us, (1, 2), 2)] if snaps else [])
    assert not kept.save(memory(1))
    assert not kept.save(memory(2))
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 3
    assert all(text.endswith("there is no space left: delete something there") for text in said)
    with pytest.raises(SettingsError, match="delete something there"):
        save(tmp_path, Settings(code="x"))
