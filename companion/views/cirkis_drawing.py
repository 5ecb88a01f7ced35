"""The CirKis board as pages draw it: it never changes, so a phone fetches it once."""

from functools import cache
from typing import Any

from companion.games.cirkis.board import board
from companion.games.cirkis.golden import Point
from companion.games.cirkis.tiling import CORNERS, Kind

UNIT = 100
"""Drawn units of a tile's long edge; the board's corners lie 524 from the middle. x right, y down."""


@cache
def drawing() -> dict[str, Any]:
    """{points: [x, y, x, y, ...], outline: [x, y, ...], spaces: [[4 points]], kinds, shapes}.

    Points are given by number, so that spaces that share a point or a side are known by it; the first is a kite's or
    dart's tip. kinds: a letter for each space, k(ite), d(art) or s(liver). shapes: id -> spaces.
    """
    numbers: dict[Point, int] = {}
    for space in board().spaces:
        for corner in space.tile.corners:
            numbers.setdefault(corner, len(numbers))
    letters = {Kind.KITE: "k", Kind.DART: "d", Kind.SLIVER: "s"}
    return {
        "points": [n for corner in numbers for n in _drawn(corner.xy())],
        "outline": [n for corner in CORNERS for n in _drawn(corner.xy())],
        "spaces": [[numbers[corner] for corner in space.tile.corners] for space in board().spaces],
        "kinds": "".join(letters[space.kind] for space in board().spaces),
        "shapes": {shape.id: list(shape.spaces) for shape in board().shapes},
    }


def _drawn(point: tuple[float, float]) -> tuple[int, int]:
    return round(point[0] * UNIT), -round(point[1] * UNIT)
