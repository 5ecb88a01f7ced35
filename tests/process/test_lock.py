"""One service for a data folder; a lock whose holder died does not block (G8, G10)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.process.common.lock import FILE, FolderLock
from companion.settings import SettingsError

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.failure("G10")
def test_a_second_service_is_told_who_holds_the_folder(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    with pytest.raises(SettingsError, match=f"process {os.getpid()}"):
        FolderLock(tmp_path)
    lock.close()
    FolderLock(tmp_path).close()


@pytest.mark.failure("G8")
def test_a_lock_file_left_by_a_killed_service_does_not_block(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib, companion.process.common.lock as l;"
        " k = l.FolderLock(pathlib.Path(sys.argv[1])); print(1, flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    assert holder.stdout is not None
    assert holder.stdin is not None
    holder.stdout.readline()
    with pytest.raises(SettingsError, match=str(holder.pid)):
        FolderLock(tmp_path)
    holder.kill()
    holder.wait()
    holder.stdout.close()
    holder.stdin.close()
    assert (tmp_path / FILE).read_text() == str(holder.pid)
    FolderLock(tmp_path).close()
