"""Mending a damaged journal. What is damaged is never thrown away: the files are first copied beside the journal, and a
repaired one takes its place whole. Each gives the notice that says what was lost.
"""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from companion.journal.entry import Notice, game_number
from companion.journal.row import chain
from companion.journal.salvage import Row
from companion.journal.store import create, sync_folder


class Kept:
    """The copy of the damaged files beside the journal, made once however often the repair has to be tried."""

    def __init__(self, path: Path) -> None:
        self._path, self._name = path, ""

    def name(self) -> str:
        """Make the copy if it is not there yet; the name of its folder. Raises OSError, nothing left half done."""
        self._name = self._name or _keep(self._path).name
        return self._name


def _keep(path: Path) -> Path:
    kept = path.with_name(f"journal-damaged-{damages_before(path) + 1}")
    half = kept.with_name(kept.name + ".part")
    shutil.rmtree(half, ignore_errors=True)
    half.mkdir()
    try:
        for file in (path, log_of(path)):
            if file.exists():
                shutil.copyfile(file, half / file.name)
                with open(half / file.name, "rb") as copy:
                    os.fsync(copy.fileno())
    except OSError:  # no room: what there is of it would only take more of it
        shutil.rmtree(half, ignore_errors=True)
        raise
    half.rename(kept)
    sync_folder(path.parent)
    return kept


def cut_back(path: Path, log_bytes: int, count: int, kept: Kept) -> Notice:
    """Leave so many bytes of the log, with which the journal has `count` whole entries. Raises OSError."""
    name = kept.name()
    if log_of(path).exists():
        with open(log_of(path), "r+b") as file:
            file.truncate(log_bytes)
            os.fsync(file.fileno())
    text = (
        f"the journal was damaged and was cut back to its last {count} whole entries; games begun after them are gone; "
        f"a copy is in {name}"
    )
    return Notice("cut", text, {"n": count, "copy": name})


def rebuild(path: Path, rows: Sequence[Row], cut: Sequence[str], kept: Kept) -> Notice:
    """Make the journal anew of these rows, `chained`; cut: the games that lost entries. Raises OSError."""
    name = kept.name()
    create(_repaired(path), rows)
    finish_repair(path)
    if not rows:
        text = f"the journal was damaged and no entry could be read: a new one was begun, a copy is in {name}"
        return Notice("nothing_left", text, {"copy": name})
    left = {row[1] for row in rows}
    gone = [game for game in cut if game not in left]
    short = [game for game in cut if game in left]
    text = f"the journal was damaged, {len(rows)} whole entries are kept"
    text += f"; games that lost entries and were cut there: {', '.join(short)}" if short else ""
    text += f"; games that are gone: {', '.join(gone)}" if gone else ""
    newest = max(left, key=lambda game: (game_number(game), game))
    text += f"; games newer than {newest} may be gone too; a copy is in {name}"
    return Notice("rebuilt", text, {"n": len(rows), "games": list(cut), "copy": name})


def chained(rows: Sequence[Row]) -> list[Row]:
    """The rows numbered and chained anew."""
    before, chained = 0, []
    for seq, row in enumerate(rows, 1):
        values = (seq, *row[1:-1])
        before = chain(values, before)
        chained.append((*values, before))
    return chained


def damages_before(path: Path) -> int:
    """How often this journal was damaged before: the highest number of a copy beside it."""
    numbers = (each.name.rpartition("-")[2] for each in path.parent.glob("journal-damaged-*"))
    return max((int(number) for number in numbers if number.isdecimal()), default=0)


def finish_repair(path: Path) -> None:
    """Put a repaired journal in the place of the damaged one; a power cut in between only makes it happen again."""
    ready = _repaired(path)
    if not ready.exists():
        return
    for file in (log_of(path), path.with_name(path.name + "-shm")):
        file.unlink(missing_ok=True)
    sync_folder(path.parent)
    os.replace(ready, path)
    sync_folder(path.parent)


def log_of(path: Path) -> Path:
    """The log of a journal, there or not."""
    return path.with_name(path.name + "-wal")


def _repaired(path: Path) -> Path:
    return path.with_name(path.name + ".repaired")
