"""What a page may show: nothing in CirKis is secret, so there is one view for all.

`drawing` is the board itself and never changes; `public` is the state of a game, all of it worked out from the deeds.
"""

from typing import Any

from companion.games.cirkis.board import board
from companion.games.cirkis.moves import unable
from companion.games.cirkis.outcome import outcome
from companion.games.cirkis.position import leader, open_spaces, owners, unplayed, unplayed_shapes
from companion.games.cirkis.scoring import round_awards, round_points, totals
from companion.games.cirkis.state import Claim, Phase, Piece, Round, State
from companion.games.cirkis.tiling import CORNERS


def drawing() -> dict[str, Any]:
    """The board for an SVG. Coordinates: a tile's long edge is 1, x right, y up, origin in the middle.

    outline: the decagon's corners. spaces: by number, with polygon, a point for a sign, kind and shapes.
    """
    return {
        "outline": [_rounded(corner.xy()) for corner in CORNERS],
        "spaces": [
            {
                "polygon": [_rounded(corner) for corner in space.polygon()],
                "sign": _rounded(space.middle()),
                "kind": space.kind.value,
                "shapes": [shape.id for shape in board().shapes_of([space.number])],
            }
            for space in board().spaces
        ],
        "shapes": {shape.id: list(shape.spaces) for shape in board().shapes},
    }


def public(state: State) -> dict[str, Any]:
    """JSON values for everybody.

    open: spaces of which the next piece must cover one, empty where none is left (C23). unable: who could not place
    by the set (C20), null without one. rounds: what was done, each deed with the points it brought (C28 to C14).
    """
    playing = state.phase is Phase.PLAY
    mapped = playing and state.settings.mode == "map"
    last = leader(state)
    sums, now = totals(state), round_points(state, state.round)
    stuck = unable(state) if mapped else None
    result = None if playing or state.phase is Phase.BETWEEN else outcome(state)
    return {
        "game": "cirkis",
        "settings": {**state.settings.to_json(), "assumed": state.settings.assumed},
        "phase": state.phase.value,
        "players": [
            {
                "player": player,
                "name": state.settings.players[player],
                "colour": state.settings.colours[player],
                "total": sums[player],
                "round": now[player],
                "unplayed": unplayed(state, player),
                "shapes": unplayed_shapes(state, player),
                "left": player in state.left,
                "lost": player in state.lost,
            }
            for player in state.seats
        ],
        "turn": state.turn,
        "free": state.free,
        "owners": {str(space): player for space, player in sorted(owners(state).items())},
        "leader": list(last.spaces) if last else None,
        "open": sorted(open_spaces(state)) if mapped else [],
        "unable": None if stuck is None else list(stuck),
        "rounds": [_round(state, played) for played in state.rounds],
        "result": None
        if result is None
        else {"winners": list(result.winners), "clause": result.clause, "asked": list(result.asked)},
    }


def _round(state: State, played: Round) -> dict[str, Any]:
    deeds = []
    for deed, awards in zip(played.deeds, round_awards(state.settings, played.deeds), strict=True):
        entry: dict[str, Any] = {"deed": type(deed).__name__.lower(), "player": deed.player}
        if isinstance(deed, Piece):
            entry |= {"spaces": list(deed.spaces), "free": deed.free, "overruled": list(deed.overruled)}
        if isinstance(deed, Piece | Claim):
            entry["points"] = [
                {"player": a.player, "points": a.points, "clause": a.clause, "shape": a.shape} for a in awards
            ]
        deeds.append(entry)
    points = {str(player): n for player, n in round_points(state, played).items()}
    return {"starter": played.starter, "end": played.end and played.end.value, "points": points, "deeds": deeds}


def _rounded(point: tuple[float, float]) -> list[float]:
    return [round(point[0], 4) + 0.0, round(point[1], 4) + 0.0]
