"""Reading a damaged journal: every row that still checks, and which games lost something.

A row is true where its check sum continues that of the row before. Past a bad row the chain is taken up again from
the sums that are stored; the first row after a gap can be vouched for by nothing and counts as lost. A game that lost
an entry is cut there: what it holds later would be judged from a state that never was.
"""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.journal.reader import SELECT
from companion.journal.row import chain
from companion.journal.store import first_page
from companion.journal.wal import laid_over

PAGE = 4096
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Salvaged:
    """rows: those that count, in order, with the numbers that they had; cut: games that lost entries."""

    rows: list[Row]
    cut: tuple[str, ...] = ()


def image(main: bytes, log: bytes) -> sqlite3.Connection:
    """A file with the whole part of its log laid over it, in memory: nothing on the disk is touched.

    Raises sqlite3.Error where its form is not that of a journal.
    """
    data = laid_over(main, log)
    if data[16:20] != b"\x10\x00\x02\x02":
        raise sqlite3.DatabaseError("the header is damaged")
    return _opened(data)


def salvage(main: bytes, log: bytes) -> Salvaged:
    """What still checks in a damaged file, missing pages and a damaged first page (always the same) made good."""
    data = laid_over(main, log)
    data.extend(bytes(-len(data) % PAGE))
    page = bytearray(first_page())
    page[28:32] = (len(data) // PAGE).to_bytes(4, "big")
    data[:PAGE] = page
    connection = _opened(data)
    try:
        # No row takes fewer than 16 bytes: a number beyond this is damage.
        return _kept(_readable(connection, len(data) // 16), _owners(connection, len(data) // 16))
    finally:
        connection.close()


def _opened(data: bytearray) -> sqlite3.Connection:
    data[18:20] = b"\x01\x01"  # memory knows no log
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        connection.deserialize(bytes(data))
    except BaseException:
        connection.close()
        raise
    return connection


def _readable(connection: sqlite3.Connection, limit: int) -> dict[int, Row]:
    """Rows by number, as they stand; a page that cannot be read is stepped over number by number."""
    rows: dict[int, Row] = {}
    start, last = 0, 0
    while start <= limit:
        try:
            for row in connection.execute(SELECT + " WHERE seq > ? ORDER BY seq", (start,)):
                if row[0] not in rows or row[0] == last + 1:  # a number garbled into another's gives way to it
                    rows[row[0]] = row
                last = row[0]
            break
        except (sqlite3.Error, ValueError, OverflowError):
            start = max(start + 1, last if last <= limit else 0)
    return {seq: row for seq, row in rows.items() if 0 < seq <= limit}


def _owners(connection: sqlite3.Connection, limit: int) -> dict[int, str]:
    """Game of each row as the index has it, read from both ends because a page of it may be lost too."""
    owners: dict[int, str] = {}
    for order in ("game, seq", "game DESC, seq DESC"):
        try:
            for game, seq in connection.execute(f"SELECT game, seq FROM entry INDEXED BY entry_game ORDER BY {order}"):
                if isinstance(seq, int) and 0 < seq <= limit:
                    owners[seq] = str(game)
        except (sqlite3.Error, ValueError, OverflowError):
            continue
    return owners


def _kept(found: dict[int, Row], owners: dict[int, str]) -> Salvaged:
    good = _checked(found)
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for seq, row in good.items():
        first.setdefault(row[1], seq)
        last[row[1]] = seq
    cut: dict[str, int] = {}
    for seq in range(1, max([*found, *owners], default=0) + 1):
        if seq in good:
            continue
        for game in {owners[seq]} if seq in owners else _spanning(seq, first, last, good):
            cut.setdefault(game, seq)
    rows = [row for seq, row in good.items() if seq < cut.get(row[1], seq + 1)]
    return Salvaged(rows, tuple(cut))


def _spanning(seq: int, first: dict[str, int], last: dict[str, int], good: dict[int, Row]) -> Iterator[str]:
    """Games to which a row may have belonged that nothing else names: begun before it, or without a beginning."""
    for game, end in last.items():
        if end > seq and (first[game] < seq or good[first[game]][2] != "created"):
            yield game


def _checked(found: dict[int, Row]) -> dict[int, Row]:
    """The rows that the chain vouches for."""
    good: dict[int, Row] = {}
    at, stored, computed = 0, 0, 0
    for seq in sorted(found):
        row = found[seq]
        here = row[-1] if isinstance(row[-1], int) and 0 <= row[-1] < 2**32 else -1
        if seq == at + 1 and here == chain(row[:-1], computed):
            if at and at not in good and computed != stored:
                good[at] = found[at]  # its sum alone was garbled: the row after it vouches for the rest
            good[seq] = row
        elif seq == at + 1 and here == chain(row[:-1], stored):
            good[seq] = row
        computed = chain(row[:-1], computed) if seq == at + 1 else max(0, here)
        at, stored = seq, max(0, here)
        if seq in good:
            computed = stored
    return dict(sorted(good.items()))
