"""A glimpse of the sensors as the diagnostics page draws it."""

from typing import Any

from companion.table import Glimpse

_MARK = ("track", "x", "y", "width", "height", "angle", "stone", "p")


def glimpse_view(glimpse: Glimpse) -> dict[str, Any]:
    """JSON values: lists of numbers as they are; marks as one object a stone."""
    marks = glimpse.marks
    return {
        "t_us": glimpse.t_us,
        "places": glimpse.places,
        "corners": glimpse.corners,
        "field": glimpse.field,
        "residual": glimpse.residual,
        "trusted": glimpse.trusted,
        "stones": [dict(zip(_MARK, marks[k : k + len(_MARK)], strict=True)) for k in range(0, len(marks), len(_MARK))],
        "weight_g": glimpse.weight_g,
        "lost": glimpse.lost,
        "faults": glimpse.faults,
    }
