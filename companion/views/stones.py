"""A stone as pages draw it."""

from typing import Any

from companion.table import Stone


def shown_stone(stone: Stone, glow: bool = False) -> dict[str, Any]:
    """{track, x, y (mm), turn (degrees) with upright, else pole (+1, -1), held, glow}; left out where false or 0."""
    shown: dict[str, Any] = {"track": stone.track, "x": round(stone.x, 1), "y": round(stone.y, 1)}
    if stone.upright:
        shown |= {"upright": True, "turn": round(stone.turn)}
    elif stone.pole_up:
        shown["pole"] = stone.pole_up
    if stone.held:
        shown["held"] = True
    if glow:
        shown["glow"] = True
    return shown
