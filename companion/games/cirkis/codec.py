"""A CirKis state to and from JSON, for the journal and exports."""

from collections.abc import Mapping
from typing import Any

from companion.games.cirkis.board import board
from companion.games.cirkis.settings import is_order, read_settings
from companion.games.cirkis.state import Claim, Deed, End, Left, Lost, Phase, Piece, Round, State, Stated


def state_to_json(state: State) -> dict[str, Any]:
    """A JSON object with every field of the state."""
    return {
        "settings": state.settings.to_json(),
        "seats": list(state.seats),
        "rounds": [
            {"starter": r.starter, "deeds": [_deed_to_json(d) for d in r.deeds], "end": r.end and r.end.value}
            for r in state.rounds
        ],
        "turn": state.turn,
        "phase": state.phase.value,
        "free": state.free,
        "lost": list(state.lost),
        "left": list(state.left),
        "unplayed": [list(pair) for pair in state.unplayed],
        "abandoned": state.abandoned,
    }


def state_from_json(obj: Mapping[str, Any]) -> State:
    """The state of a JSON object made by `state_to_json`.

    Raises ValueError where the object is not one, naming the part.
    """
    try:
        settings = read_settings(obj["settings"])
        state = State(
            settings=settings,
            seats=tuple(obj["seats"]),
            rounds=tuple(
                Round(r["starter"], tuple(_deed_from_json(d) for d in r["deeds"]), r["end"] and End(r["end"]))
                for r in obj["rounds"]
            ),
            turn=obj["turn"],
            phase=Phase(obj["phase"]),
            free=obj["free"],
            lost=tuple(obj["lost"]),
            left=tuple(obj["left"]),
            unplayed=tuple((player, pieces) for player, pieces in obj["unplayed"]),
            abandoned=obj["abandoned"],
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"malformed state of CirKis: {error}") from error
    _check(state)
    return state


def _check(state: State) -> None:
    ids = tuple(range(len(state.settings.players)))
    named = [state.turn] if state.turn is not None else []
    named += [*state.lost, *state.left, *(player for player, _ in state.unplayed)]
    spaces: list[Any] = []
    for played in state.rounds:
        named.append(played.starter)
        for deed in played.deeds:
            named.append(deed.player)
            if isinstance(deed, Piece):
                spaces += deed.spaces
            if isinstance(deed, Claim):
                named += [player for stated in deed.shapes for player, _ in stated.segments]
                if any(board().shape(stated.shape) is None for stated in deed.shapes):
                    raise ValueError("malformed state of CirKis: no such shape")
    if not is_order(state.seats, ids) or not state.rounds or any(type(p) is not int or p not in ids for p in named):
        raise ValueError("malformed state of CirKis: no such player")
    if any(type(s) is not int or not 0 <= s < len(board().spaces) for s in spaces):
        raise ValueError("malformed state of CirKis: no such space")


def _deed_to_json(deed: Deed) -> dict[str, Any]:
    match deed:
        case Piece():
            return {
                "deed": "piece",
                "player": deed.player,
                "spaces": list(deed.spaces),
                "free": deed.free,
                "overruled": list(deed.overruled),
            }
        case Claim():
            shapes = [{"shape": s.shape, "segments": [list(pair) for pair in s.segments]} for s in deed.shapes]
            return {"deed": "claim", "player": deed.player, "shapes": shapes, "out": deed.out}
        case Lost():
            return {"deed": "lost", "player": deed.player, "lapsed": deed.lapsed}
        case Left():
            return {"deed": "left", "player": deed.player}


def _deed_from_json(obj: Mapping[str, Any]) -> Deed:
    player = obj["player"]
    match obj["deed"]:
        case "piece":
            return Piece(player, tuple(obj["spaces"]), obj["free"], tuple(obj["overruled"]))
        case "claim":
            shapes = tuple(Stated(s["shape"], tuple((p, n) for p, n in s["segments"])) for s in obj["shapes"])
            return Claim(player, shapes, obj["out"])
        case "lost":
            return Lost(player, obj["lapsed"])
        case "left":
            return Left(player)
        case other:
            raise ValueError(f"malformed state of CirKis: no deed {other!r}")
