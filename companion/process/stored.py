"""Calibrations kept in the data folder: what is in force for each table, and everything that was before.

One JSON file, calibrations.json, written whole or not at all; the file before it stays beside it as
calibrations.last.json. Stored values change only by a person: by `companion calibrate`, which adds one entry, or takes
the newest back. An entry names its parts; what is in force for a table is for each part the newest entry that has it.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from companion.process.keeping import replace_keeping
from companion.sensing.learned import PARTS, Learned

FILE: Final = "calibrations.json"
LAST_FILE: Final = "calibrations.last.json"
_FORMAT: Final = 1
_MOST: Final = 200  # entries


class StoredError(Exception):
    """The stored calibrations cannot be read or written; one sentence with what to do."""


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
            raise StoredError(f"{self._file} cannot be read ({_reason(error)}): {way}.") from error

    def in_force(self, table_id: str) -> Learned | None:
        """What holds for a table, None where nothing was stored of it. Raises StoredError."""
        out: Learned | None = None
        for entry in self.entries():
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

    def add(self, entry: Entry) -> None:
        """Store one more. Raises StoredError, the file as it was."""
        self._write([*self.entries(), entry][-_MOST:])

    def undo(self, table_id: str) -> Entry:
        """Take a table's newest entry back and give it. Raises StoredError where there is none."""
        entries = self.entries()
        newest = next((e for e in reversed(entries) if e.found.table_id == table_id), None)
        if newest is None:
            raise StoredError(f"nothing is stored for table {table_id}: there is nothing to take back.")
        entries.remove(newest)
        self._write(entries)
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
            raise StoredError(
                f"{self._file} cannot be written ({_reason(error)}): make room or choose another."
            ) from error
        finally:
            part.unlink(missing_ok=True)


def stored_for(folder: Path | None, table_id: str) -> Learned | None:
    """What is in force for a table in a data folder, None without a folder. Raises StoredError."""
    return None if folder is None else Store(folder).in_force(table_id)


def _entries(obj: Any) -> list[Entry]:
    if not isinstance(obj, Mapping) or obj.get("format") != _FORMAT or not isinstance(obj.get("entries"), list):
        raise ValueError("not in the form of this version")
    out = []
    for item in obj["entries"]:
        if not isinstance(item, Mapping) or not all(isinstance(item.get(k), str) for k in ("when", "note")):
            raise ValueError("an entry without its time or note")
        out.append(Entry(item["when"], item["note"], Learned.from_json(item.get("learned"))))
    return out


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).split("\n")[0][:90]
