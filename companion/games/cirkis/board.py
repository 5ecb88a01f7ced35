"""The CirKis board: 165 spaces, their neighbours, and the shapes that score."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TypeVar

from companion.games.cirkis.golden import ORIGIN, Point
from companion.games.cirkis.tiling import BY_ANGLE, Kind, Tile, cut_tiling

_Part = TypeVar("_Part", Point, frozenset[Point])

RING = "ring"
CENTRE_STAR = "star-0"


@dataclass(frozen=True, slots=True)
class Space:
    """One space. number: its index; circle, star: number of the shape it is a segment of, or None.

    edge: spaces that share a side; touch: that share a side or a point (both sorted, without itself).
    """

    number: int
    tile: Tile
    circle: int | None
    star: int | None
    ring: bool
    edge: tuple[int, ...]
    touch: tuple[int, ...]

    @property
    def kind(self) -> Kind:
        return self.tile.kind

    def polygon(self) -> tuple[tuple[float, float], ...]:
        """Corners for drawing; unit: a tile's long edge, origin in the middle, x right, y up.

        The board's outline is a decagon of circumradius 5.236 with a corner on top.
        """
        return tuple(corner.xy() for corner in self.tile.corners)


@dataclass(frozen=True, slots=True)
class Shape:
    """Something that scores when full.

    id: "circle-0".."circle-9", "star-0" (the central one).."star-5", "ring".
    """

    id: str
    spaces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """All spaces by number and all shapes: circles, stars, the ring (which scores only by C16).

    shapes_at: for each space the places, in `shapes`, of those it is a segment of.
    """

    spaces: tuple[Space, ...]
    shapes: tuple[Shape, ...]
    shapes_at: tuple[tuple[int, ...], ...]

    def shape(self, shape_id: str) -> Shape | None:
        return next((shape for shape in self.shapes if shape.id == shape_id), None)

    def shapes_of(self, spaces: Iterable[int]) -> tuple[Shape, ...]:
        """The shapes that have a segment among the spaces, in the board's order."""
        return tuple(self.shapes[i] for i in sorted({i for space in spaces for i in self.shapes_at[space]}))

    def centre(self) -> frozenset[int]:
        """The central star and the ring round it: where the first piece lies (C03)."""
        return frozenset(s.number for s in self.spaces if s.ring or s.star == 0)

    def touching(self, spaces: Iterable[int]) -> frozenset[int]:
        """The spaces, outside the given ones, that share a side or a point with one of them (C05, C32)."""
        inside = set(spaces)
        return frozenset(n for s in inside for n in self.spaces[s].touch) - inside

    def adjoining(self, spaces: Iterable[int]) -> frozenset[int]:
        """The spaces, outside the given ones, that share a side with one of them (C04)."""
        inside = set(spaces)
        return frozenset(n for s in inside for n in self.spaces[s].edge) - inside

    def joined(self, spaces: Iterable[int]) -> bool:
        """Whether the spaces hang together by sides (C04)."""
        rest = set(spaces)
        reached = {rest.pop()} if rest else set()
        while step := self.adjoining(reached) & rest:
            reached |= step
            rest -= step
        return not rest


@cache
def board() -> Board:
    """The board, built once.

    Numbers follow the order of the deflation; shapes go from the middle out, then round.
    """
    tiles = cut_tiling()
    circles = _rosettes(tiles, Kind.KITE)
    stars = _rosettes(tiles, Kind.DART)
    edge = _neighbours([tile.sides() for tile in tiles])
    touch = _neighbours([list(tile.corners) for tile in tiles])
    ring = {n for dart in stars[0] for n in edge[dart] if tiles[n].kind is Kind.KITE}
    circle_of = {n: i for i, circle in enumerate(circles) for n in circle}
    star_of = {n: i for i, star in enumerate(stars) for n in star}
    spaces = tuple(
        Space(
            n,
            tile,
            circle_of.get(n),
            star_of.get(n),
            n in ring,
            tuple(sorted(edge[n])),
            tuple(sorted(touch[n])),
        )
        for n, tile in enumerate(tiles)
    )
    shapes = [Shape(f"circle-{i}", circle) for i, circle in enumerate(circles)]
    shapes += [Shape(f"star-{i}", star) for i, star in enumerate(stars)]
    shapes.append(Shape(RING, tuple(sorted(ring))))
    shapes_at = tuple(tuple(i for i, shape in enumerate(shapes) if n in shape.spaces) for n in range(len(tiles)))
    return Board(spaces, tuple(shapes), shapes_at)


def _rosettes(tiles: list[Tile], kind: Kind) -> list[tuple[int, ...]]:
    """Five kites round a common tip are a circle, five darts a star. From the middle out, then by angle."""
    by_tip: dict[Point, list[int]] = defaultdict(list)
    for n, tile in enumerate(tiles):
        if tile.kind is kind:
            by_tip[tile.corners[0]].append(n)
    whole = {tip: tuple(around) for tip, around in by_tip.items() if len(around) == 5}
    return [whole[tip] for tip in sorted(whole, key=lambda tip: (_further_in(tip, whole), _turn(tip)))]


def _further_in(tip: Point, tips: Iterable[Point]) -> int:
    """How many of the tips are nearer the middle."""
    return sum((other.dot_twice(other) + -tip.dot_twice(tip)).sign() < 0 for other in tips)


def _turn(tip: Point) -> int:
    """Which of the ten directions the tip lies in, from -162 degrees on.

    All rosettes lie on the board's axes.
    """
    return next(
        (
            k
            for k, corner in enumerate(BY_ANGLE)
            if tip != ORIGIN and corner.cross(tip).sign() == 0 and corner.dot_twice(tip).sign() > 0
        ),
        0,
    )


def _neighbours(parts: list[list[_Part]]) -> list[set[int]]:
    """For each tile the others that have a part (a side, a corner) in common with it."""
    owners: dict[_Part, list[int]] = defaultdict(list)
    for n, own in enumerate(parts):
        for part in own:
            owners[part].append(n)
    neighbours: list[set[int]] = [set() for _ in parts]
    for sharing in owners.values():
        for one, other in combinations(sharing, 2):
            neighbours[one].add(other)
            neighbours[other].add(one)
    return neighbours
