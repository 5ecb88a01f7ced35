"""The public list of games: {table, sensors: "free"|"held"|"none", games: [{game, kind, phase, players, holds}],
sound: {mode, volume, faults} of the table's own speaker, notices: [{code, ...}] of the journal, if it was repaired}.

While the journal cannot be written it has `notice` besides, "journal_full".
"""

from collections.abc import Iterable, Mapping
from typing import Any

from companion.views.signs import signs_of


def game_entry(
    game: str,
    kind: str,
    phase: str,
    players: Iterable[tuple[int, str] | tuple[int, str, str]],
    holds_sensors: bool,
    cut_off: bool = False,
    unattended: bool = False,
) -> dict[str, Any]:
    """One line of the list; players: (id, name) in order of seats, or (id, name, colour) where the game's
    pieces give the colour. cut_off: it was under way when the service ended, and nobody has gone on with it since;
    unattended: nobody was there to be asked when it began (a demonstration). Both are told only where it is so.
    """
    seated = list(players)
    return {
        "game": game,
        "kind": kind,
        "phase": phase,
        "players": [
            {"id": player[0], "name": player[1], **sign, **({"colour": player[2]} if len(player) == 3 else {})}
            for player, sign in zip(seated, signs_of([player[:2] for player in seated]), strict=True)
        ],
        "holds": holds_sensors,
        **({"cut_off": True} if cut_off else {}),
        **({"unattended": True} if unattended else {}),
    }


def lobby(
    table: str,
    has_sensors: bool,
    entries: Iterable[dict[str, Any]],
    sound: Mapping[str, Any],
    notices: Iterable[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The list, newest game first as given. A table without sensors says "none"."""
    games = list(entries)
    held = any(entry["holds"] for entry in games)
    sensors = ("held" if held else "free") if has_sensors else "none"
    return {
        "table": table,
        "sensors": sensors,
        "games": games,
        "sound": dict(sound),
        "notices": [dict(each) for each in notices],
    }
