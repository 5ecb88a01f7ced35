"""Exact numbers of a kite-and-dart tiling, by tenth roots of unity and the golden ratio.

A point is an integer combination of 1, z, z2, z3 with z = exp(i 36 degrees); z satisfies z4 = z3 - z2 + z -
1, so these four carry the whole ring, phi = z + 1/z = 1 + z2 - z3 included. Everything a tiling decides
(equal corners, inside or outside, areas) is then a comparison of integers; floats appear only in `Point.xy`,
for drawing.
"""

from dataclasses import dataclass
from math import cos, pi, sin

_DIRECTION = tuple((cos(pi / 10 + k * pi / 5), sin(pi / 10 + k * pi / 5)) for k in range(10))


@dataclass(frozen=True, slots=True)
class Golden:
    """The number whole + phi * part, compared exactly."""

    whole: int
    part: int

    def __add__(self, other: "Golden") -> "Golden":
        return Golden(self.whole + other.whole, self.part + other.part)

    def __neg__(self) -> "Golden":
        return Golden(-self.whole, -self.part)

    def sign(self) -> int:
        """-1, 0 or 1. The number is (u + v sqrt 5) / 2 with u = 2 whole + part, v = part."""
        u, v = 2 * self.whole + self.part, self.part
        if u >= 0 and v >= 0:
            return int(u > 0 or v > 0)
        if u <= 0 and v <= 0:
            return -1
        larger = u * u > 5 * v * v  # equality is impossible, sqrt 5 being irrational
        return 1 if larger == (u > 0) else -1


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """a + b z + c z2 + d z3.

    The order is that of the integers: good for sorting, without geometric meaning.
    """

    a: int = 0
    b: int = 0
    c: int = 0
    d: int = 0

    def __add__(self, other: "Point") -> "Point":
        return Point(self.a + other.a, self.b + other.b, self.c + other.c, self.d + other.d)

    def __sub__(self, other: "Point") -> "Point":
        return Point(self.a - other.a, self.b - other.b, self.c - other.c, self.d - other.d)

    def turned(self, tenths: int = 1) -> "Point":
        """Rotated about the origin by 36 degrees times `tenths`, counter-clockwise."""
        a, b, c, d = self.a, self.b, self.c, self.d
        for _ in range(tenths % 10):
            a, b, c, d = -d, a + d, b - d, c + d
        return Point(a, b, c, d)

    def mirrored(self) -> "Point":
        """Reflected in the axis through 1: z becomes 1 - z + z2 - z3, z2 becomes -z3, z3 becomes -z2."""
        return Point(self.a + self.b, -self.b, self.b - self.d, -self.b - self.c)

    def inflated(self) -> "Point":
        """Times phi, by phi = z + 1/z."""
        return self.turned(1) + self.turned(9)

    def cross(self, other: "Point") -> Golden:
        """Cross product in units of sin 36 degrees: positive where `other` lies to the left."""
        p, q = (self.a, self.b, self.c, self.d), (other.a, other.b, other.c, other.d)
        by_angle = [0] * 4  # the coefficient of sin (36 k), from z**j / z**i
        for i, left in enumerate(p):
            for j, right in enumerate(q):
                by_angle[abs(j - i)] += left * right if j > i else -left * right
        return Golden(by_angle[1], by_angle[2] + by_angle[3])  # sin 72 = sin 108 = phi sin 36; sin 0 = 0

    def dot_twice(self, other: "Point") -> Golden:
        """Twice the scalar product."""
        p, q = (self.a, self.b, self.c, self.d), (other.a, other.b, other.c, other.d)
        by_angle = [0] * 4
        for i, left in enumerate(p):
            for j, right in enumerate(q):
                by_angle[abs(j - i)] += left * right
        # 2 cos 0 = 2, 2 cos 36 = phi, 2 cos 72 = phi - 1, 2 cos 108 = 1 - phi
        bend = by_angle[2] - by_angle[3]
        return Golden(2 * by_angle[0] - bend, by_angle[1] + bend)

    def xy(self) -> tuple[float, float]:
        """For drawing: x right, y up, the plane turned by 18 degrees so that a corner is on top."""
        parts = (self.a, self.b, self.c, self.d)
        return (
            sum(n * _DIRECTION[k][0] for k, n in enumerate(parts)),
            sum(n * _DIRECTION[k][1] for k, n in enumerate(parts)),
        )


ORIGIN = Point()
UNIT = Point(1)


def doubled_area(corners: tuple[Point, ...]) -> Golden:
    """Twice the area of a polygon in units of sin 36 degrees; negative where it runs clockwise."""
    total = Golden(0, 0)
    for here, following in zip(corners, corners[1:] + corners[:1], strict=True):
        total = total + here.cross(following)
    return total
