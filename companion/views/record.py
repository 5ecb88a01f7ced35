"""A game that was played, as its page is first told of it: what each round brought."""

from collections.abc import Iterable, Mapping
from typing import Any


def rounds(rulings: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """[{player: who won it|null, left: [stones left by seat], points: [[id, points]]}], one a round, in order.

    rulings: those that count (companion/games/effective.py). CirKis tells the points of a round with its end, Tiki
    Topple in the rulings behind it, with the total they make; ¡Yikerz! tells whose piles held how much.
    """
    out: list[dict[str, Any]] = []
    for ruling in rulings:
        data = ruling.get("data", {})
        if ruling["kind"] == "round_end":
            points = [list(pair) for pair in data.get("points", ()) if isinstance(pair, list | tuple)]
            out.append({"player": ruling.get("player"), "left": list(data.get("left", ())), "points": points})
        elif ruling["kind"] == "points" and out and "total" in data:
            out[-1]["points"].append([ruling.get("player"), data["points"]])
    return out
