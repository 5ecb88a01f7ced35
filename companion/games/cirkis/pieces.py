"""The set of pieces (C20), as data that a family can correct, and where each piece could lie.

A shape of piece is shown by example: the spaces that it covers in one place. It then fits wherever the tiling
has the same outline, turned and, where `flips`, turned over; decided exactly, by the tiles' places and
directions.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from companion.games.cirkis.board import Board, board
from companion.games.cirkis.golden import UNIT, Point
from companion.games.cirkis.tiling import Kind

SET_SIZE = 20
MOST_SPACES = 3

_Laid: TypeAlias = tuple[str, Point, int]
_Form: TypeAlias = tuple[_Laid, ...]


@dataclass(frozen=True, slots=True)
class PieceShape:
    """One shape of piece. count: how many each player has; example: spaces it covers in one place."""

    name: str
    count: int
    example: tuple[int, ...]
    flips: bool = True


ASSUMED_SET: tuple[PieceShape, ...] = (
    PieceShape("big_slice", 2, (1, 4, 10)),
    PieceShape("small_slice", 3, (1, 4)),
    PieceShape("wedge", 4, (1,)),
    PieceShape("kite", 2, (0, 1, 4)),
    PieceShape("arrow", 3, (0,)),
    PieceShape("hook", 2, (0, 1)),
    PieceShape("triangle", 1, (0, 3)),
    PieceShape("sliver", 2, (155,)),
    PieceShape("ninth", 1, (2, 15)),
)
"""C20, assumed: names are from reviews, the ninth has none.

