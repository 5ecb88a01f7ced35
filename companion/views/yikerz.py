"""The public view of a game of ¡Yikerz!: what every phone at the table may see, as JSON values; codes, never prose.

    {game, kind: "yikerz", table, version, round,
     phase: "lobby"|"turn"|"countdown"|"removing"|"penalty"|"round_end"|"game_end"|"unseen"|"miscount"|"question",
     sensors: "held"|"none"|"stale"|"late"|"lost",
     players: [{id, name, seat, colour, shape, letter, pile, wins, points, dealer?, call?: "due"|"said",
       gone?: has left the game (Y46), out?: has no turns in this round (Y25, Y42), place?: 1 = first out (Y25),
       handicap?: stones fewer at each deal}],
     turn: id|null, next: id|null, last_stone: bool,
     deadline_us: server clock or null (also where the game is judged no more),
     limit_us: until then the stone has to be let go (Y25, speed), or null,
     remove: {player, why: "collapse"|"fell_off"|"played"|"extra"|"penalty"|"touched", tracks, table, left, taken}|null,
     call: {player, state: "due"|"said"}|null,
     waits: why the next player's stone would not end the turn now (a refusal's code), or "",
     early: {player, code}|null, who has brought a stone too early,
     on_board: stones there by the rules; loose: those that may still collapse;
     hand: the stone of this turn may be in the hand,
     questions: [{id, code, player, choices, args}],
     board: {side, tiles: [{x, y, rot}], stones: [{track, x, y, turn?, upright?, pole?, held?, glow?,
       ghost?: is to be put back there}]},
     bag, best_of, scoring: "best_of"|"points", points_limit, sudden: sudden death is played (Y42),
     against: [{code, n?, tile?}] what the sensors see that speaks against beginning (before a round only; ready.py),
     tied: [ids] between whom it will decide, choices: [{name, values, value}]
     and layout (lobby only),
     rulings: the last ones, 10 at most, before them the one that is doubted [{n, kind, clause, player, data, asked?}];
       laid: how people ended the laying back, n: of the ruling before it, in itself not to be doubted,
     undo: {what, name, by}|null, undone: how often something was undone so far,
     pending: [command ids], answers: {command id: {status, code}},
     health: {state, faults, late_s: only while sensors is "late"}, notice,
     dispute: {ruling, player, by, since_us: server clock; every clock stands there}|null, winners: [ids],
     differs?: {seen, expected: stones} people have said how the stones lie, and the sensors still see it otherwise,
     unwatched?: the sensors have followed the game, and do so no more,
     unasked?: nobody is asked, the best reading goes on (a demonstration),
     laying?: {back, off: how many to put back and to take off (they glow), since_us: server clock; every clock stands}}

Left out where false or empty: turn, upright, pole, held, glow, data, asked, dealer, call, gone, out, place,
handicap. A ruling with data to: "bag"
is about nobody, its stones go there. Lengths are mm, turn is
degrees. `tracks` of remove are known and lie on the board (they glow), `table` is how many lie on the table; left
counts all, also those in the hand and those that the player may choose. player of remove is null where the stones go
to the bag.
"""

from collections.abc import Mapping
from typing import Any

from companion.games.yikerz.layout import Tile
from companion.games.yikerz.names import Said, Stage
from companion.games.yikerz.ready import not_ready
from companion.games.yikerz.settings import changed_settings
from companion.games.yikerz.state import State
from companion.table import Stone
from companion.views import yikerz_asked as asked
from companion.views.around import dispute, ghosts, last_lines, laying, server_time, undo
from companion.views.context import ViewContext
from companion.views.signs import signs_of
from companion.views.stones import shown_stone
from companion.views.yikerz_choices import choices

LAST_RULINGS = 10
QUIET_KINDS = frozenset({"countdown", "question", "turn_start"})  # the page shows these otherwise
NOTHING_TO_DO = frozenset({"zeros_anew"})  # told on the sensors' page only
_KEPT_DATA = frozenset(
    {"reason", "count", "cause", "code", "left", "how", "winner", "winners", "choice", "question", "dealer", "chain"}
    | {
        "place",
        "players",
        "what",
        "loser",
        "points",
        "round",
        "picks",
        "seen",
        "expected",
        "p",
        "undone",
        "by",
        "number",
        "ruling",
        "target",
        "insisted",
        "to",
    }
)


