"""game.json of a recording as the settings of a game (docs/recordings.md)."""

from collections.abc import Mapping
from typing import Any

from companion.games.yikerz.settings import SETTINGS
from companion.games.yikerz.state import State


def settings_of(game: Mapping[str, Any]) -> dict[str, Any]:
    """Settings for `Yikerz.start`: dealt as recorded, started at once, nobody answers questions.

    Raises ValueError, naming what is wrong, where the object is no game of ¡Yikerz!.
    """
    if game.get("game") != "yikerz":
        raise ValueError(f"game.json is not of yikerz but of {game.get('game')!r}")
    missing = {"players", "first", "piles", "bag", "stones"} - game.keys()
    if missing:
        raise ValueError(f"game.json lacks {sorted(missing)[0]!r}")
    settings = game.get("settings", {})
    if not isinstance(settings, Mapping):
        raise ValueError(f"game.json: settings is an object, not {settings!r}")
    for name in ("players", "piles"):
        if not isinstance(game[name], list | tuple):
            raise ValueError(f"game.json: {name} is a list, not {game[name]!r}")
    chosen = {name: value for name, value in settings.items() if name in SETTINGS}
    return {
        "answers": "nobody",
        "begin": "at_once",
        "last_call": "assumed",
        **chosen,
        "players": list(game["players"]),
        "dealer": game["first"],
        "piles": list(game["piles"]),
        "bag": game["bag"],
        "stones": game["stones"],
    }


def recorded_of(state: State) -> dict[str, Any]:
    """game.json of a clip that begins in the midst of a game: what lies on the board counts as being in the bag."""
    stones = state.settings.stones
    piles = [max(1, pile) for pile in state.piles]
    names = [player.name for player in state.players]
    bag = max(0, stones - sum(piles))
    dealt = {"first": state.seat, "piles": piles, "bag": bag, "stones": sum(piles) + bag}
    return {"game": "yikerz", "players": names, **dealt, "settings": {"last_call": "assumed"}}
