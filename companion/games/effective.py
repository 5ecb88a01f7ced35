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
    entries = [list(of_entry) for of_entry in rulings]
    made, counted, number = numbered(entries, before), set[int](), before
    for ruling in (ruling for of_entry in entries for ruling in of_entry):
        if ruling["kind"] in OF_THE_FOLD:
            counted -= set(ruling.get("data", {}).get("undone", ()))
            counted |= set(ruling.get("data", {}).get("restored", ())) & made.keys()
        else:
            number += 1
            counted.add(number)
    return [made[number] for number in sorted(counted)]


def with_laid(
    counted: Iterable[Mapping[str, Any]], rulings: Iterable[Sequence[Mapping[str, Any]]], before: int = 0
) -> list[dict[str, Any]]:
    """Those that count, and among them each by which people said after an undo how the stones lie (Y22), after the last
    ruling made before it; that one's "number" is None. The rest as of `effective`.
    """
    after, number = list[tuple[int, Mapping[str, Any]]](), before
    for ruling in (ruling for of_entry in rulings for ruling in of_entry):
        if ruling["kind"] not in OF_THE_FOLD:
            number += 1
        elif ruling["kind"] == "laid" and ruling.get("data", {}).get("how") != "seen":  # that one nobody has said
            after.append((number, {**ruling, "number": None}))
    every = [*((ruling["number"], ruling) for ruling in counted), *after]
    return [dict(ruling) for _, ruling in sorted(every, key=lambda each: each[0])]


def numbered(rulings: Iterable[Sequence[Mapping[str, Any]]], before: int = 0) -> dict[int, dict[str, Any]]:
    """Every ruling that was ever made under its number, undone ones included."""
    every = (ruling for of_entry in rulings for ruling in of_entry if ruling["kind"] not in OF_THE_FOLD)
    return {number: {**ruling, "number": number} for number, ruling in enumerate(every, before + 1)}
