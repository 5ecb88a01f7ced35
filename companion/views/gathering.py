"""The view of a game that people gather for, before it begins, and what such games' views share.

{...around, phase: "lobby", sensors: "none", round: 0, players: [{id, name, seat, colour, shape, letter}],
 first: id|null, fewest, most, colours: [those that can be chosen], choices: [{name, values, value}]}
"""

from typing import Any

from companion.games.gathered import Gathered
from companion.games.gathering import Choices
from companion.views.around import around, last_lines
from companion.views.context import ViewContext
from companion.views.signs import signs_of


def encode_lobby(state: Gathered[Any], context: ViewContext, choices: Choices) -> dict[str, Any]:
    """The view before the start; choices come in their order, which is the page's."""
    chosen = choices.of(state.chosen)
    return {
        **around(context),
        "phase": "lobby",
        "sensors": "none",
        "round": 0,
        "players": [
            {"id": player.id, "seat": seat, **sign_of(state, player.id)} for seat, player in enumerate(state.players)
        ],
        "first": state.first,
        "fewest": choices.fewest,
        "most": choices.most,
        "colours": list(choices.colours),
        "choices": [
            {"name": name, "values": list(values), "value": chosen[name]} for name, values in choices.values.items()
        ],
    }


def again(state: Gathered[Any], choices: Choices) -> dict[str, Any]:
    """What another game like this one begins with, told at its end: {settings, colours: are they chosen?}."""
    return {"settings": dict(state.chosen), "colours": bool(choices.colours)}


def sign_of(state: Gathered[Any], player: int) -> dict[str, str]:
    """Name, colour (of the pawn or the pieces), shape and letter of a player."""
    signs = signs_of([(seated.id, seated.name) for seated in state.players])
    at = next(seat for seat, seated in enumerate(state.players) if seated.id == player)
    return {**signs[at], "name": state.players[at].name, "colour": state.players[at].colour}


def rulings(
    state: Gathered[Any], most: int, kept: frozenset[str], quiet: frozenset[str], context: ViewContext
) -> list[dict[str, Any]]:
    """The last rulings, as many as `most`, and the one that is doubted: {n, kind, clause, player, data?, asked?}.

    kept: names of data that are shown; quiet: kinds that are not.
    """
    out = []
    for line in last_lines([line for line in state.log if line.kind not in quiet], most, context):
        shown: dict[str, Any] = {"n": line.number, "kind": line.kind, "clause": line.clause, "player": line.player}
        data = {name: value for name, value in line.data.items() if name in kept}
        if data:
            shown["data"] = data
        if line.asked:
            shown["asked"] = True
        out.append(shown)
    return out
