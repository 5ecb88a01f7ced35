"""The journal in SQLite: one append-only table, a write-ahead log, every commit on the disk before it returns."""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.disk import why_unwritten
from companion.journal.entry import JournalEntry, JournalError, NewEntry, Notice, UnwritableJournalError
from companion.journal.reader import SELECT as _SELECT
from companion.journal.reader import SqliteReader
from companion.journal.row import COLUMNS, chain, from_row, to_row

APPLICATION_ID = 0x54434A31  # "TCJ1" in the file's header: a journal of this program
SCHEMA_VERSION = 1
FILE = "journal.db"

_SCHEMA = f"""
PRAGMA page_size = 4096;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
PRAGMA journal_mode = WAL;
CREATE TABLE entry (
    seq INTEGER PRIMARY KEY, game TEXT NOT NULL, kind TEXT NOT NULL, rules TEXT NOT NULL, t_us INTEGER NOT NULL,
    body TEXT NOT NULL, rulings TEXT NOT NULL, label TEXT NOT NULL, chain INTEGER NOT NULL);
CREATE INDEX entry_game ON entry (game, seq);
CREATE TRIGGER entry_stays BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entry_kept BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
# A small log is quick to check at opening (about 0.1 s), and a checkpoint of 200 pages is not felt.
_CHECKPOINT_PAGES = 200
_INSERT = f"INSERT INTO entry VALUES ({', '.join('?' * len(COLUMNS))})"


def connect(path: Path) -> sqlite3.Connection:
    """A connection with this program's settings, for one thread after another. Raises sqlite3.Error."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2.0)
    try:
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def create(path: Path, rows: Sequence[tuple[Any, ...]] = ()) -> None:
    """Make a journal file with the given rows: whole, or not there at all. Raises UnwritableJournalError."""
    fresh = path.with_name(path.name + ".new")
    try:
        for leftover in (fresh, fresh.with_name(fresh.name + "-wal"), fresh.with_name(fresh.name + "-shm")):
            leftover.unlink(missing_ok=True)
        connection = connect(fresh)
        try:
            connection.executescript(_SCHEMA)
            connection.execute("BEGIN")
            connection.executemany(_INSERT, rows)
            connection.execute("COMMIT")
        finally:
            connection.close()  # the last connection moves the log into the file
        with open(fresh, "rb") as file:
            os.fsync(file.fileno())
        os.replace(fresh, path)
        sync_folder(path.parent)
    except (OSError, sqlite3.Error) as error:
        raise UnwritableJournalError(
            f"the journal {path} cannot be made ({error}): check the folder's rights and free space"
        ) from error


def sync_folder(folder: Path) -> None:
    """Make renames and deletions in a folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def in_memory(rows: Sequence[tuple[Any, ...]] = ()) -> sqlite3.Connection:
    """A journal with the given rows in memory: what is shown of one that cannot be written yet."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    connection.executescript(_SCHEMA)
    connection.executemany(_INSERT, rows)
    return connection


def first_page() -> bytes:
    """The first page of every journal: it holds the header and the schema, of which only the length ever changes."""
    connection = in_memory()
    try:
        return connection.serialize()[:4096]
    finally:
        connection.close()


def whole(connection: sqlite3.Connection) -> int | None:
    """How many rows there are, where every one is in order and checks; None where not. Keeps none of them.

    The chain vouches for what is in a row: its JSON is not read here, so that years of games open fast.
    """
    seq, before = 0, 0
    try:
        for row in connection.execute(_SELECT + " ORDER BY seq"):
            if row[0] != seq + 1 or row[-1] != chain(row[:-1], before):
                return None
            seq, before = row[0], row[-1]
        (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except (sqlite3.Error, ValueError, TypeError, OverflowError):
        return None
    return seq if verdict == "ok" else None


class SqliteJournal(SqliteReader):
    """A checked journal file (`companion.journal.open_journal`).

    mend: puts the file in order, and tells what was done. Where there is no room for that, `image` (what was read of
    the file, in memory) is shown instead, and every append tries again. damages: see `Journal.damages`.
    """

    def __init__(self, path: Path, image: sqlite3.Connection, mend: Callable[[], Notice | None], damages: int) -> None:
        super().__init__(path)
        self.damages = damages
        self._connection, self._mend, self._waiting = image, mend, True
        self._last = (0, 0)
        try:
            self.notice = ""
            self.repaired: Notice | None = None
            self._open()
        except UnwritableJournalError as error:
            self.notice = f"{error}; until then the games are shown, and nothing new is kept"

    def _open(self) -> None:
        try:
            repaired = self._mend()
            connection = connect(self.path)
            try:
                last = connection.execute("SELECT seq, chain FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
            except BaseException:
                connection.close()
                raise
        except (OSError, sqlite3.Error) as error:
            raise UnwritableJournalError(
                f"the journal {self.path} cannot be written: {why_unwritten(error)}"
            ) from error
        self._connection.close()
        self._connection, self._last = connection, last or (0, 0)
        self.notice, self.repaired, self._waiting = repaired.text if repaired else "", repaired, False

    def append(self, entries: Sequence[NewEntry]) -> tuple[JournalEntry, ...]:
        """See `Journal.append`. Without entries it tells whether the journal can be written at all."""
        if self._waiting:
            self._open()
        if not entries:
            return ()
        seq, before = self._last
        rows = []
        for entry in entries:
            seq += 1
            rows.append(to_row(seq, entry, before))
            before = int(rows[-1][-1])
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany(_INSERT, rows)
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise UnwritableJournalError(
                f"the journal {self.path} cannot be written: {why_unwritten(error)}"
            ) from error
        self._last = (seq, before)
        return tuple(JournalEntry(int(row[0]), entry) for row, entry in zip(rows, entries, strict=True))

    def entries(self, game: str | None = None) -> Iterator[JournalEntry]:
        """See `Journal.entries`. Raises JournalError where a row cannot be read."""
        where = " WHERE game = ?" if game is not None else ""
        try:
            rows = self._connection.execute(_SELECT + where + " ORDER BY seq", (game,) if where else ())
            for row in rows:
                yield from_row(row)
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise JournalError(f"the journal {self.path} cannot be read ({error}): start again to repair it") from error

    def reached_us(self) -> int | None:
        """See `Journal.reached_us`."""
        found: tuple[int | None] = self._connection.execute("SELECT max(t_us) FROM entry").fetchone()
        return found[0]

    def close(self) -> None:
        self._connection.close()

    def _ask(self, statement: str, *values: str) -> list[tuple[Any, ...]]:
        return (
            self._connection.execute(statement, values).fetchall()
            if self._waiting
            else super()._ask(statement, *values)
        )
