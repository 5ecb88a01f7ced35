"""The order in which entries are judged: by time, then kind, then content, once Complete has passed them.

So any order and delay of arrival gives the same rulings (docs/architecture.md). A total order on content
alone: nothing depends on when something arrived, except that what comes after its time has been judged is
applied at the time reached.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.games.game import Advance, Command, Entry
from companion.table import BoardTime, EventKind, TableEvent
from companion.table.codec import to_json

KINDS: tuple[EventKind, ...] = (
    EventKind.UNSEEN,  # the gap comes before what was seen after it (Y23)
    EventKind.UNSURE,
    EventKind.COLLAPSE,  # before an approach of the same time: it is the earlier turn's (Y32) ...
    EventKind.REFUTED,  # what has been told before; then nobody has to take its stones
    EventKind.FELL_OFF,
    EventKind.LIFTED,
    EventKind.REMOVED,  # what was to be taken is taken when the next one comes (Y30)
    EventKind.WITHDRAWN,
    EventKind.APPROACH,
    EventKind.PLACED,
    EventKind.RELEASED,
    EventKind.TOPPLED,
    EventKind.SETTLED,
)
"""Priority of kinds of the same time. After them come commands: a person saw what happened before
pressing.
"""

_RANK = {kind: rank for rank, kind in enumerate(KINDS)}
_PART_OF_IT = _RANK[EventKind.COLLAPSE] - 0.5  # ... unless its stone is part of the collapse (Y32)


def sort_entries(entries: Iterable[TableEvent | Command]) -> list[TableEvent | Command]:
    """The entries in the order in which they are judged."""
    listed = list(entries)
    collapsed: dict[BoardTime, set[int]] = {}
    for entry in listed:
        if isinstance(entry, TableEvent) and entry.kind is EventKind.COLLAPSE:
            collapsed.setdefault(entry.t_us, set()).update(entry.stones)
    return sorted(listed, key=lambda entry: _key(entry, collapsed))


def _key(entry: TableEvent | Command, collapsed: Mapping[BoardTime, set[int]]) -> tuple[BoardTime, float, str]:
    if isinstance(entry, Command):
        return entry.t_us, len(KINDS), _text(command_to_json(entry))
    rank: float = _RANK[entry.kind]
    if entry.kind is EventKind.APPROACH and collapsed.get(entry.t_us, set()) & set(entry.stones):
        rank = _PART_OF_IT
    return entry.t_us, rank, _text(to_json(entry))


def _text(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True)


def command_to_json(command: Command) -> dict[str, Any]:
    """JSON values of a command; `Command(**values)` is the way back."""
    return {
        "id": command.id,
        "name": command.name,
        "t_us": command.t_us,
        "version": command.version,
        "by": command.by,
        "player": command.player,
        "args": dict(command.args),
    }


class Order:
    """Holds events and commands back. reached_us: time judged so far."""

    def __init__(self, reached_us: BoardTime = 0) -> None:
        self.reached_us = reached_us
        self._waiting: list[TableEvent | Command] = []

    @property
    def waiting(self) -> tuple[TableEvent | Command, ...]:
        """What is held back."""
        return tuple(self._waiting)

    def put(self, entry: TableEvent | Command) -> None:
        """Hold an entry back until a Complete has passed it."""
        if entry.t_us <= self.reached_us:
            entry = replace(entry, t_us=self.reached_us)
        self._waiting.append(entry)

    def complete(self, t_us: BoardTime) -> list[Entry]:
        """The entries up to t_us in the order in which they are judged, then the passing of time up to
        t_us.
        """
        if t_us < self.reached_us:
            return []
        due = [entry for entry in self._waiting if entry.t_us <= t_us]
        self._waiting = [entry for entry in self._waiting if entry.t_us > t_us]
        self.reached_us = t_us
        return [*sort_entries(due), Advance(t_us)]
