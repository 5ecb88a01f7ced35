"""Whether the table is ready for a round: what speaks against it, by code (F5). People may begin all the same."""

from collections.abc import Sequence
from typing import Any

from companion.games.yikerz import layout
from companion.games.yikerz.layout import Tile
from companion.table import Health, Picture

REASONS: dict[str, str] = {
    "stones_on_board": "n stones lie on the board, or are held over it: take them off",
    "sensors_not_ready": "the sensors do not see the board now",
    "sensors_late": "what the sensors see is told n seconds late",
    "tiles_illegal": "the triangles do not touch each other as they must (Y05); tile: which, from 0",
}
"""Why a round should not begin yet."""

SLACK_MM = 6.0
"""How far from touching the triangles may be found: to about 1 mm each, and they are laid by hand."""


def not_ready(
    picture: Picture | None, health: Health | None, tiles: Sequence[Tile] = (), side_mm: float = 150.0
) -> list[dict[str, Any]]:
    """What speaks against a start at a table with sensors: [{"code", n or tile}], none where all is well."""
    reasons: list[dict[str, Any]] = []
    if health is not None and health.late_s:
        reasons.append({"code": "sensors_late", "n": health.late_s})
    elif health is None or health.state != "ok":
        reasons.append({"code": "sensors_not_ready"})
    if picture is not None and picture.stones:
        reasons.append({"code": "stones_on_board", "n": len(picture.stones)})
    fault = layout.fault(tuple(tiles), side_mm, SLACK_MM) if len(tiles) == layout.TILES else None
    if fault is not None:
        reasons.append({"code": "tiles_illegal", "tile": fault.tile})
    return reasons
