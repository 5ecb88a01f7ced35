"""The public view of a game of Tiki Topple: it neither holds nor depends on secret cards that are not shown yet.

    {...around, phase: "lobby"|"line_up"|"play"|"places"|"ended"|"revealed"|"over", sensors: "none",
     players: [{id, name, seat, colour, shape, letter, total, place, gone?}] in the order of the seats,
     round: {number, of, final, mode, starter, turn, line, places, end, cards, same_cards,
             hands: [{player, played, left, entered}], whole: {card: how many in a whole hand}} | null,
     held: [{card, n, tikis, not}]: of each card how many whose turn it is has left, the tikis that it may move now,
       and why not the others: [[code of the refusal, tikis]],
     history: [{final, points: {id: points}}], winners: [ids],
     rulings: the last ones [{n, kind, clause, player, data?, asked?}],
     again?: once it is over (companion/views/gathering.py)}

Before the start it is that of companion/views/gathering.py.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.games.gathered import Gathered
from companion.games.gathering import Choices
from companion.games.tiki import State, public
from companion.games.tiki.hand import Action
from companion.games.tiki.round import Phase, why_not
from companion.views.around import around
from companion.views.context import ViewContext
from companion.views.gathering import again, encode_lobby, rulings, sign_of

LAST_RULINGS = 10
_UNSEEN = frozenset({"toasted", "undealt"})  # of a round: the page has no use for them
_QUIET = frozenset({"turn_start"})  # the page shows whose turn it is
_KEPT_DATA = frozenset(
    {
        "card",
        "tiki",
        "from",
        "to",
        "reason",
        "places",
        "points",
        "total",
        "final",
        "number",
        "players",
        "winners",
        "mode",
    }
)


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
        "round": _round(shown["round"], state.inner),
        "held": _held(state.inner),
        "history": [
            {"final": scored["final"], "points": {score["player"]: score["points"] for score in scored["scores"]}}
            for scored in shown["history"]
        ],
        "winners": shown["winners"],
        "rulings": rulings(state, LAST_RULINGS, _KEPT_DATA, _QUIET, context),
        **({"again": again(state, choices)} if state.inner.current is None else {}),
    }


def _round(shown: Mapping[str, Any] | None, state: State) -> dict[str, Any] | None:
    if shown is None or state.current is None:
        return None
    one = state.current.hands[0]  # all begin a round with the same (T14, T24)
    whole = {str(action): n for action, n in Counter((*one.held, *one.played)).items()}
    return {name: value for name, value in shown.items() if name not in _UNSEEN} | {"whole": whole}


def _held(state: State) -> list[dict[str, Any]]:
    """The cards left to whose turn it is, known to all who counted the open ones (T19), and what each may move now."""
    current = state.current
    if current is None or current.phase is not Phase.PLAY:
        return []
    held = Counter(current.hand(current.turn).held)
    out = []
    for action in Action:
        reasons: dict[str, list[str]] = {}
        for tiki in current.line:
            reasons.setdefault(why_not(current, action, tiki, state.options.topple_bottom), []).append(str(tiki))
        card = {"card": str(action), "n": held[action], "tikis": reasons.pop("", [])}
        out.append(card | {"not": [[code, tikis] for code, tikis in reasons.items()]})
    return out
