"""Reading a journal file by connections of its own: from any thread, and by other programs beside a service."""

import contextlib
import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.journal.entry import JournalEntry, JournalError
from companion.journal.row import COLUMNS, from_row

SELECT = f"SELECT {', '.join(COLUMNS)} FROM entry"


class SqliteReader:
    """A `ReadableJournal` over a file; it writes nothing, and checks nothing but the rows that it reads."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def games(self) -> tuple[str, ...]:
        """See `ReadableJournal.games`."""
        return tuple(row[0] for row in self._ask("SELECT game FROM entry WHERE kind = 'created' ORDER BY seq"))

    def read(self, game: str) -> tuple[JournalEntry, ...]:
        """See `ReadableJournal.read`. Raises JournalError where a row cannot be read."""
        try:
            return tuple(from_row(row) for row in self._ask(SELECT + " WHERE game = ? ORDER BY seq", game))
        except (ValueError, TypeError) as error:
            raise JournalError(f"the journal {self.path} cannot be read ({error}): start again to repair it") from error

    def deleted(self) -> frozenset[str]:
        """See `ReadableJournal.deleted`."""
        return frozenset(row[0] for row in self._ask("SELECT game FROM entry WHERE kind = 'deleted'"))

    def lasts(self) -> Mapping[str, int]:
        """See `ReadableJournal.lasts`."""
        return dict(self._ask("SELECT game, max(seq) FROM entry GROUP BY game"))

    def _connect(self) -> sqlite3.Connection:
        where = f"{self.path.absolute().as_uri()}?mode=ro"
        if not os.access(self.path.parent, os.W_OK) and not self.path.with_name(self.path.name + "-wal").exists():
            where += "&immutable=1"  # nobody writes here, and the files that sharing needs cannot be made
        return sqlite3.connect(where, uri=True, isolation_level=None, timeout=2.0)

    def _ask(self, statement: str, *values: str) -> list[tuple[Any, ...]]:
        """The rows, read by a connection of its own: the writer's belongs to the owner's thread."""
        try:
            with contextlib.closing(self._connect()) as connection:
                return connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"the journal {self.path} cannot be read ({error}): start again to repair it") from error
