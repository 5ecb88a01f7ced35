"""A game as a table for spreadsheets (CSV): one line a ruling that counts."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from companion.table import to_seconds

_MARK = "\ufeff"  # without it spreadsheets take UTF-8 for something else
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # also as wide signs
_HEAD = ("number", "seconds", "ruling", "clause", "player", "name", "asked", "data")


def csv_of(rulings: Iterable[Mapping[str, Any]], names: Mapping[int, str], decimal_comma: bool = False) -> str:
    """The table with its head. names: of the players, by id.

    decimal_comma: as a spreadsheet expects it where numbers are written so: semicolons between the cells. A name that
    a spreadsheet would take for a formula is quoted.
    """
    out = io.StringIO()
    out.write(_MARK)
    writer = csv.writer(out, delimiter=";" if decimal_comma else ",")
    writer.writerow(_HEAD)
    for ruling in rulings:
        player = ruling.get("player")
        name = str(names.get(player, "")) if player is not None else ""
        data = json.dumps(ruling.get("data", {}), ensure_ascii=False, separators=(",", ":"))
        seconds = str(to_seconds(ruling["t_us"]))
        writer.writerow(
            [
                ruling["number"],
                seconds.replace(".", ",") if decimal_comma else seconds,
                ruling["kind"],
                ruling["clause"],
                "" if player is None else player,
                "'" + name if name.startswith(_FORMULA) else name,
                bool(ruling.get("asked")),
                data,
            ]
        )
    return out.getvalue()
