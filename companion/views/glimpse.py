"""The sensors and the health of the table as the diagnostics page shows them."""

from typing import Any

from companion.table import Glimpse, Health

_LONGEST = 200  # signs of what a board said
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
        "zeroed_us": glimpse.zeroed_us,
        "arithmetic": glimpse.arithmetic,
    }


def health_view(health: Health) -> dict[str, Any]:
    """JSON values: codes, and whole numbers."""
    return {
        "state": health.state,
        "link": health.link,
        "faults": health.faults,
        "lag_ms": round(health.lag_ms),
        "frame_rate": round(health.frame_rate),
        "damaged": health.damaged,
        "drops": health.drops,
        "rssi_dbm": health.rssi_dbm,
        "board_text": health.board_text[-_LONGEST:],
        "held_by": health.held_by,
    }
