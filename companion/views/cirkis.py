"""The public view of a game of CirKis, as JSON values; nothing in it is secret, so there is one for all.

    {...around, mode: "map"|"quick", phase: "lobby"|"play"|"tie"|"between"|"over", sensors: "none",
     players: [{id, name, colour, shape, letter, total, unplayed, round?, left?, lost?, shapes?}] in order of the seats,
     turn: id|null, free: bool, starter: id, round: number of the round,
     deeds: of this round [{d: "piece"|"claim"|"lost"|"left", n: entry, r?: ruling, p: id, s?: [spaces], f?: 1,
       x?: [codes that were overruled], points?: [[id, points, clause, shape]], why?: [[code, clause]], out?: 1,
       lapsed?: 1, shapes?: [[shape, [[id, segments]]]]}],
     rounds: those before [{end, points: [[id, points]]}], end: why this one ended|null,
     open: [spaces of which the next piece covers one], unable: [ids]|null,
     result: {winners, clause, asked}|null,
     settings, set: [pieces]|null, assumed, again?: once it is over (companion/views/gathering.py)}

Before the start it is that of companion/views/gathering.py. n is the number by which `edit` names what was pressed, 0
where there is none (a player has left); r is the number of its first ruling, by which it is doubted.
The last piece of the deeds is the leader. Points stand with the deed that brought them; `why` are the reasons for a
free turn. What is marked ? is left out where it is false or empty. unplayed is null where nobody has told (C19).
"""

from collections.abc import Mapping
from typing import Any

from companion.games.cirkis.account import Told, account, round_points, totals
from companion.games.cirkis.moves import find_place, unable
from companion.games.cirkis.outcome import outcome
from companion.games.cirkis.pieces import set_to_json
from companion.games.cirkis.position import open_spaces, unplayed, unplayed_shapes
from companion.games.cirkis.preview import preview
from companion.games.cirkis.rules import CirKis
from companion.games.cirkis.settings import CHOICES
from companion.games.cirkis.state import Claim, Left, Lost, Phase, Piece, State
from companion.games.game import Command, Ruling
from companion.games.gathered import Gathered
from companion.games.gathering import Choices
from companion.views.around import around
from companion.views.context import ViewContext
from companion.views.gathering import again, encode_lobby, sign_of

FORESEEN = frozenset({"place", "cannot_place", "complete", "turn_over", "stuck"})
"""Commands of which a page may ask what they would do."""

_DEEDS = frozenset({"place", "complete", "cannot_place"})


def encode(state: Gathered[State], context: ViewContext, choices: Choices) -> dict[str, Any]:
    """The view of one moment."""
    inner = state.inner
    if inner is None:
        return encode_lobby(state, context, choices)
    mapped = inner.phase is Phase.PLAY and inner.settings.mode == "map"
    stuck = unable(inner) if mapped else None
    pieces = inner.settings.pieces
    return {
        **around(context),
        "mode": inner.settings.mode,
        "phase": inner.phase.value,
        "sensors": "none",
        "players": _players(state, inner),
        "turn": inner.turn,
        "free": inner.free,
        "starter": inner.round.starter,
        "round": len(inner.rounds),
        "deeds": _deeds(inner, context),
        "rounds": [
            {"end": played.end and played.end.value, "points": [list(p) for p in round_points(inner, played).items()]}
            for played in inner.rounds[:-1]
        ],
        "end": inner.round.end and inner.round.end.value,
        "open": sorted(open_spaces(inner)) if mapped else [],
        "unable": None if stuck is None else list(stuck),
        "result": _result(inner),
        "settings": {"ring": inner.settings.ring, **{name: getattr(inner.settings, name) for name in CHOICES}},
        "set": None if pieces is None else set_to_json(pieces),
        "assumed": inner.settings.assumed,
        **({"again": again(state, choices)} if inner.phase is Phase.OVER else {}),
    }


