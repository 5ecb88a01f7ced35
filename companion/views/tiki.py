"""The public view of a game of Tiki Topple: it neither holds nor depends on secret cards that are not shown yet.

    {...around, phase: "lobby"|"line_up"|"play"|"places"|"ended"|"revealed"|"over", sensors: "none",
     players: [{id, name, seat, colour, shape, letter, total, place, gone?}] in the order of the seats,
     round: {number, of, final, mode, starter, turn, line, toasted, places, end, cards, same_cards, undealt,
             hands: [{player, played, left, entered}]} | null,
     plays: [{card, tikis}]: what whose turn it is may play, history: [{starter, final, places, scores}],
     winners: [ids], settings, rulings: the last ones [{n, kind, clause, player, data?, asked?}]}

Before the start it is that of companion/views/gathering.py.
"""

from typing import Any

from companion.games.gathered import Gathered
from companion.games.gathering import Choices
from companion.games.tiki import State, public
from companion.games.tiki.round import legal_plays
from companion.views.around import around
from companion.views.context import ViewContext
from companion.views.gathering import encode_lobby, rulings, sign_of

LAST_RULINGS = 16


def encode(state: Gathered[State], context: ViewContext, choices: Choices) -> dict[str, Any]:
    """The view of one moment."""
    if state.inner is None:
        return encode_lobby(state, context, choices)
    shown = public(state.inner)
    players = []
    for seat, player in enumerate(shown["players"]):
        one = {"id": player["player"], "seat": seat, **sign_of(state, player["player"])}
        one |= {"total": player["total"], "place": player["place"]}
        players.append(one | {"gone": True} if player["gone"] else one)
    return {
        **around(context),
        "phase": shown["phase"],
        "sensors": "none",
        "players": players,
        "round": shown["round"],
        "plays": _plays(state.inner),
        "history": shown["history"],
        "winners": shown["winners"],
        "settings": {name: value for name, value in shown["settings"].items() if name not in ("players", "colours")},
        "rulings": rulings(state, LAST_RULINGS),
    }


def _plays(state: State) -> list[dict[str, Any]]:
    """By card, the tikis that it may move now (T07-T10, T22)."""
    plays: dict[str, list[str]] = {}
    if state.current is not None:
        for action, tiki in legal_plays(state.current, state.options.topple_bottom):
            plays.setdefault(str(action), []).append(str(tiki))
    return [{"card": card, "tikis": tikis} for card, tikis in plays.items()]
