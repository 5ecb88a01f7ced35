"""Which guided step a person's order begins."""

from collections.abc import Mapping
from typing import Any

from companion.sensing.guided.check import CheckStep
from companion.sensing.guided.gains import GainsStep
from companion.sensing.guided.grams import GramsStep
from companion.sensing.guided.step import RefusedError, Step
from companion.sensing.guided.stones import StonesStep
from companion.sensing.guided.tiles import TilesStep
from companion.sensing.learning.learned import Learned
from companion.sensing.sensors.layout import TableLayout


def begun(order: Mapping[str, Any], table: Mapping[str, Any], layout: TableLayout, found: Learned | None) -> Step:
    """The step of an untrusted order. table: of table.json; found: what is in force; layout: the two together.

    Raises RefusedError.
    """
    known = None if found is None else found.stones
    match order.get("step"):
        case "check":
            return CheckStep(layout) if known is None else CheckStep(layout, (*known.moment, known.shape))
        case "grams":
            return GramsStep(layout)
        case "gains":
            return GainsStep(layout)
        case "stones":
            called, count = order.get("set"), whole(order.get("count"))
            if not isinstance(called, str) or count is None:
                raise RefusedError("not_now")
            same = known is not None and known.name == " ".join(called.split())
            return StonesStep(layout, called, count, known if same else None)
        case "tiles":
            return TilesStep(_as_drawn(table, found), known)
    raise RefusedError("not_now")


def whole(value: object) -> int | None:
    """A whole number that came as JSON; None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _as_drawn(table: Mapping[str, Any], found: Learned | None) -> TableLayout:
    """The layout with gains, but with the tiles as in table.json."""
    layout = TableLayout.from_json(table)
    return layout if found is None else found.applied(layout)
