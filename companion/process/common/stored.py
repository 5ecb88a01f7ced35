"""Calibrations kept in the data folder: what is in force for each table, and everything that was before.

One JSON file, calibrations.json, written whole or not at all; the file before it stays beside it as
calibrations.last.json. Stored values change only by a person, by `companion calibrate` or on the page that sets up the
table: one entry is added, or the newest taken back; of two who do it at once the second waits for the first. An entry
names its parts; what is in force for a table is for each part the newest entry that has it.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from companion.disk import why_unread, why_unwritten
from companion.process.common.keeping import replace_keeping
from companion.process.common.lock import only_writer
from companion.sensing.learning.learned import PARTS, Learned

FILE: Final = "calibrations.json"
LAST_FILE: Final = "calibrations.last.json"
_FORMAT: Final = 1
_MOST: Final = 200  # entries


class StoredError(Exception):
    """The stored calibrations cannot be read or changed; one sentence with what to do. code: for pages."""

    def __init__(self, text: str, code: str = "not_kept") -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, eq=False)
class Entry:
    """when: as a person reads it; note: from what it was learned; found: the parts learned then."""

    when: str
    note: str
    found: Learned

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the parts."""
        return tuple(p for p in PARTS if getattr(self.found, p) is not None)


class Store:
    """The file in one data folder; reads it anew at each call."""

    def __init__(self, folder: Path) -> None:
        self._file, self._last = folder / FILE, folder / LAST_FILE

    def entries(self) -> list[Entry]:
        """All entries, oldest first; none where nothing was stored. Raises StoredError."""
        if not self._file.exists():
            return []
        try:
            return _entries(json.loads(self._file.read_bytes()))
        except (OSError, ValueError, RecursionError) as error:
            way = f"put {self._last.name} in its place" if self._last.exists() else "move it away and calibrate again"
            told = f"{self._file} cannot be read ({why_unread(error)}): {way}. Games and settings stay."
            raise StoredError(told, "stored_damaged") from error

    def in_force(self, table_id: str) -> Learned | None:
        """What holds for a table, None where nothing was stored of it. Raises StoredError."""
        return _in_force(self.entries(), table_id)

    @contextmanager
    def change(self) -> Iterator["Change"]:
        """Nobody else changes what is stored meanwhile. Raises StoredError."""
        with ExitStack() as stack:
            try:
                stack.enter_context(only_writer(self._file.parent))
            except BlockingIOError as error:
                raise StoredError(f"{self._file} is being written by another program: try again.") from error
            except OSError as error:
                raise self._unwritten(error) from error
            yield Change(self.entries(), self._write)

    def add(self, entry: Entry) -> None:
        """Store one more. Raises StoredError, the file as it was."""
        with self.change() as change:
            change.add(entry)
            change.write()

    def undo(self, table_id: str) -> Entry:
        """Take a table's newest entry back and give it. Raises StoredError where there is none."""
        with self.change() as change:
            newest = change.undo(table_id)
            change.write()
        return newest

    def _write(self, entries: list[Entry]) -> None:
        obj = {
            "format": _FORMAT,
            "entries": [{"when": e.when, "note": e.note, "learned": e.found.to_json()} for e in entries],
        }
        part = self._file.with_name(f".{FILE}.{os.getpid()}.part")
        try:
            with part.open("w", encoding="utf-8") as file:
                json.dump(obj, file, allow_nan=False)
                file.flush()
                os.fsync(file.fileno())
            replace_keeping(part, self._file, self._last)
        except OSError as error:
            raise self._unwritten(error) from error
        finally:
            part.unlink(missing_ok=True)

    def _unwritten(self, error: OSError) -> StoredError:
        return StoredError(f"{self._file} cannot be written: {why_unwritten(error)}.")


class Change:
    """What would be stored: nothing is until `write`."""

    def __init__(self, entries: list[Entry], write: Callable[[list[Entry]], None]) -> None:
        """entries: oldest first."""
        self._entries, self._write = entries, write

    def add(self, entry: Entry) -> None:
        """One more."""
        self._entries = [*self._entries, entry][-_MOST:]

    def undo(self, table_id: str, when: str | None = None) -> Entry:
        """Without a table's newest entry, which is given. when: of the entry that the person means; None: whichever it
        is. Raises StoredError where there is none, another one is the newest, or what would come back is of other
        sensors.
        """
        newest = next((e for e in reversed(self._entries) if e.found.table_id == table_id), None)
        if newest is None:
            raise StoredError(f"nothing is stored for table {table_id}: there is nothing to take back.", "nothing_kept")
        if when not in (None, newest.when):
            raise StoredError(f"the newest is of {newest.when}, not of {when}: look at it first.", "stored_since")
        left = [e for e in self._entries if e is not newest]
        before = _in_force(left, table_id)
        if before is not None and before.sensors != newest.found.sensors:
            raise StoredError(
                f"what was stored for table {table_id} before {newest.when} is of other sensors, and cannot hold for "
                "these: the newest stays. Calibrate again instead.",
                "other_sensors",
            )
        self._entries = left
        return newest

    def in_force(self, table_id: str) -> Learned | None:
        """What would hold for a table."""
        return _in_force(self._entries, table_id)

    def write(self) -> None:
        """Store it so. Raises StoredError, the file as it was."""
        self._write(self._entries)


def stored_for(folder: Path | None, table_id: str) -> Learned | None:
    """What is in force for a table in a data folder, None without a folder. Raises StoredError."""
    return None if folder is None else Store(folder).in_force(table_id)


def _in_force(entries: Sequence[Entry], table_id: str) -> Learned | None:
    out: Learned | None = None
    for entry in entries:
        if entry.found.table_id != table_id:
            continue
        if out is None or out.sensors != entry.found.sensors:
            out = entry.found
            continue
        changes: dict[str, Any] = {part: getattr(entry.found, part) for part in entry.parts}
        if entry.found.laid is not None:
            changes["middles"] = entry.found.middles
        out = replace(out, **changes)
    return out


def _entries(obj: Any) -> list[Entry]:
    if not isinstance(obj, Mapping) or obj.get("format") != _FORMAT or not isinstance(obj.get("entries"), list):
        raise ValueError("not in the form of this version")
    out = []
    for item in obj["entries"]:
        if not isinstance(item, Mapping) or not all(isinstance(item.get(k), str) for k in ("when", "note")):
            raise ValueError("an entry without its time or note")
        out.append(Entry(item["when"], item["note"], Learned.from_json(item.get("learned"))))
    return out