def encode(state: State, context: ViewContext) -> dict[str, Any]:
    """The view of one moment."""
    running = state.running
    removing, laid = asked.remove(state), laying(context)
    glowing = set(removing["tracks"]) if removing else set()
    glowing = {*context.laying.off} if context.laying else glowing
    view: dict[str, Any] = {
        "game": context.game,
        "kind": "yikerz",
        "table": context.table_name,
        "version": context.version,
        "round": state.round,
        "phase": state.phase,
        "sensors": _sensors(context),
        "players": _players(state),
        "turn": asked.player_id(state, state.seat) if running else None,
        "next": asked.player_id(state, state.next_seat) if running else None,
        "last_stone": running and state.stage is Stage.COUNTDOWN and _pile(state, state.seat) == 0,
        "deadline_us": None if context.notice else server_time(state.deadline_us, context),
        "limit_us": None if context.notice else server_time(state.limit_us, context),
        "remove": removing,
        "call": asked.call(state),
        "waits": asked.waits(state),
        "early": asked.too_early(state),
        "on_board": state.on_board,
        "loose": asked.loose(state),
        "hand": asked.in_hand(state),
        "questions": [
            {
                "id": question.number,
                "code": question.code,
                "player": asked.player_id(state, question.seat),
                "choices": list(question.choices),
                "args": dict(question.args),
            }
            for question in state.questions
        ],
        "board": {
            "side": context.side_mm,
            "tiles": [{"x": round(x, 1), "y": round(y, 1), "rot": round(rot, 1)} for x, y, rot in context.tiles],
            "stones": [shown_stone(stone, stone.track in glowing) for stone in _seen(context)] + ghosts(context),
        },
        "bag": state.bag,
        "best_of": state.settings.best_of,
        "scoring": state.settings.scoring,
        "points_limit": state.settings.points_limit,
        "sudden": state.sudden,
        "tied": list(state.tied),
        "rulings": _rulings(state, context),
        "undo": undo(context),
        "undone": context.undone,
        "pending": list(context.pending),
        "answers": {name: dict(answer) for name, answer in context.answers.items()},
        "health": _health(context),
        "notice": context.notice,
        "dispute": dispute(context),
        **({"laying": laid} if laid else {}),
        "winners": _winners(state),
    }
    if differs := asked.differs(state, context):
        view["differs"] = differs
    if context.followed and not context.sensors and state.running:
        view["unwatched"] = True
    if state.settings.answers == "nobody":
        view["unasked"] = True
    if state.stage is Stage.GAME_END:
        view["again"] = {"settings": changed_settings(state.settings), "colours": False}
    if state.stage is Stage.LOBBY:
        view |= {"choices": choices(state), "layout": state.layout}
    if context.sensors and state.stage in (Stage.LOBBY, Stage.ROUND_END):
        tiles = [Tile(*tile) for tile in context.tiles]
        view["against"] = not_ready(context.picture, context.health, tiles, context.side_mm)
    return view


def _pile(state: State, seat: int) -> int:
    return state.piles[seat] if seat < len(state.piles) else 0


def _players(state: State) -> list[dict[str, Any]]:
    wins, points = state.wins, state.points
    out = []
    for seat, (player, sign) in enumerate(
        zip(state.players, signs_of([(p.id, p.name) for p in state.players]), strict=True)
    ):
        shown: dict[str, Any] = {
            "id": player.id,
            "name": player.name,
            "seat": seat,
            **sign,
            "pile": _pile(state, seat),
            "wins": wins[seat],
            "points": points[seat],
        }
        if player.gone:
            shown["gone"] = True
        elif seat in state.away and state.running:
            shown["out"] = True
        if seat in state.places:
            shown["place"] = state.places.index(seat) + 1
        if player.handicap:
            shown["handicap"] = player.handicap
        if state.dealer == seat:
            shown["dealer"] = True
        if seat < len(state.calls) and state.calls[seat].said is not Said.NOT_DUE:
            shown["call"] = str(state.calls[seat].said)
        out.append(shown)
    return out


def _sensors(context: ViewContext) -> str:
    if not context.sensors:
        return "none"
    state = context.health.state if context.health else "starting"
    if context.health and context.health.late_s:
        return "late"
    return {"ok": "held", "lost": "lost"}.get(state, "stale")


def _health(context: ViewContext) -> dict[str, Any]:
    if context.health is None:
        return {"state": "starting" if context.sensors else "ok", "faults": []}
    late = {"late_s": context.health.late_s} if context.health.late_s else {}
    faults = [code for code in context.health.faults if code not in NOTHING_TO_DO]
    return {"state": context.health.state, "faults": faults, **late}


def _seen(context: ViewContext) -> tuple[Stone, ...]:
    return context.picture.stones if context.picture is not None else ()


def _rulings(state: State, context: ViewContext) -> list[dict[str, Any]]:
    lines = [line for line in state.log if line.kind not in QUIET_KINDS]
    return [_ruling(each) for each in last_lines(lines, LAST_RULINGS, context)]


def _ruling(line: Any) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "n": line.number,
        "kind": line.kind,
        "clause": line.clause,
        "player": line.player,
    }
    told = {"count": len(line.data["stones"]), **line.data} if line.kind == "taken" else line.data
    data = {key: value for key, value in told.items() if key in _KEPT_DATA}
    evidence = _evidence(line.data.get("evidence"))
    if evidence:
        data["evidence"] = evidence
    if data:
        shown["data"] = data
    if line.asked:
        shown["asked"] = True
    return shown


def _evidence(evidence: Any) -> dict[str, Any]:
    """What was sensed, as far as a page says it (Y22): lengths to 0.1 mm, no more figures than were measured."""
    if not isinstance(evidence, Mapping):
        return {}
    measured = {key: evidence.get(key) for key in ("gap_mm", "closing_speed_mm_s", "weight_step_g", "note")}
    return {key: round(v, 1) if isinstance(v, float) else v for key, v in measured.items() if v not in (None, "")}


def _winners(state: State) -> list[int | None]:
    if state.stage is Stage.GAME_END:
        return list(state.winners)
    if state.stage is Stage.ROUND_END and state.rounds and state.rounds[-1].winner is not None:
        return [state.rounds[-1].winner]
    return []
