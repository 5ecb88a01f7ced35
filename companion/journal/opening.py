"""Opening a journal: is it ours, is it whole, and what to do where a power cut or a bad card damaged it.

What is damaged is never thrown away: the files are first copied beside the journal. Then the longest part that checks,
from the first entry on, is what counts, and `notice` says so.
"""

import os
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.journal.entry import ForeignJournalError, JournalError, NewerJournalError, UnwritableJournalError
from companion.journal.store import (
    APPLICATION_ID,
    FILE,
    SCHEMA_VERSION,
    SqliteJournal,
    connect,
    create,
    sync_folder,
    whole,
    whole_rows,
)
from companion.journal.wal import whole_part

_MAGIC = b"SQLite format 3\0"


def open_journal(folder: Path) -> SqliteJournal:
    """The journal of a data folder, made if it is not there, checked and if need be repaired.

    Raises ForeignJournalError, NewerJournalError, UnwritableJournalError or JournalError, each with one clear sentence.
    """
    path = folder / FILE
    try:
        if not os.access(folder, os.W_OK | os.X_OK):
            raise UnwritableJournalError(f"the folder {folder} cannot be written: choose another with --data FOLDER")
        _finish_repair(path)
        if path.exists() and path.stat().st_size > 0:
            _refuse_others(path)
            return SqliteJournal(path, _repair(path))
        return SqliteJournal(path, _begin(path))
    except (OSError, sqlite3.Error) as error:
        raise UnwritableJournalError(
            f"the journal {path} cannot be opened ({error}): check the folder's rights and free space"
        ) from error


def _begin(path: Path) -> str:
    """Make a journal where there is none, or an empty file. The notice, empty where nothing lay beside it.

    A log without its file cannot be read, but may be all that is left of a journal: it is kept.
    """
    log, notice = _log(path), ""
    if log.exists() and log.stat().st_size > 0:
        kept = _keep(path)
        notice = f"the journal was empty, but a log lay beside it: a new one was begun, a copy is in {kept.name}"
    log.unlink(missing_ok=True)
    create(path)
    return notice


def _refuse_others(path: Path) -> None:
    """By the file's header alone (sqlite.org/fileformat2.html, 1.3), before anything is written."""
    with open(path, "rb") as file:
        header = file.read(100)
    if len(header) < 100 or not header.startswith(_MAGIC):
        raise ForeignJournalError(f"{path} is not a journal of this program, or its beginning is damaged: move it away")
    version, application = struct.unpack_from(">I", header, 60)[0], struct.unpack_from(">I", header, 68)[0]
    if application != APPLICATION_ID:
        raise ForeignJournalError(f"{path} is a database of another program: choose another folder with --data FOLDER")
    if version > SCHEMA_VERSION:
        raise NewerJournalError(
            f"{path} was written by a newer version of this program (form {version}, this one knows"
            f" {SCHEMA_VERSION}): update the program"
        )
    if not os.access(path, os.W_OK):
        raise UnwritableJournalError(f"the journal {path} cannot be written: check the file's rights")


def _repair(path: Path) -> str:
    """Check the file and its log; repair them where they are damaged. The notice, empty where all was well."""
    log = _log(path)
    tail = whole_part(log.read_bytes() if log.exists() else b"")
    # Never through the file itself: to connect to it and close would move the log into it and delete the log.
    if not tail.damaged and _whole_copy(path, tail.whole):
        return ""
    with_log, with_log_whole = _read_copy(path, tail.whole)
    alone, alone_whole = _read_copy(path, 0)
    if not (with_log or with_log_whole or alone or alone_whole):
        raise JournalError(f"the journal {path} is damaged and no entry can be read: move it away to start afresh")
    kept = _keep(path)
    if with_log_whole and len(with_log) >= len(alone):
        rows = with_log
        _cut(log, tail.whole)
    elif alone_whole and len(alone) >= len(with_log):
        # The log had been moved into the file already: what is left of it would only turn pages back.
        rows = alone
        _cut(log, 0)
    else:
        rows = max(with_log, alone, key=len)
        create(_repaired(path), rows)
        _finish_repair(path)
    return f"the journal was damaged and was cut back to its last {len(rows)} whole entries; a copy is in {kept.name}"


@contextmanager
def _copy(path: Path, log_bytes: int) -> Iterator[sqlite3.Connection | None]:
    """A connection to a copy of the file with the first log_bytes of its log; None where it cannot even be made."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix="checking-") as name:
        copy = Path(name) / path.name
        shutil.copyfile(path, copy)
        if log_bytes:
            _log(copy).write_bytes(_log(path).read_bytes()[:log_bytes])
        try:
            connection = connect(copy)
        except sqlite3.Error:
            yield None
            return
        try:
            yield connection
        finally:
            connection.close()


def _whole_copy(path: Path, log_bytes: int) -> bool:
    with _copy(path, log_bytes) as connection:
        return connection is not None and whole(connection)


def _read_copy(path: Path, log_bytes: int) -> tuple[list[tuple[int | str, ...]], bool]:
    """Rows of the file with the first log_bytes of its log, and whether they are all; see `whole_rows`."""
    with _copy(path, log_bytes) as connection:
        return ([], False) if connection is None else whole_rows(connection)


def _keep(path: Path) -> Path:
    number = 1
    while (kept := path.with_name(f"journal-damaged-{number}")).exists():
        number += 1
    half = kept.with_name(kept.name + ".part")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir()
    for file in (path, _log(path)):
        if file.exists():
            shutil.copyfile(file, half / file.name)
            with open(half / file.name, "rb") as copy:
                os.fsync(copy.fileno())
    half.rename(kept)
    sync_folder(path.parent)
    return kept


def _cut(log: Path, size: int) -> None:
    if log.exists():
        with open(log, "r+b") as file:
            file.truncate(size)
            os.fsync(file.fileno())


def _finish_repair(path: Path) -> None:
    """Put a repaired journal in the place of the damaged one; a power cut in between only makes it happen again."""
    ready = _repaired(path)
    if not ready.exists():
        return
    for file in (_log(path), path.with_name(path.name + "-shm")):
        file.unlink(missing_ok=True)
    sync_folder(path.parent)
    os.replace(ready, path)
    sync_folder(path.parent)


def _log(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def _repaired(path: Path) -> Path:
    return path.with_name(path.name + ".repaired")