Which outline bears the names hook, triangle and ninth, how many there are of each, and whether a piece may be
turned over are guesses.
"""


def read_set(value: Any) -> tuple[PieceShape, ...]:
    """A set of pieces from a list of {"name", "count", "example", "flips"} objects.

    Raises ValueError saying what is wrong: malformed, not 20 pieces in all, an example that no piece can
    cover, or two names for one shape.
    """
    if not isinstance(value, list | tuple):
        raise ValueError("the set of pieces is not a list")
    shapes = tuple(_read_shape(item) for item in value)
    if sum(shape.count for shape in shapes) != SET_SIZE:
        raise ValueError(f"the set has {sum(shape.count for shape in shapes)} pieces, not {SET_SIZE}")
    if len({shape.name for shape in shapes}) != len(shapes):
        raise ValueError("two pieces of the set have one name")
    if len({form(shape.example) for shape in shapes}) != len(shapes):
        raise ValueError("two names of the set stand for one shape")
    return shapes


def _read_shape(item: Any) -> PieceShape:
    if not isinstance(item, Mapping) or not item.keys() <= {"name", "count", "example", "flips"}:
        raise ValueError("a piece of the set needs name, count and example")
    name, count, example = item.get("name"), item.get("count"), item.get("example")
    if not isinstance(name, str) or not name:
        raise ValueError("a piece of the set has no name")
    if type(count) is not int or not 0 < count <= SET_SIZE:
        raise ValueError(f"piece {name!r}: count is not a number from 1 to {SET_SIZE}")
    known = len(board().spaces)
    if not isinstance(example, list | tuple) or any(type(s) is not int or not 0 <= s < known for s in example):
        raise ValueError(f"piece {name!r}: the example is not a list of spaces")
    spaces = tuple(sorted(set(example)))
    if spaces not in coverable():
        raise ValueError(f"piece {name!r}: no piece can cover the spaces of its example (C04)")
    flips = item.get("flips", True)
    if not isinstance(flips, bool):
        raise ValueError(f"piece {name!r}: flips is not true or false")
    return PieceShape(name, count, spaces, flips)


def set_to_json(shapes: tuple[PieceShape, ...]) -> list[dict[str, Any]]:
    return [
        {"name": shape.name, "count": shape.count, "example": list(shape.example), "flips": shape.flips}
        for shape in shapes
    ]


def outline_faults(grid: Board, spaces: Iterable[int]) -> tuple[str, ...]:
    """Why no piece covers these spaces (C04), as codes; empty where one might."""
    covered = sorted(set(spaces))
    faults = []
    if len(covered) > MOST_SPACES:
        faults.append("too_many_spaces")
    if not grid.joined(covered):
        faults.append("not_adjoining")
    if len(covered) > 1 and any(grid.spaces[s].kind is Kind.SLIVER for s in covered):
        faults.append("sliver_alone")
    stars = [grid.spaces[s].star for s in covered if grid.spaces[s].star is not None]
    if any(stars.count(star) >= 3 for star in stars):
        faults.append("three_of_star")
    return tuple(faults)


@cache
def coverable() -> frozenset[tuple[int, ...]]:
    """Every set of spaces (sorted) that a piece might cover by C04, whatever the set."""
    grid = board()
    layer: set[tuple[int, ...]] = {(space.number,) for space in grid.spaces}
    found = set(layer)
    for _ in range(MOST_SPACES - 1):
        layer = {tuple(sorted({*spaces, n})) for spaces in layer for n in grid.adjoining(spaces)}
        found |= layer
    return frozenset(spaces for spaces in found if not outline_faults(grid, spaces))


def form(spaces: Iterable[int], mirrored: bool = False) -> _Form:
    """The same value for the same outline wherever it lies and however it is turned.

    Each tile in turn is brought to the origin, its axis to direction 0; the least description is the form.
    mirrored: of the outline turned over.
    """
    poses = _poses()
    laid = [poses[s] for s in spaces]
    if mirrored:
        laid = [(kind, tip.mirrored(), -axis % 10) for kind, tip, axis in laid]
    return min(
        tuple(sorted((kind, (tip - origin).turned(-turn), (axis - turn) % 10) for kind, tip, axis in laid))
        for _, origin, turn in laid
    )


@cache
def _poses() -> tuple[_Laid, ...]:
    """Kind, first corner and direction of the axis (tenths of a turn) of every space.

    A sliver's axis is its long side on the board's edge: the two mirrored slivers of a star are then alike,
    and a sliver fits at either side.
    """
    poses = []
    for space in board().spaces:
        tip, _, opposite, last = space.tile.corners
        axis = (last if space.kind is Kind.SLIVER else opposite) - tip
        turn = next(
            k for k in range(10) if UNIT.turned(k).cross(axis).sign() == 0 and UNIT.turned(k).dot_twice(axis).sign() > 0
        )
        poses.append((space.kind.value, tip, turn))
    return tuple(poses)


@cache
def _forms() -> tuple[tuple[tuple[int, ...], _Form], ...]:
    """All that a piece might cover, with its form."""
    return tuple((spaces, form(spaces)) for spaces in sorted(coverable()))


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Where the pieces of a set can lie.

    shape_at: sorted spaces -> the shape that covers exactly them; at: for each space, all such places it is
    in.
    """

    shapes: tuple[PieceShape, ...]
    shape_at: Mapping[tuple[int, ...], PieceShape]
    at: tuple[tuple[tuple[int, ...], ...], ...]

    def shape(self, spaces: Iterable[int]) -> PieceShape | None:
        return self.shape_at.get(tuple(sorted(spaces)))


@cache
def catalogue(shapes: tuple[PieceShape, ...]) -> Catalogue:
    """All places of all pieces of the set on the board."""
    by_form: dict[_Form, PieceShape] = {}
    for shape in shapes:
        by_form[form(shape.example)] = shape
        if shape.flips:
            by_form[form(shape.example, mirrored=True)] = shape
    shape_at = {spaces: by_form[outline] for spaces, outline in _forms() if outline in by_form}
    at: list[list[tuple[int, ...]]] = [[] for _ in board().spaces]
    for spaces in shape_at:
        for space in spaces:
            at[space].append(spaces)
    return Catalogue(shapes, shape_at, tuple(tuple(places) for places in at))
