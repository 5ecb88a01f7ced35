"""The games that this service can referee; another game is one more entry here.

Loaded when asked for, so that a program that only needs one part does not load the rest.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.games.game import Game
from companion.views.context import ViewContext


@dataclass(frozen=True, slots=True)
class GameKind:
    """One kind of game.

    game: its rules. encode: (state, context) -> public view, JSON values. phase, players: of a state, for the list of
    games; players are (id, name) in order of seats. moves: commands that are about the turn as it was seen; borders:
    rulings that end what was seen. A press of a move made before the last move or border is stale.
    from_recording: settings for a game.json of a recording.
    """

    game: Game[Any]
    encode: Callable[[Any, ViewContext], Mapping[str, Any]]
    phase: Callable[[Any], str]
    players: Callable[[Any], tuple[tuple[int, str], ...]]
    moves: frozenset[str] = frozenset()
    borders: frozenset[str] = frozenset()
    from_recording: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None


def known_kinds() -> dict[str, GameKind]:
    """Every kind by name."""
    from companion.process.yikerz_kind import yikerz

    return {"yikerz": yikerz()}
