"""Views of a game as a test needs them: two or six players, each phase, boards as in the recordings."""

import math
from typing import Any

from companion.games.yikerz.settings import Settings
from companion.games.yikerz.state import State
from companion.views.yikerz_choices import choices

NAMES = ("Ana", "Beto", "Carla", "Maximiliano", "Ñico", "Zoë")
COLOURS = ("red", "blue", "green", "violet", "orange", "pink")
SHAPES = ("circle", "square", "triangle", "diamond", "star", "heart")

LAYOUTS: dict[str, list[tuple[float, float, float]]] = {
    "big_triangle": [(0, 0, 180), (75, -43.301, 0), (0, 86.603, 0), (-75, -43.301, 0)],
    "row": [(-112.5, -21.651, 0), (-37.5, 21.651, 180), (37.5, -21.651, 0), (112.5, 21.651, 180)],
    "star": [(0, 0, 0), (0, 173.205, 180), (-150, -86.603, 300), (150, -86.603, 60)],
    "free": [(69.478, 54.964, 0), (69.478, -31.639, 180), (-87.819, 38.628, 251.858), (-51.138, -61.953, 328.2152)],
}


def stones(count: int, layout: str, held: int | None = None, glow: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    """Stones spread over the tiles: north up, south up and standing ones in turn."""
    tiles = LAYOUTS[layout]
    out: list[dict[str, Any]] = []
    for k in range(count):
        x, y, rot = tiles[k % 4]
        ring, a = (24.0, math.radians(rot + 90 + 120 * (k // 4))) if k < 12 else (6.0, 0.0)
        stone: dict[str, Any] = {
            "track": k + 1,
            "x": round(x + ring * math.cos(a) * (1 if k % 3 else 1.6), 1),
            "y": round(y + ring * math.sin(a) * (1 if k % 3 else 1.6), 1),
        }
        if k % 3 == 2:
            stone |= {"upright": True, "turn": 37 * k % 360}
        else:
            stone |= {"pole": 1 if k % 3 == 0 else -1}
        if held == k + 1:
            stone["held"] = True
        if k + 1 in glow:
            stone["glow"] = True
        out.append(stone)
    return out


def game(players: int = 2, layout: str = "big_triangle", on_board: int = 7, **changes: Any) -> dict[str, Any]:
    """A view in phase "turn"; `changes` replace its parts."""
    pile = 20 // players
    view: dict[str, Any] = {
        "game": "g1",
        "kind": "yikerz",
        "table": "Mesa",
        "version": 7,
        "round": 2,
        "phase": "turn",
        "sensors": "held",
        "players": [
            {
                "id": k,
                "name": NAMES[k],
                "seat": k,
                "colour": COLOURS[k],
                "shape": SHAPES[k],
                "letter": NAMES[k][0],
                "pile": pile - (on_board + players - 1 - k) // players,
                "wins": k % 2,
                "points": 3 * k,
            }
            for k in range(players)
        ],
        "turn": 0,
        "next": 1 % players,
        "last_stone": False,
        "deadline_us": None,
        "remove": None,
        "call": None,
        "waits": "not_let_go",
        "early": None,
        "on_board": on_board,
        "loose": on_board,
        "hand": True,
        "questions": [],
        "board": {
            "side": 150,
            "tiles": [{"x": x, "y": y, "rot": rot} for x, y, rot in LAYOUTS[layout]],
            "stones": stones(on_board, layout),
        },
        "bag": 20 - pile * players,
        "best_of": 3,
        "scoring": "best_of",
        "points_limit": 25,
        "sudden": False,
        "tied": [],
        "limit_us": None,
        "rulings": [
            ruling(1, "placed", "Y09", 1),
            ruling(2, "turn_end", "Y13", 1, reason="ten_seconds"),
            ruling(3, "turn_start", "Y26", 0),
        ],
        "undo": {"what": "turn_end", "name": "placed", "by": "Ana"},
        "undone": 0,
        "pending": [],
        "answers": {},
        "health": {"state": "ok", "faults": []},
        "notice": "",
        "dispute": None,
        "winners": [],
    }
    return view | changes


def ruling(n: int, kind: str, clause: str, player: int | None, **data: Any) -> dict[str, Any]:
    return {"n": n, "kind": kind, "clause": clause, "player": player, "data": data}


def settling(now_us: int, left_s: float = 8.0, players: int = 2, **changes: Any) -> dict[str, Any]:
    """The stone has been let go and the time runs."""
    deadline_us = now_us + round(left_s * 1_000_000)
    return game(players, phase="countdown", deadline_us=deadline_us, waits="", hand=False) | changes


def removing(players: int = 2, **changes: Any) -> dict[str, Any]:
    """Three stones have collapsed and one of them has been taken."""
    take = {"player": 0, "why": "collapse", "tracks": [3, 6], "table": 0, "left": 2, "taken": 1}
    view = game(players, phase="removing", remove=take, waits="stones_to_take", hand=False, loose=5)
    view["board"]["stones"] = stones(7, "big_triangle", glow=(3, 6))
    view["rulings"].append(ruling(4, "collapse", "Y10", 0, count=3))
    return view | changes


def asking(players: int = 2, **changes: Any) -> dict[str, Any]:
    """The next player has started and nobody heard the call."""
    question = {"id": 5, "code": "call", "player": 1, "choices": ["said", "not_said"], "args": {}}
    return game(players, on_board=18, questions=[question], call={"player": 1, "state": "due"}) | changes


def unsure(players: int = 2, **changes: Any) -> dict[str, Any]:
    """Something happened that the sensors cannot tell."""
    choices = ["nothing", "collapsed", "fell_off"]
    question = {"id": 6, "code": "unsure", "player": 0, "choices": choices, "args": {"count": 2}}
    return game(players, phase="question", questions=[question]) | changes


def lobby_phase(players: int = 2, **changes: Any) -> dict[str, Any]:
    """A game that has not begun."""
    offered: dict[str, Any] = {"choices": choices(State(Settings())), "layout": "novice"}
    none: dict[str, Any] = {"turn": None, "next": None, "rulings": [], "undo": None}
    return game(players, on_board=0, phase="lobby") | offered | none | changes


def won(players: int = 2, **changes: Any) -> dict[str, Any]:
    """The round is over."""
    view = game(players, phase="round_end", turn=None, next=None, winners=[0])
    view["players"][0] |= {"pile": 0, "wins": 1}
    view["rulings"].append(ruling(4, "round_end", "Y17", 0, winner=0))
    return view | changes


def by_hand(view: dict[str, Any]) -> dict[str, Any]:
    """The same game without sensors."""
    return view | {"sensors": "none", "board": view["board"] | {"stones": []}}


def laying(players: int = 2) -> dict[str, Any]:
    """After an undo: two stones are to be put back where they lay, one that glows is to be taken off."""
    view = game(players)
    places, stones = view["board"]["stones"][:2], view["board"]["stones"][2:]
    stones[-1] = stones[-1] | {"glow": True}
    ghosts = [stone | {"track": f"back{stone['track']}", "ghost": True} for stone in places]
    view["board"]["stones"] = stones + ghosts
    return view | {"laying": {"back": 2, "off": 1, "since_us": None}}
