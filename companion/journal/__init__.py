"""The journal: every command, table event and ruling of every game, append-only, on the disk before it is shown."""

from companion.journal.entry import (
    ForeignJournal,
    Journal,
    JournalEntry,
    JournalError,
    NewEntry,
    NewerJournal,
    UnwritableJournal,
)
from companion.journal.memory import MemoryJournal
from companion.journal.opening import open_journal
from companion.journal.store import SqliteJournal

__all__ = [
    "ForeignJournal",
    "Journal",
    "JournalEntry",
    "JournalError",
    "MemoryJournal",
    "NewEntry",
    "NewerJournal",
    "SqliteJournal",
    "UnwritableJournal",
    "open_journal",
]
