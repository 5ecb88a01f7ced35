"""The geometry of the CirKis board, on its own."""

import json
from collections import Counter
from math import cos, isclose, pi, sin
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.cirkis.board import board
from companion.games.cirkis.golden import UNIT, Golden, Point, doubled_area
from companion.games.cirkis.pieces import coverable
from companion.games.cirkis.tiling import CORNERS, Kind, cut_tiling, on_outline, star_tiling

DATA = json.loads((Path(__file__).parents[2] / "data" / "cirkis_spaces.json").read_text())
PHI = (1 + 5**0.5) / 2

numbers = st.integers(-50, 50)
points = st.builds(Point, numbers, numbers, numbers, numbers)


def plain(point: Point) -> complex:
    return complex(*point.xy())


def value(number: Golden) -> float:
    return number.whole + PHI * number.part


@given(points, points)
def test_exact_products_agree_with_floats(p: Point, q: Point) -> None:
    product = plain(p).conjugate() * plain(q)
    assert isclose(value(p.cross(q)) * sin(pi / 5), product.imag, abs_tol=1e-6)
    assert isclose(value(p.dot_twice(q)) / 2, product.real, abs_tol=1e-6)


@given(points, st.integers(-12, 12))
def test_turning_mirroring_and_inflating_agree_with_floats(p: Point, tenths: int) -> None:
    turn = complex(cos(tenths * pi / 5), sin(tenths * pi / 5))
    axis = complex(cos(pi / 10), sin(pi / 10))  # drawings are turned by 18 degrees
    assert abs(plain(p.turned(tenths)) - plain(p) * turn) < 1e-6
    assert abs(plain(p.inflated()) - plain(p) * PHI) < 1e-6
    assert abs(plain(p.mirrored()) / axis - (plain(p) / axis).conjugate()) < 1e-6


@given(st.integers(-(10**12), 10**12))
def test_the_sign_is_exact_where_floats_give_up(n: int) -> None:
    # neighbours in the Fibonacci sequence are so near phi that only integers tell on which side they are
    small, large = 0, 1
    for k in range(1, 60):
        small, large = large, small + large
        assert Golden(-large, small).sign() == (-1 if k % 2 == 0 else 1)
    assert Golden(n, 0).sign() == (n > 0) - (n < 0)


@pytest.mark.rule("C04")
def test_the_board_equals_the_data() -> None:
    spaces = board().spaces
    assert len(spaces) == len(DATA) == 165
    for space, known in zip(spaces, DATA, strict=True):
        assert known["id"] == space.number
        assert known["kind"] == space.kind
        assert (known["circle"], known["star"], known["ring"]) == (space.circle, space.star, space.ring)
        assert known["edge"] == list(space.edge)
        assert known["touch"] == list(space.touch)
        drawn = [coordinate for corner in space.polygon() for coordinate in corner]
        assert drawn == pytest.approx([coordinate for corner in known["poly"] for coordinate in corner], abs=1e-6)


def test_the_counts() -> None:
    spaces = board().spaces
    assert Counter(space.kind for space in spaces) == {Kind.KITE: 90, Kind.DART: 65, Kind.SLIVER: 10}
    assert Counter(shape.id.split("-")[0] for shape in board().shapes) == {"circle": 10, "star": 6, "ring": 1}
    assert all(len(shape.spaces) == (10 if shape.id == "ring" else 5) for shape in board().shapes)
    assert len(board().centre()) == 15
    assert all(space.circle is None or space.star is None for space in spaces)


def test_exact_cover() -> None:
    """No two tiles can overlap where all areas, each positive, sum to that of the outline they lie in."""
    total = Golden(0, 0)
    for tile in cut_tiling():
        area = doubled_area(tile.corners)
        assert area.sign() != 0
        total = total + (area if area.sign() > 0 else -area)
    assert total == doubled_area(CORNERS)


def test_edge_to_edge() -> None:
    tiles = cut_tiling()
    sides = Counter(side for tile in tiles for side in tile.sides())
    for side, n in sides.items():
        assert n == (1 if on_outline(side) else 2)
    corners = {corner for tile in tiles for corner in tile.corners}
    for side in sides:
        one, other = side
        for corner in corners - side:  # no corner lies within a side
            within = (one - corner).cross(other - corner).sign() == 0 and (
                (one - corner).dot_twice(other - corner).sign() < 0
            )
            assert not within


@pytest.mark.parametrize("tenths", [2, 4, 6, 8])
def test_five_fold_symmetry(tenths: int) -> None:
    tiles = {(tile.kind, frozenset(tile.corners)) for tile in cut_tiling()}
    assert {(kind, frozenset(c.turned(tenths) for c in corners)) for kind, corners in tiles} == tiles
    assert {(kind, frozenset(c.turned(1) for c in corners)) for kind, corners in tiles} != tiles
    assert {(kind, frozenset(c.mirrored() for c in corners)) for kind, corners in tiles} == tiles


def test_the_tiles_are_kites_and_darts() -> None:
    long, short = Golden(2, 0), UNIT.turned(4).inflated() - UNIT.turned(4)  # |short| = phi - 1
    for tile in star_tiling():
        lengths = [
            (b - a).dot_twice(b - a) for a, b in zip(tile.corners, tile.corners[1:] + tile.corners[:1], strict=True)
        ]
        assert Counter(lengths) == {long: 2, short.dot_twice(short): 2}
        assert lengths[0] == lengths[3] == long  # the tip lies between the long sides


def test_an_odd_number_of_deflations_gives_a_star_in_the_middle() -> None:
    for steps, kind in ((1, Kind.DART), (2, Kind.KITE), (3, Kind.DART)):
        middle = [tile for tile in star_tiling(steps) if tile.corners[0] == Point()]
        assert [tile.kind for tile in middle] == [kind] * 5


def test_neighbours_go_both_ways_and_sides_are_points_too() -> None:
    spaces = board().spaces
    for space in spaces:
        assert set(space.edge) <= set(space.touch)
        assert space.number not in space.touch
        assert all(space.number in spaces[n].touch for n in space.touch)
        assert all(space.number in spaces[n].edge for n in space.edge)


def test_the_ring_goes_round_the_central_star() -> None:
    ring = board().shape("ring")
    star = board().shape("star-0")
    assert ring is not None
    assert star is not None
    assert board().joined(ring.spaces)
    assert board().adjoining(star.spaces) == set(ring.spaces)
    assert all(len(board().adjoining([n]) & set(ring.spaces)) == 2 for n in ring.spaces)


@pytest.mark.rule("C32")
def test_the_two_slivers_beside_a_star_touch_at_a_point() -> None:
    for star in range(1, 6):
        shape = board().shape(f"star-{star}")
        assert shape is not None
        slivers = [n for n in board().adjoining(shape.spaces) if board().spaces[n].kind is Kind.SLIVER]
        assert len(slivers) == 2
        one, other = slivers
        assert other in board().spaces[one].touch
        assert other not in board().spaces[one].edge


@pytest.mark.rule("C28")
def test_no_piece_lies_in_more_than_two_shapes() -> None:
    assert max(len(board().shapes_of(spaces)) for spaces in coverable()) == 2
