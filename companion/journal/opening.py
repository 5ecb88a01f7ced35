"""Opening a journal: is it ours, is it whole, and what to do where a power cut or a bad card damaged it.

It is checked in memory, so that a full card can be opened too. What is damaged is mended when the journal is opened
(repair.py): then every game counts as far as its entries check, and `notice` says which were cut.
"""

import os
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path

from companion.journal.entry import ForeignJournalError, NewerJournalError, Notice, UnwritableJournalError
from companion.journal.repair import Kept, chained, cut_back, damages_before, finish_repair, log_of, rebuild
from companion.journal.salvage import Salvaged, image, salvage
from companion.journal.store import (
    APPLICATION_ID,
    FILE,
    SCHEMA_VERSION,
    SqliteJournal,
    create,
    in_memory,
    whole,
)
from companion.journal.wal import whole_part

_MAGIC = b"SQLite format 3\0"
_SETTINGS = "settings.json"  # its presence tells that the table has been used; see `companion.settings`
_ABSURD = 1000
"""No version of this program will ever write a form with such a number: it is a damaged header."""


def open_journal(folder: Path) -> SqliteJournal:
    """The journal of a data folder, made if it is not there, checked and if need be repaired.

    Raises ForeignJournalError, NewerJournalError or UnwritableJournalError, each with one clear sentence. Where only
    room is missing it is opened to be read, and `append` raises until there is some.
    """
    path = folder / FILE
    try:
        if not os.access(folder, os.W_OK | os.X_OK):
            raise UnwritableJournalError(f"the folder {folder} cannot be written: choose another with --data FOLDER")
        finish_repair(path)
        if path.exists() and path.stat().st_size > 0:
            _refuse_others(path)
            return _checked(path)
        lost = _emptied(path) or _logged(path)
        return SqliteJournal(path, in_memory(), _beginning(path), damages_before(path) + lost)
    except (OSError, sqlite3.Error) as error:
        raise UnwritableJournalError(
            f"the journal {path} cannot be opened ({error}): check the folder's rights and free space"
        ) from error


def _beginning(path: Path) -> Callable[[], Notice | None]:
    """Makes a journal where there is none, or an empty file. The notice, empty where all is new.

    A log without its file cannot be read, but may be all that is left of a journal: it is kept.
    """
    emptied, logged = _emptied(path), _logged(path)
    kept = Kept(path)

    def mend() -> Notice | None:
        notice = None
        if emptied:
            kept.name()  # counts the damage
            notice = Notice("begun_anew", "the journal was empty, though this table had been used: a new one was begun")
        if logged:
            name = kept.name()
            text = f"the journal was empty, but a log lay beside it: a new one was begun, a copy is in {name}"
            notice = Notice("nothing_left", text, {"copy": name})
        log_of(path).unlink(missing_ok=True)
        create(path)
        return notice

    return mend


def _emptied(path: Path) -> bool:
    return path.exists() and (path.parent / _SETTINGS).exists()


def _logged(path: Path) -> bool:
    return log_of(path).exists() and log_of(path).stat().st_size > 0


def _refuse_others(path: Path) -> None:
    """By the file's first page alone (sqlite.org/fileformat2.html, 1.3), before anything is written.

    What is no whole database at all is not refused: it is what a bad card makes of a journal.
    """
    with open(path, "rb") as file:
        page = file.read(4096)
    if len(page) >= 100 and page.startswith(_MAGIC):
        version, application = struct.unpack_from(">I", page, 60)[0], struct.unpack_from(">I", page, 68)[0]
        if application != APPLICATION_ID and b"TRIGGER entry_stays" not in page:
            raise ForeignJournalError(
                f"{path} is a database of another program: choose another folder with --data FOLDER"
            )
        if SCHEMA_VERSION < version < _ABSURD and application == APPLICATION_ID:
            raise NewerJournalError(
                f"{path} was written by a newer version of this program (form {version}, this one knows"
                f" {SCHEMA_VERSION}): update the program"
            )
    if not os.access(path, os.W_OK):
        raise UnwritableJournalError(f"the journal {path} cannot be written: check the file's rights")


def _checked(path: Path) -> SqliteJournal:
    """Check the file and its log in memory; what is damaged is mended when the journal is opened."""
    # Never through the file itself: to connect to it and close would move the log into it and delete the log.
    main, log = path.read_bytes(), log_of(path).read_bytes() if log_of(path).exists() else b""
    tail = whole_part(log)
    log = log[: tail.whole]
    with_log, count = _whole(main, log)
    if with_log is not None and not tail.damaged:
        return SqliteJournal(path, with_log, lambda: None, damages_before(path))
    alone, alone_count = _whole(main, b"")
    kept = Kept(path)
    damages = damages_before(path) + 1
    salvaged = [
        Salvaged([]) if found is not None else salvage(main, part) for found, part in ((with_log, log), (alone, b""))
    ]
    best = max(salvaged, key=lambda each: len(each.rows))
    if with_log is not None and count >= max(alone_count, len(best.rows)):
        return SqliteJournal(path, with_log, lambda: cut_back(path, tail.whole, count, kept), damages)
    if alone is not None and alone_count >= max(count, len(best.rows)):
        # The log had been moved into the file already: what is left of it would only turn pages back.
        return SqliteJournal(path, alone, lambda: cut_back(path, 0, alone_count, kept), damages)
    rows = chained(best.rows)
    return SqliteJournal(path, in_memory(rows), lambda: rebuild(path, rows, best.cut, kept), damages)


def _whole(main: bytes, log: bytes) -> tuple[sqlite3.Connection | None, int]:
    """A connection to the file with its log, in memory, and how many rows it has; None where it is not whole."""
    try:
        connection = image(main, log)
    except sqlite3.Error:
        return None, 0
    count = whole(connection) if _form(connection) else None
    if count is None:
        connection.close()
        return None, 0
    return connection, count


def _form(connection: sqlite3.Connection) -> bool:
    """Whether the header says what every journal's does."""
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
    except sqlite3.Error:
        return False
    return bool((version, application) == (SCHEMA_VERSION, APPLICATION_ID))
