"""A recording's truth as table events, and the turns it tells: what a referee with perfect eyes must rule.

The stripped form kept in tests/data/truths has only game, events and turns of truth.json and game.json.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.games.game import Command
from companion.table import BoardTime, EventKind, TableEvent, from_seconds

TRUTHS = Path(__file__).parent / "data" / "truths"

EVENT_KEYS = ("t", "event", "ids", "count", "x", "y", "upright", "pole_up", "stacked", "new_ids", "chain")
TURN_KEYS = (
    "player",
    "t_start",
    "t_placed",
    "t_clock",
    "outcome",
    "taken",
    "t_end",
    "reason",
    "piles",
    "on_board",
    "won",
)


def stripped(truth: Mapping[str, Any], game: Mapping[str, Any]) -> dict[str, Any]:
    """Game, events and turns of a recording: nothing of the electronics or the simulation."""
    return {
        "game": dict(game),
        "winner": truth["winner"],
        "events": [{k: e[k] for k in EVENT_KEYS if k in e} for e in truth["events"]],
        "turns": [{k: u[k] for k in TURN_KEYS if k in u} for u in truth["turns"]],
    }


def load(path: Path) -> dict[str, Any]:
    """A stripped truth."""
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def from_folder(folder: Path) -> dict[str, Any]:
    """The stripped truth of a recording's folder."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    game = json.loads((folder / "game.json").read_text(encoding="utf-8"))
    return stripped(truth, game)


def table_events(events: Sequence[Mapping[str, Any]]) -> Iterator[TableEvent]:
    """The truth's events as sensing would tell them, with every stone's own number as its track."""
    for e in events:
        t = from_seconds(e["t"])
        yield TableEvent(
            kind=EventKind(e["event"]),
            t_us=t,
            stones=tuple(e["ids"]),
            count=e["count"],
            t_report_us=t,
            x=e.get("x"),
            y=e.get("y"),
            new_stones=tuple(e.get("new_ids", ())),
            chain=bool(e.get("chain", False)),
            upright=e.get("upright"),
            pole_up=e.get("pole_up"),
            stacked=bool(e.get("stacked", False)),
        )


def fallen_taken(truth: Mapping[str, Any]) -> list[Command]:
    """The button of Y35 at the moment the last stone was taken from the table, where no event shows it.

    The truth's turn knows when (t_clock); a stone on the table is seen by no sensor, so nothing in the
    events does.
    """
    out = []
    for number, turn in enumerate(truth["turns"]):
        inside = [e for e in truth["events"] if turn["t_start"] <= e["t"] <= turn["t_end"]]
        fell = any(e["event"] == "fell_off" for e in inside)
        shown = any(
            e["event"] in ("removed", "withdrawn", "released") and abs(turn["t_clock"] - e["t"]) <= 0.3 for e in inside
        )
        if fell and not shown:
            out.append(Command(f"taken-{number}", "removed", from_seconds(turn["t_clock"])))
    return out


def merge_slack(truth: Mapping[str, Any], turn: Mapping[str, Any]) -> BoardTime:
    """How much earlier the 10 s may begin: `removed` events within 0.3 s are merged into the time of the
    first leaving, while t_clock is that of the last."""
    leaving = [
        from_seconds(e["t"])
        for e in truth["events"]
        if e["event"] == "removed" and 0 <= turn["t_clock"] - e["t"] <= 0.3
    ]
    if turn["outcome"] == "clean" or not leaving:
        return 0
    return from_seconds(turn["t_clock"]) - max(leaving)
