"""Y05: which arrangements of the triangles are legal."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.yikerz.layout import Fault, Tile, corners, fault, presets, tiles_of

SIDE = 150.0


@pytest.mark.rule("Y05")
@pytest.mark.parametrize("name", ["novice", "intermediate", "advanced"])
@settings(max_examples=25)
@given(st.floats(0, 360), st.floats(-500, 500))
def test_presets_are_legal_however_the_whole_lies(name: str, turn: float, shift: float) -> None:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    tiles = [Tile(c * t.x - s * t.y + shift, s * t.x + c * t.y, t.rot + turn) for t in presets(SIDE)[name]]
    assert fault(tiles, SIDE, 0.01) is None


@pytest.mark.rule("Y05")
def test_the_tile_at_fault_is_named() -> None:
    row = [Tile(0, 0), Tile(150, 0), Tile(300, 0), Tile(450, 0)]
    assert fault(row, SIDE, 1.0) is None
    assert fault([*row[:3], Tile(455, 0)], SIDE, 1.0) == Fault("layout_apart", 3)
    assert fault([*row[:3], Tile(440, 0)], SIDE, 1.0) == Fault("layout_overlaps", 3)
    assert fault([*row[:3], row[0]], SIDE, 1.0) == Fault("layout_overlaps", 3)


def test_corners_are_those_of_the_tile_frame() -> None:
    first, second, third = corners(Tile(10, 20, 90), SIDE)
    assert first == pytest.approx((10 - SIDE / math.sqrt(3), 20))
    assert math.dist(first, second) == pytest.approx(SIDE)
    assert math.dist(second, third) == pytest.approx(SIDE)


@pytest.mark.parametrize("values", [None, [1], [[0, 0]] * 4, [[0, 0, "x"]] * 4, [[0, 0, float("nan")]] * 4])
def test_tiles_that_are_none(values: object) -> None:
    with pytest.raises(ValueError, match="tile"):
        tiles_of(values)
