"""What is judged, as the kind and body of a journal entry, and back."""

from typing import Any

from companion.games.game import Advance, Command, Entry
from companion.games.order import command_to_json
from companion.journal import NewEntry
from companion.table import TableEvent
from companion.table.codec import from_json, to_json


def to_body(entry: Entry) -> tuple[str, dict[str, Any]]:
    """Kind and JSON values of an entry for the journal."""
    if isinstance(entry, TableEvent):
        return "event", to_json(entry)
    if isinstance(entry, Advance):
        return "advance", {"t_us": entry.t_us}
    return "undo" if entry.name == "undo" else "command", command_to_json(entry)


def from_body(entry: NewEntry) -> Entry:
    """The inverse of `to_body`. Raises ValueError where the entry is not one."""
    if entry.kind == "event":
        event = from_json(entry.body)
        if not isinstance(event, TableEvent):
            raise ValueError("a journaled event is none")
        return event
    try:
        return Advance(**entry.body) if entry.kind == "advance" else Command(**entry.body)
    except TypeError as error:
        raise ValueError(f"a journaled {entry.kind} is none: {error}") from error
