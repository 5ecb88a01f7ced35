"""Events and rulings as the JSON objects of a replay's files: seconds of board time after the first frame."""

from collections import deque
from dataclasses import dataclass
from typing import Any, Final

from companion.games.game import Ruling
from companion.table import SECOND, BoardTime, EventKind, Stone, TableEvent, to_seconds

GROWS_US: Final = SECOND
"""After its last report a collapse grows no longer: what follows within 0.4 s has been told by then."""


class Lines:
    """Events as lines of a file, in the order in which they were first told, where each collapse is one.

    "t_report" is when it was first told; of one that grew, "told" is how many stones then, and "t_complete" when the
    last of them were. Lines wait until it is complete.
    """

    def __init__(self) -> None:
        self._waiting: deque[_Line] = deque()

    def take(self, event: TableEvent) -> list[dict[str, Any]]:
        """The lines that need not wait any longer."""
        t_us = max(event.t_us, event.t_report_us)
        collapses = [line for line in self._waiting if t_us <= line.until_us]
        of = [x for x in collapses if event.grown and not set(x.told.get("tracks", ())).isdisjoint(event.stones)]
        if of:  # of two that have touched since, the newer one
            of[-1].told, of[-1].until_us = _completed(of[-1].told, event_object(event)), t_us + GROWS_US
        else:
            until_us = t_us + GROWS_US if event.kind is EventKind.COLLAPSE else t_us - 1
            self._waiting.append(_Line(event_object(event), until_us))
        out = []
        while self._waiting and self._waiting[0].until_us < t_us:
            out.append(self._waiting.popleft().told)
        return out

    def end(self) -> list[dict[str, Any]]:
        """The lines that still waited."""
        out = [line.told for line in self._waiting]
        self._waiting.clear()
        return out


@dataclass(slots=True)
class _Line:
    told: dict[str, Any]
    until_us: BoardTime  # it may grow until then


def _completed(first: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    tracks, new = (sorted({*first[key], *more[key]}) for key in ("tracks", "new"))
    out = first | {"count": max(more["count"], len(tracks)), "tracks": tracks, "new": new}
    out |= {"told": first.get("told", first["count"]), "t_complete": more["t_report"]}
    p = min(first.get("p", 1.0), more.get("p", 1.0))
    return out | ({"p": p} if p < 1 else {})


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
