"""The tiling under the board: kites and darts deflated from a star of five darts, cut by a regular decagon.

Robinson's half tiles (Gruenbaum and Shephard, Tilings and Patterns, 10.3). Each step cuts the halves and
enlarges the whole by phi, so that all corners stay integer points. What the decagon leaves open at its edge
are the slivers.
"""

from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum

from companion.games.cirkis.golden import ORIGIN, UNIT, Point

STEPS = 5  # five deflations of a sun: a star again in the middle, and more than the decagon needs
RADIUS = UNIT.inflated().inflated() + UNIT.inflated().inflated()  # of the decagon: 2 phi squared long edges
CORNERS = tuple(RADIUS.turned(k) for k in range(10))
BY_ANGLE = CORNERS[5:] + CORNERS[:5]  # from -162 to 162 degrees as drawn: so shapes are numbered


class Kind(StrEnum):
    """What a space is by its outline."""

    KITE = "kite"
    DART = "dart"
    SLIVER = "sliver"


@dataclass(frozen=True, slots=True)
class Tile:
    """An outline of four corners.

    The first is the 72 degree tip of a kite or dart, or a sliver's corner of the board.
    """

    kind: Kind
    corners: tuple[Point, ...]

    def sides(self) -> list[frozenset[Point]]:
        return [frozenset(pair) for pair in zip(self.corners, self.corners[1:] + self.corners[:1], strict=True)]


@dataclass(frozen=True, slots=True)
class _Half:
    """Half a tile, cut along its axis b-c; a is the wing. A kite's tip is b, a dart's is c."""

    kind: Kind
    a: Point
    b: Point
    c: Point

    def deflated(self) -> tuple["_Half", ...]:
        """The halves it is cut into, phi times as large."""
        a, b, c = self.a.inflated(), self.b.inflated(), self.c.inflated()
        if self.kind is Kind.KITE:
            q, s = a + self.b - self.a, b + self.c - self.b
            return _Half(Kind.DART, s, q, b), _Half(Kind.KITE, q, a, s), _Half(Kind.KITE, c, a, s)
        p = c + self.a - self.c
        return _Half(Kind.DART, b, p, a), _Half(Kind.KITE, p, c, b)


def star_tiling(steps: int = STEPS) -> list[Tile]:
    """All whole tiles of a five-kite sun deflated `steps` times, long edge = UNIT.

    An odd number gives a star.
    """
    halves = []
    for k in range(10):
        near, far = UNIT.turned(k - 1), UNIT.turned(k)
        a, c = (far, near) if k % 2 == 0 else (near, far)
        halves.append(_Half(Kind.KITE, a, ORIGIN, c))
    for _ in range(steps):
        halves = [part for half in halves for part in half.deflated()]
    partners: dict[tuple[Kind, Point, Point], list[Point]] = defaultdict(list)
    for half in halves:
        partners[half.kind, half.b, half.c].append(half.a)
    tiles = []
    for (kind, b, c), wings in partners.items():
        if len(wings) == 2:  # a half alone lies at the rim of the patch
            tip, far_end = (b, c) if kind is Kind.KITE else (c, b)
            tiles.append(Tile(kind, (tip, wings[0], far_end, wings[1])))
    return tiles


def in_decagon(point: Point) -> bool:
    """Inside or on the outline."""
    return all(
        (after - corner).cross(point - corner).sign() >= 0
        for corner, after in zip(CORNERS, CORNERS[1:] + CORNERS[:1], strict=True)
    )


def on_outline(side: frozenset[Point]) -> bool:
    """Whether both ends lie on one side of the decagon."""
    return any(
        all((after - corner).cross(end - corner).sign() == 0 for end in side)
        for corner, after in zip(CORNERS, CORNERS[1:] + CORNERS[:1], strict=True)
    )


def cut_tiling() -> list[Tile]:
    """The kites and darts that lie inside the decagon whole, then the slivers at its outline."""
    tiles = [tile for tile in star_tiling() if all(in_decagon(corner) for corner in tile.corners)]
    return tiles + _slivers(tiles)


def _slivers(tiles: list[Tile]) -> list[Tile]:
    """What is left open: chains of free sides from outline to outline, each closed along the outline."""
    count: dict[frozenset[Point], int] = defaultdict(int)
    for tile in tiles:
        for side in tile.sides():
            count[side] += 1
    free: dict[Point, list[Point]] = defaultdict(list)
    for side, n in count.items():
        if n == 1 and not on_outline(side):
            one, other = side
            free[one].append(other)
            free[other].append(one)
    slivers = []
    for start in BY_ANGLE:
        for second in sorted(free[start], key=lambda p: start.cross(p).sign(), reverse=True):
            chain = [start, second]
            while not on_outline(frozenset(chain[-1:])):
                chain.append(next(p for p in free[chain[-1]] if p != chain[-2]))
            slivers.append(Tile(Kind.SLIVER, tuple(chain)))
    return slivers
