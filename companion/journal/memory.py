"""The journal's twin in memory, for tests and for tables that want no file."""

from collections.abc import Iterator, Mapping, Sequence

from companion.journal.entry import JournalEntry, NewEntry, Notice, UnwritableJournalError
from companion.journal.row import from_row, to_row


class MemoryJournal:
    """As `SqliteJournal`, without a disk. `full`: a test sets it to make every append fail as a full disk does."""

    notice = ""
    repaired: Notice | None = None
    damages = 0

    def __init__(self) -> None:
        self._rows: list[tuple[int | str, ...]] = []
        self.full = False

    def append(self, entries: Sequence[NewEntry]) -> tuple[JournalEntry, ...]:
        if self.full:
            raise UnwritableJournalError(
                "the journal cannot be written: there is no space left: delete something there"
            )
        rows = list(self._rows)
        for entry in entries:
            rows.append(to_row(len(rows) + 1, entry, int(rows[-1][-1]) if rows else 0))
        added = tuple(from_row(row) for row in rows[len(self._rows) :])
        self._rows = rows
        return added

    def entries(self, game: str | None = None) -> Iterator[JournalEntry]:
        return (from_row(row) for row in list(self._rows) if game is None or row[1] == game)

    def games(self) -> tuple[str, ...]:
        return tuple(str(row[1]) for row in self._rows if row[2] == "created")

    def read(self, game: str) -> tuple[JournalEntry, ...]:
        return tuple(self.entries(game))

    def deleted(self) -> frozenset[str]:
        return frozenset(str(row[1]) for row in self._rows if row[2] == "deleted")

    def lasts(self) -> Mapping[str, int]:
        return {str(row[1]): int(row[0]) for row in self._rows}

    def reached_us(self) -> int | None:
        return max((int(row[4]) for row in self._rows), default=None)

    def close(self) -> None:
        return None
