"""Events and rulings as the JSON objects of a replay's files: seconds of board time after the first frame."""

from typing import Any

from companion.games.game import Ruling
from companion.table import EventKind, Stone, TableEvent, to_seconds


def event_object(event: TableEvent) -> dict[str, Any]:
    """{"t", "t_report", "event", "count", "x", "y", ...}; keys without a value are left out."""
    out: dict[str, Any] = {
        "t": to_seconds(event.t_us),
        "t_report": to_seconds(max(event.t_us, event.t_report_us)),
        "event": str(event.kind),
        "count": event.count,
    }
    if event.x is not None and event.y is not None:
        out |= {"x": round(event.x, 2), "y": round(event.y, 2)}
    if event.stones:
        out["tracks"] = list(event.stones)
    if event.kind is EventKind.SETTLED:
        out["stones"] = [_stone(stone) for stone in event.rest]
    if event.kind is EventKind.COLLAPSE:
        out |= {"new": list(event.new_stones), "chain": event.chain}
    if event.kind is EventKind.PLACED:
        out |= {"upright": event.upright, "pole_up": event.pole_up, "stacked": event.stacked}
    if event.until_us is not None:
        out["until"] = to_seconds(event.until_us)
    if event.p < 1:
        out["p"] = round(event.p, 3)
    return out


def ruling_object(ruling: Ruling) -> dict[str, Any]:
    """{"t", "ruling", "clause", "player", ..., "asked"}: the ruling's data beside its own keys, times in seconds."""
    out: dict[str, Any] = {"t": to_seconds(ruling.t_us), "ruling": ruling.kind, "clause": ruling.clause}
    if ruling.player is not None:
        out["player"] = ruling.player
    for key, value in ruling.data.items():
        if key.endswith("_us") and isinstance(value, int):
            key, value = key.removesuffix("_us"), to_seconds(value)
        out.setdefault(key, value)
    if ruling.asked:
        out["asked"] = True
    return out


def _stone(stone: Stone) -> dict[str, Any]:
    return {
        "x": round(stone.x, 2),
        "y": round(stone.y, 2),
        "upright": stone.upright,
        "pole_up": stone.pole_up,
        "id": stone.identity,
        "p": round(stone.p, 3),
        "track": stone.track,
    }
