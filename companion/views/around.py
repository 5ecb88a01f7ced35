"""What every public view says around a game's own state: what waits, what can be taken back, what is doubted.

{game, kind, table, version, undo: {what, name, by}|null, undone, pending: [command ids],
 answers: {command id: {status, code}}, notice, dispute: {ruling, player, by, since_us}|null}
"""

from collections.abc import Mapping, Sequence
from math import dist
from typing import Any

from companion.games.laying import LAID_MM
from companion.games.logline import LogLine
from companion.table import BoardTime
from companion.views.context import ViewContext
from companion.views.stones import shown_stone


def around(context: ViewContext) -> dict[str, Any]:
    """These values of one moment."""
    return {
        "game": context.game,
        "kind": context.kind,
        "table": context.table_name,
        "version": context.version,
        "undo": undo(context),
        "undone": context.undone,
        "pending": list(context.pending),
        "answers": {name: dict(answer) for name, answer in context.answers.items()},
        "notice": context.notice,
        "dispute": dispute(context),
    }


def undo(context: ViewContext) -> Mapping[str, Any] | None:
    """What an undo would take back, and whose press it was."""
    if not context.undoable:
        return None
    newest = context.undoable[0]
    return {"what": newest.name, "name": newest.name, "by": newest.by}


def dispute(context: ViewContext) -> Mapping[str, Any] | None:
    """The ruling that is doubted, who proposes to take it back, and since when every clock stands (server clock)."""
    doubted = context.dispute
    if doubted is None:
        return None
    since_us = server_time(doubted.since_us, context)
    return {"ruling": doubted.ruling, "player": doubted.player, "by": doubted.by, "since_us": since_us}


def last_lines(lines: Sequence[LogLine], most: int, context: ViewContext) -> list[LogLine]:
    """The last rulings, as many as `most`, and before them the one that is doubted: the game goes on while people talk
    about it, and it must not fall out of their sight (Y22). Among them how people ended the laying back of stones.
    """
    doubted, laid = context.dispute.line if context.dispute else None, context.laid
    every = list(lines) if laid is None else sorted([*lines, laid], key=lambda line: line.number)
    shown = every[-most:]
    return shown if doubted is None or doubted.number in [line.number for line in shown] else [doubted, *shown]


def laying(context: ViewContext) -> Mapping[str, Any] | None:
    """How many stones an undo left elsewhere than the state has them; None where nothing is to be laid back."""
    now = context.laying
    if now is None:
        return None
    return {"back": len(now.back), "off": len(now.off), "since_us": server_time(now.since_us, context)}


def ghosts(context: ViewContext) -> list[dict[str, Any]]:
    """Where stones have still to be put back, as pages draw them: each until one rests within LAID_MM of there."""
    if context.laying is None:
        return []
    lie = [(stone.x, stone.y) for stone in (context.picture.stones if context.picture else ()) if not stone.held]
    free = [each for each in context.laying.places if all(dist((each.x, each.y), xy) >= LAID_MM for xy in lie)]
    return [shown_stone(stone) | {"track": f"back{stone.track}", "ghost": True} for stone in free]


def server_time(t_us: BoardTime | None, context: ViewContext) -> BoardTime | None:
    """A time of the game as the server clock has it; None without one, or before the table has sent anything."""
    if t_us is None or context.server_offset_us is None:
        return None
    return t_us + context.server_offset_us
