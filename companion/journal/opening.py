"""Opening a journal: is it ours, is it whole, and what to do where a power cut or a bad card damaged it.

It is checked in memory, so that a full card can be opened too. What is damaged is never thrown away: the files are
first copied beside the journal. Then every game counts as far as its entries check, and `notice` says which were cut.
"""

import os
import shutil
import sqlite3
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.journal.entry import ForeignJournalError, NewerJournalError, Notice, UnwritableJournalError
from companion.journal.row import chain
from companion.journal.salvage import Row, Salvaged, image, salvage
from companion.journal.store import (
    APPLICATION_ID,
    FILE,
    SCHEMA_VERSION,
    SqliteJournal,
    create,
    in_memory,
    sync_folder,
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
        _finish_repair(path)
        if path.exists() and path.stat().st_size > 0:
            _refuse_others(path)
            return _checked(path)
        lost = _emptied(path) or _logged(path)
        return SqliteJournal(path, in_memory(), _beginning(path), _damages(path) + lost)
    except (OSError, sqlite3.Error) as error:
        raise UnwritableJournalError(
            f"the journal {path} cannot be opened ({error}): check the folder's rights and free space"
        ) from error


def _beginning(path: Path) -> Callable[[], Notice | None]:
    """Makes a journal where there is none, or an empty file. The notice, empty where all is new.

    A log without its file cannot be read, but may be all that is left of a journal: it is kept.
    """
    emptied, logged = _emptied(path), _logged(path)
    kept = _Kept(path)

    def mend() -> Notice | None:
        notice = None
        if emptied:
            kept.name()  # counts the damage
            notice = Notice("begun_anew", "the journal was empty, though this table had been used: a new one was begun")
        if logged:
            name = kept.name()
            text = f"the journal was empty, but a log lay beside it: a new one was begun, a copy is in {name}"
            notice = Notice("nothing_left", text, {"copy": name})
        _log(path).unlink(missing_ok=True)
        create(path)
        return notice

    return mend


def _emptied(path: Path) -> bool:
    return path.exists() and (path.parent / _SETTINGS).exists()


def _logged(path: Path) -> bool:
    return _log(path).exists() and _log(path).stat().st_size > 0


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
    main, log = path.read_bytes(), _log(path).read_bytes() if _log(path).exists() else b""
    tail = whole_part(log)
    log = log[: tail.whole]
    with_log, count = _whole(main, log)
    if with_log is not None and not tail.damaged:
        return SqliteJournal(path, with_log, lambda: None, _damages(path))
    alone, alone_count = _whole(main, b"")
    kept = _Kept(path)
    damages = _damages(path) + 1
    salvaged = [
        Salvaged([]) if found is not None else salvage(main, part) for found, part in ((with_log, log), (alone, b""))
    ]
    best = max(salvaged, key=lambda each: len(each.rows))
    if with_log is not None and count >= max(alone_count, len(best.rows)):
        return SqliteJournal(path, with_log, lambda: _cut(path, tail.whole, count, kept), damages)
    if alone is not None and alone_count >= max(count, len(best.rows)):
        # The log had been moved into the file already: what is left of it would only turn pages back.
        return SqliteJournal(path, alone, lambda: _cut(path, 0, alone_count, kept), damages)
    rows = _chained(best.rows)
    return SqliteJournal(path, in_memory(rows), lambda: _rebuild(path, rows, best.cut, kept), damages)


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


def _chained(rows: Sequence[Row]) -> list[Row]:
    """The rows numbered and chained anew."""
    before, chained = 0, []
    for seq, row in enumerate(rows, 1):
        values = (seq, *row[1:-1])
        before = chain(values, before)
        chained.append((*values, before))
    return chained


def _cut(path: Path, log_bytes: int, count: int, kept: "_Kept") -> Notice:
    name = kept.name()
    if _log(path).exists():
        with open(_log(path), "r+b") as file:
            file.truncate(log_bytes)
            os.fsync(file.fileno())
    text = (
        f"the journal was damaged and was cut back to its last {count} whole entries; games begun after them are gone; "
        f"a copy is in {name}"
    )
    return Notice("cut", text, {"n": count, "copy": name})


def _rebuild(path: Path, rows: Sequence[Row], cut: Sequence[str], kept: "_Kept") -> Notice:
    name = kept.name()
    create(_repaired(path), rows)
    _finish_repair(path)
    if not rows:
        text = f"the journal was damaged and no entry could be read: a new one was begun, a copy is in {name}"
        return Notice("nothing_left", text, {"copy": name})
    left = {row[1] for row in rows}
    gone = [game for game in cut if game not in left]
    short = [game for game in cut if game in left]
    text = f"the journal was damaged, {len(rows)} whole entries are kept"
    text += f"; games that lost entries and were cut there: {', '.join(short)}" if short else ""
    text += f"; games that are gone: {', '.join(gone)}" if gone else ""
    text += f"; games newer than {max(left, key=_order)} may be gone too; a copy is in {name}"
    return Notice("rebuilt", text, {"n": len(rows), "games": list(cut), "copy": name})


def _order(game: str) -> tuple[int, str]:
    return (int(game[1:]) if game[1:].isdecimal() else 0, game)


def _damages(path: Path) -> int:
    """How often this journal was damaged before: the highest number of a copy beside it."""
    numbers = (each.name.rpartition("-")[2] for each in path.parent.glob("journal-damaged-*"))
    return max((int(number) for number in numbers if number.isdecimal()), default=0)


class _Kept:
    """The copy of the damaged files beside the journal, made once however often the repair has to be tried."""

    def __init__(self, path: Path) -> None:
        self._path, self._name = path, ""

    def name(self) -> str:
        """Make the copy if it is not there yet; the name of its folder. Raises OSError, nothing left half done."""
        self._name = self._name or _keep(self._path).name
        return self._name


def _keep(path: Path) -> Path:
    kept = path.with_name(f"journal-damaged-{_damages(path) + 1}")
    half = kept.with_name(kept.name + ".part")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir()
    try:
        for file in (path, _log(path)):
            if file.exists():
                shutil.copyfile(file, half / file.name)
                with open(half / file.name, "rb") as copy:
                    os.fsync(copy.fileno())
    except OSError:  # no room: what there is of it would only take more of it
        shutil.rmtree(half, ignore_errors=True)
        raise
    half.rename(kept)
    sync_folder(path.parent)
    return kept


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
