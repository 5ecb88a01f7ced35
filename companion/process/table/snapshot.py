"""Sensing's memory of the board on disk, so that a table process that starts again finds the stones it knew.

One small JSON file with a checksum, sensing.json in the data folder, replaced whole; the one before stays beside it as
sensing.last.json. It is written when the board has come to rest and while it stays so. It holds no ruling: where it is
missing or damaged the table process starts as on its first day, and where it cannot be written the game goes on.
"""

import json
import logging
import os
import secrets
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.disk import Writing, why_unread
from companion.process.common.keeping import replace_keeping
from companion.sensing.baseline.memory import Memory
from companion.sensing.pipeline import Sensing
from companion.table import SECOND, BoardTime, EventKind, TableEvent, TableReport

FILE: Final = "sensing.json"
LAST_FILE: Final = "sensing.last.json"
AGAIN_US: Final = 30 * SECOND
"""A board that stays at rest is kept again so often, for the drift of its zeros and of the load cell."""
TRACKS_APART: Final = 1000
_FORMAT: Final = 1
_SESSIONS: Final = 2**20
_LOG = logging.getLogger(__name__)


class Snapshots:
    """The files in one data folder, of the table that is played at."""

    def __init__(self, folder: Path, table_id: str) -> None:
        self._file, self._last, self._table_id = folder / FILE, folder / LAST_FILE, table_id
        self._wanted, self._saved_us = True, -AGAIN_US
        self._writing = Writing(_LOG, "The board cannot be kept for the next start")

    def load(self) -> Memory | None:
        """The newest whole memory of this table, None where there is none."""
        for file in (self._file, self._last):
            try:
                memory = _memory(json.loads(file.read_bytes()))
            except FileNotFoundError:
                continue
            except (OSError, ValueError, RecursionError) as error:
                _LOG.warning("%s is not used: %s. %s", file, why_unread(error), self._instead(file))
                continue
            if memory.table_id == self._table_id:
                return memory
        return None

    def _instead(self, file: Path) -> str:
        """What the start goes on with, and that there is nothing to mend."""
        if file == self._file and self._last.exists():
            return f"The board as it lay shortly before is taken from {self._last.name}; games stay as they are."
        return (
            "What lies on the board is looked for anew, and asked about where that is not sure; games stay as they "
            "are. Nothing is to be done: the file is written anew when the board is at rest."
        )

    def see(self, sensing: Sensing, reports: Sequence[TableReport], t_us: BoardTime) -> bool:
        """Keep the board when it has come to rest, and again while it stays so; whether it was written."""
        settled = any(isinstance(r, TableEvent) and r.kind is EventKind.SETTLED for r in reports)
        self._wanted = self._wanted or settled or t_us - self._saved_us >= AGAIN_US
        memory = sensing.memory() if self._wanted else None
        if memory is None:
            return False
        self._wanted, self._saved_us = False, t_us
        return self.save(memory)

    def save(self, memory: Memory) -> bool:
        """Replace what is kept; False (and a word in the log, once) where it cannot be written."""
        part = self._file.with_name(f".{FILE}.{os.getpid()}.part")
        with self._writing.to(self._file):
            try:
                with part.open("w", encoding="utf-8") as file:
                    json.dump(_sealed(memory), file, allow_nan=False)
                    file.flush()
                    os.fsync(file.fileno())
                replace_keeping(part, self._file, self._last)
            finally:
                with suppress(OSError):
                    part.unlink(missing_ok=True)
        return not self._writing.failed


def first_track() -> int:
    """Where a session's numbers of new tracks begin: far from those of other sessions, whose stones may still lie."""
    return TRACKS_APART * (1 + secrets.randbelow(_SESSIONS))


def _sealed(memory: Memory) -> dict[str, Any]:
    body = memory.to_json()
    return {"format": _FORMAT, "crc": _crc(body), "memory": body}


def _crc(body: Any) -> int:
    return zlib.crc32(json.dumps(body, sort_keys=True).encode())


def _memory(obj: Any) -> Memory:
    """Raises ValueError."""
    if not isinstance(obj, dict) or obj.get("format") != _FORMAT:
        raise ValueError("not in the form of this version")
    if obj.get("crc") != _crc(obj.get("memory")):
        raise ValueError("its checksum is wrong")
    return Memory.from_json(obj["memory"])
