"""An entry as a row of the table, with a check sum that chains it to the row before.

The chain tells "nothing invented, nothing missing, in order" apart from what SQLite itself checks.
"""

import json
import zlib
from typing import Any

from companion.journal.entry import JournalEntry, NewEntry

COLUMNS = ("seq", "game", "kind", "rules", "t_us", "body", "rulings", "label", "chain")


def to_row(seq: int, entry: NewEntry, before: int) -> tuple[int | str, ...]:
    """Values of COLUMNS. before: chain of the row before, 0 at the beginning. Raises ValueError for no JSON."""
    values = (
        seq,
        entry.game,
        entry.kind,
        entry.rules,
        entry.t_us,
        _text(entry.body),
        _text(entry.rulings),
        entry.label,
    )
    return (*values, chain(values, before))


def from_row(row: tuple[Any, ...]) -> JournalEntry:
    """The entry of a row. Raises ValueError or TypeError where the row is not one."""
    seq, game, kind, rules, t_us, body, rulings, label, _ = row
    return JournalEntry(seq, NewEntry(game, kind, rules, t_us, json.loads(body), tuple(json.loads(rulings)), label))


def chain(values: tuple[Any, ...], before: int) -> int:
    """CRC-32 of a row's values (without its chain) and of the chain before it."""
    text = "\x1f".join(str(value) for value in values)
    return zlib.crc32(text.encode("utf-8", "surrogatepass"), before)


def _text(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    except TypeError as error:
        raise ValueError(f"an entry holds a value that is not JSON: {error}") from error
