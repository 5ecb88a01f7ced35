"""The rows of the journal: what came, in order, with the rulings it gave."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

KINDS = ("created", "settings", "command", "event", "advance", "undo", "deleted")
"""deleted: the game is shown to nobody any more; its entries stay, as all do."""


def game_number(game: str) -> int:
    """The number in a game's id, as in "g12"; 0 where there is none."""
    return int(game[1:]) if game[1:].isdecimal() else 0


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry before it is journaled.

    game: id of the game; kind: one of KINDS; rules: version of the rules that judged it; t_us: game time;
    body: the entry as JSON values; rulings: what it gave, as JSON values; label: wall time, for people.
    Raises ValueError where the kind is unknown.
    """

    game: str
    kind: str
    rules: str
    t_us: int = 0
    body: Mapping[str, Any] = field(default_factory=dict)
    rulings: Sequence[Mapping[str, Any]] = ()
    label: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"unknown kind of entry {self.kind!r}")

    def labelled(self, label: str) -> "NewEntry":
        """The same entry with a wall time for people."""
        return replace(self, label=label)


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A journaled entry; seq counts all entries of the journal from 1, without gaps."""

    seq: int
    new: NewEntry


class JournalError(Exception):
    """The journal cannot be used; the message is one sentence that says why and what to do."""


class ForeignJournalError(JournalError):
    """The file is not a journal of this program."""


class NewerJournalError(JournalError):
    """The journal was written by a newer version of this program."""


class UnwritableJournalError(JournalError):
    """The folder or the file cannot be written."""


class ReadableJournal(Protocol):
    """What can be read of a journal from any thread. Raises JournalError where a row cannot be read."""

    def games(self) -> tuple[str, ...]:
        """Ids of the games, in the order in which they were created, deleted ones included."""
        ...

    def read(self, game: str) -> tuple[JournalEntry, ...]:
        """The entries of a game that are on the disk now."""
        ...

    def deleted(self) -> frozenset[str]:
        """Ids of the games that are shown to nobody any more."""
        ...

    def lasts(self) -> Mapping[str, int]:
        """Number of the last entry of each game."""
        ...


@dataclass(frozen=True, slots=True)
class Notice:
    """What was done to a journal at its opening. code: see NOTICES; text: one sentence for the console.

    args: n: entries that are kept; games: those that were cut; copy: the folder with the damaged files.
    """

    code: str
    text: str
    args: Mapping[str, Any] = field(default_factory=dict)


NOTICES: dict[str, str] = {
    "begun_anew": "the journal was empty though the table had been used: a new one was begun",
    "cut": "it was damaged at its end and cut back to its last n whole entries; copy",
    "rebuilt": "it was damaged: n entries are kept, games were cut; copy",
    "nothing_left": "no entry could be read: a new one was begun; copy",
}
"""Codes of notices, for pages."""


class Journal(ReadableJournal, Protocol):
    """Append-only. Entries that are appended together are there together or not at all."""

    @property
    def notice(self) -> str:
        """What was repaired at opening, or why it cannot be yet, one sentence; empty where nothing was."""
        ...

    @property
    def repaired(self) -> Notice | None:
        """What was repaired; None where nothing was."""
        ...

    @property
    def damages(self) -> int:
        """How often entries were lost by damage, this opening counted: games that nothing names any more."""
        ...

    def append(self, entries: Sequence[NewEntry]) -> tuple[JournalEntry, ...]:
        """Commit the entries; on return they survive a power cut. Raises JournalError, nothing appended."""
        ...

    def entries(self, game: str | None = None) -> Iterator[JournalEntry]:
        """Entries in order, of one game or of all."""
        ...

    def reached_us(self) -> int | None:
        """The latest game time of any entry; None where there is none."""
        ...

    def close(self) -> None: ...
