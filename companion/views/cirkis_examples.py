"""The worked examples of the CirKis sheet as pages draw and tell them (C18, C32): by the rules, not by hand."""

from typing import Any

from companion.games.cirkis.example import EXAMPLES
from companion.games.cirkis.position import open_spaces
from companion.views.cirkis import foresee
from companion.views.signs import signs_of


def examples() -> list[dict[str, Any]]:
    """[{name, clause, players: [{id, name, colour, shape, letter}], lies: [{player, spaces}], by, spaces, ...}].

    lies: in the order played. by, spaces: the piece that comes; open: where it may lie; foreseen: what it does.
    """
    out = []
    for example in EXAMPLES:
        state = example.state()
        named = list(enumerate(state.settings.players))
        signs = zip(named, signs_of(named), state.settings.colours, strict=True)
        asked = {"name": "place", "player": example.by, "args": {"spaces": list(example.spaces)}}
        out.append(
            {
                "name": example.name,
                "clause": example.clause,
                "players": [{**sign, "id": k, "name": name, "colour": colour} for (k, name), sign, colour in signs],
                "lies": [{"player": player, "spaces": list(spaces)} for player, spaces in example.lies],
                "by": example.by,
                "spaces": list(example.spaces),
                "open": sorted(open_spaces(state)),
                "foreseen": foresee(state, asked),
            }
        )
    return out