def foresee(state: State, asked: Mapping[str, Any]) -> dict[str, Any] | None:
    """What a command ({name, player, args}) would do now, by the rules themselves; None where that is not answered.

    {problems: [{code, clause, overrule}], rulings}: without problems it would be accepted. Where the table may set
    every problem aside (C33), `rulings` says what it then would do. fits: where it was said that nothing fits, a place
    where a piece of the set does (C20).
    """
    name, player, args = asked.get("name"), asked.get("player"), asked.get("args")
    if (
        not isinstance(name, str)
        or name not in FORESEEN
        or not isinstance(args, Mapping)
        or not (player is None or type(player) is int)
    ):
        return None
    step = CirKis().apply(state, Command("", name, 0, player=player, args={**args, "overrule": False}))
    if step.refusal is None:
        return {"problems": [], "rulings": [_ruling(ruling) for ruling in step.rulings]}
    forced = CirKis().apply(state, Command("", name, 0, player=player, args={**args, "overrule": True}))
    problems = [(step.refusal.code, step.refusal.clause)]
    if name == "place" and forced.refusal is None:  # all that the table would set aside
        problems = [(problem.code, problem.clause) for problem in preview(state, args["spaces"], player).problems]
    answer: dict[str, Any] = {
        "problems": [{"code": code, "clause": clause, "overrule": forced.refusal is None} for code, clause in problems],
        "rulings": [_ruling(ruling) for ruling in forced.rulings],
    }
    if step.refusal.code == "can_place" and state.turn is not None:
        search = find_place(state, state.turn)
        answer["fits"] = None if search is None or search.spaces is None else list(search.spaces)
    return answer


def _players(gathered: Gathered[State], state: State) -> list[dict[str, Any]]:
    sums, now = totals(state), round_points(state, state.round)
    out = []
    for player in state.seats:
        shown = {"id": player, **sign_of(gathered, player), "total": sums[player], "unplayed": unplayed(state, player)}
        more = {
            "round": now[player] if state.settings.play_to == "hundred" else 0,
            "left": player in state.left,
            "lost": player in state.lost,
            "shapes": {piece: n for piece, n in unplayed_shapes(state, player).items() if n},
        }
        out.append(shown | {key: value for key, value in more.items() if value})
    return out


def _deeds(state: State, context: ViewContext) -> list[dict[str, Any]]:
    """The deeds of the round, each with its entry: the newest deeds come from the newest presses of their kinds."""
    numbers = [w.number for w in context.entries if isinstance(w.entry, Command) and w.entry.name in _DEEDS]
    pressed = iter(reversed(numbers))
    shown = []
    for told in reversed(account(state.settings, state.deeds)):
        number = 0 if isinstance(told.deed, Left) else next(pressed, 0)
        shown.append(_told(told, number, context.ruled.get(number, 0)))
    return shown[::-1]


def _told(told: Told, number: int, ruling: int) -> dict[str, Any]:
    deed = told.deed
    shown: dict[str, Any] = {"d": type(deed).__name__.lower(), "n": number, "p": deed.player}
    more: dict[str, Any] = {
        "r": ruling,
        "points": [[award.player, award.points, award.clause, award.shape] for award in told.awards()],
        "why": [[reason.code, reason.clause] for reason in told.free],
        "shapes": [[done.shape, [list(pair) for pair in done.segments]] for done in told.completes],
        "out": int(told.out),
    }
    match deed:
        case Piece():
            more |= {"s": list(deed.spaces), "f": int(deed.free), "x": list(deed.overruled)}
        case Lost():
            more["lapsed"] = int(deed.lapsed)
        case Claim():
            pass
    return shown | {key: value for key, value in more.items() if value}


def _result(state: State) -> dict[str, Any] | None:
    if state.phase in (Phase.PLAY, Phase.BETWEEN):
        return None
    result = outcome(state)
    return {"winners": list(result.winners), "clause": result.clause, "asked": list(result.asked)}


def _ruling(ruling: Ruling) -> dict[str, Any]:
    return {"kind": ruling.kind, "clause": ruling.clause, "player": ruling.player, "data": dict(ruling.data)}
