"""Tiles that lie in each other are refused; tiles that touch, or were bumped by some mm, are not."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from companion.sensing.sensors.layout import TableLayout
from hardware.geometry import LAYOUTS, layout, table

RECORDED = Path(__file__).parents[1] / "data" / "recordings" / "nominal-snap2-a" / "table.json"


@pytest.fixture
def recorded() -> Any:
    return json.loads(RECORDED.read_text(encoding="utf-8"))


def test_two_tiles_in_one_place_are_refused_by_number(recorded: Any) -> None:
    recorded["tiles"][2].update({key: recorded["tiles"][0][key] for key in ("x", "y", "rot")})
    with pytest.raises(ValueError, match=r"tiles\[0\] and tiles\[2\] lie in the same place"):
        TableLayout.from_json(recorded)


@pytest.mark.parametrize(("share", "refused"), [(-0.05, False), (0.05, False), (0.4, True), (1.0, True)])
def test_a_bump_is_allowed_and_half_a_tile_is_not(recorded: Any, share: float, refused: bool) -> None:
    """share: of the way from one tile's middle to its neighbour's, 87 mm."""
    moved = copy.deepcopy(recorded)
    one = recorded["tiles"][0]
    beside = min(recorded["tiles"][1:], key=lambda t: (t["x"] - one["x"]) ** 2 + (t["y"] - one["y"]) ** 2)
    for key in ("x", "y"):
        moved["tiles"][0][key] += share * (beside[key] - one[key])
    if refused:
        with pytest.raises(ValueError, match="same place"):
            TableLayout.from_json(moved)
    else:
        TableLayout.from_json(moved)


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_picture_may_be_laid(name: str) -> None:
    TableLayout.from_json(table(layout(name), "any"))
