"""The rulings of a game that still count, told from what was journaled alone: undone ones left out, edited ones anew.

So a finished game's rulings are shown as they were made, whatever the rules are now.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.games.fold import RULINGS as OF_THE_FOLD


def effective(rulings: Iterable[Sequence[Mapping[str, Any]]], before: int = 0) -> list[dict[str, Any]]:
    """The rulings that count, in order, each with its "number" (what `dispute` names).

    rulings: those of each entry, as JSON values of a Ruling, in the order of the journal. before: rulings made at the
    start, which no entry made. Rulings of the fold (undone, edited, ...) have no number and do not count.
    """
    made: dict[int, dict[str, Any]] = {}
    counted: set[int] = set()
    number = before
    for of_entry in rulings:
        for ruling in of_entry:
            data = ruling.get("data", {})
            if ruling["kind"] in OF_THE_FOLD:
                counted -= set(data.get("undone", ()))
                counted |= set(data.get("restored", ())) & made.keys()
                continue
            number += 1
            made[number] = {**ruling, "number": number}
            counted.add(number)
    return [made[number] for number in sorted(counted)]
