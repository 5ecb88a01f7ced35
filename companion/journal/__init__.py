"""The journal: every command, table event and ruling of every game, append-only, on the disk before it is shown."""

from companion.journal.entry import (
    ForeignJournalError,
    Journal,
    JournalEntry,
    JournalError,
    NewEntry,
    NewerJournalError,
    Notice,
    ReadableJournal,
    UnwritableJournalError,
    game_number,
)
from companion.journal.memory import MemoryJournal
from companion.journal.opening import open_journal
from companion.journal.reader import SqliteReader
from companion.journal.store import SqliteJournal

__all__ = [
    "ForeignJournalError",
    "Journal",
    "JournalEntry",
    "JournalError",
    "MemoryJournal",
    "NewEntry",
    "NewerJournalError",
    "Notice",
    "ReadableJournal",
    "SqliteJournal",
    "SqliteReader",
    "UnwritableJournalError",
    "game_number",
    "open_journal",
]
