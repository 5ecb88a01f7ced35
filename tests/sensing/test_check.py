"""The guided check of a new box: one stone on each tile tells exchanged cables and wires, turned and missing tiles,
sensors upside down; and nothing of a table that is as it should be."""

from itertools import permutations

import numpy as np
import pytest

from companion.sensing.fields.magnets import DEFAULT_SHAPE, magnet
from companion.sensing.guided.check import CheckStep
from companion.sensing.guided.spots import INSIDE_MM, Spot, in_tile, spots, turned
from companion.sensing.guided.step import RefusedError, Stage
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.sensors.wiring import Crossed, crossed
from companion.sensing.tracks.cable_look import sensors
from tests.sensing.tables import TILES, table_json
from tests.sensing.wired import Wired, flat

LAYOUT = TableLayout.from_json(table_json())
ROW = [("A", -112.5, -21.65, 0.0), ("B", -37.5, 21.65, 180.0), ("C", 37.5, -21.65, 0.0), ("D", 112.5, 21.65, 180.0)]
HARD = {"noise": 0.8, "spread": 0.08}


def tilted(name: str, by: float) -> TableLayout:
    """The same picture with one tile turned by so many degrees."""
    return TableLayout.from_json(table_json([(n, x, y, rot + by * (n == name)) for n, x, y, rot in TILES]))


@pytest.mark.parametrize("tiles", [TILES, ROW], ids=["triangle", "row"])
@pytest.mark.parametrize("how", [{}, HARD], ids=["nominal", "hard"])
@pytest.mark.parametrize("seed", [1, 2])
def test_of_a_table_that_is_as_it_should_be_nothing_is_told(
    tiles: list[tuple[str, float, float, float]], how: dict[str, float], seed: int
) -> None:
    board = Wired(TableLayout.from_json(table_json(tiles)), seed=seed, **how)
    assert board.all_spots() == []
    assert (board.step.stage, board.step.shown()["done"]) == (Stage.ENOUGH, 7)


def test_exchanged_cables_are_told_though_sensing_has_them_wrong_and_rules_no_more() -> None:
    order = (0, 2, 1, 3)
    board = Wired(LAYOUT, source=sensors(LAYOUT, order), whole=True)
    assert board.all_spots() == [{"code": "answers", "a": "B", "b": "C"}, {"code": "answers", "a": "C", "b": "B"}]


@pytest.mark.parametrize("order", [p for p in permutations(range(4)) if p != (0, 1, 2, 3)], ids=str)
def test_every_order_of_the_plugs_is_told_on_a_hard_table(order: tuple[int, ...]) -> None:
    board = Wired(LAYOUT, source=sensors(LAYOUT, order), **HARD)  # type: ignore[arg-type]
    # what comes in the place of tile k is of tile order[k]: a stone on tile order[k] is seen by k
    wrong = [
        {"code": "answers", "a": "ABCD"[told], "b": "ABCD"[seen]}
        for told in range(4)
        if (seen := order.index(told)) != told
    ]
    assert board.all_spots() == wrong


@pytest.mark.parametrize(("by", "back"), [(120.0, "turn_right"), (240.0, "turn_left")])
def test_a_tile_that_lies_turned_by_a_third_is_told_and_which_way_back(by: float, back: str) -> None:
    assert Wired(LAYOUT, lies=tilted("C", by)).all_spots() == [{"code": back, "a": "C"}]


def pairs_of(tile: int, code: str, beyond: bool) -> list[Crossed]:
    """Wires of one tile, exchanged with each other or with another tile's."""
    return [p for p in crossed(LAYOUT, tile) if p.code == code and (p.one[0] != p.other[0]) == beyond]


@pytest.mark.parametrize(
    "pair", [*pairs_of(0, "wires", False), *pairs_of(3, "lines", False)], ids=lambda p: p.one + p.other
)
def test_any_two_exchanged_wires_of_a_tile_are_told_by_their_names(pair: Crossed) -> None:
    tile = pair.one[0] if pair.code == "wires" else "D"
    found = Wired(LAYOUT, source=pair.source).all_spots()
    assert found == [{"code": pair.code, "a": pair.one, "b": pair.other, "tile": tile}]


@pytest.mark.parametrize("pair", pairs_of(1, "wires", True)[::5], ids=lambda p: p.one + p.other)
def test_wires_of_two_tiles_that_are_exchanged_are_told(pair: Crossed) -> None:
    found = Wired(LAYOUT, source=pair.source).all_spots()
    assert found
    assert all((f["code"], f["a"], f["b"]) == ("wires", pair.one, pair.other) for f in found)


def test_a_missing_tile_is_told_once_the_person_says_that_the_stone_lies_there() -> None:
    source = np.where(LAYOUT.tile == 2, -1, np.arange(LAYOUT.count))
    assert Wired(LAYOUT, source=source).all_spots() == [{"code": "blind", "a": "C"}]


def test_sensors_upside_down_or_deaf_near_the_spot_are_told_by_their_numbers() -> None:
    under = [int(np.hypot(*(LAYOUT.position[:, :2] - spot.place).T).argmin()) for spot in spots(LAYOUT)]
    sign = np.ones(LAYOUT.count)
    sign[under[1]], sign[under[2]] = -1.0, 0.0
    found = Wired(LAYOUT, sign=sign).all_spots()
    assert found == [{"code": "inverted", "a": LAYOUT.names[under[1]]}, {"code": "deaf", "a": LAYOUT.names[under[2]]}]


def test_a_tile_whose_sensors_all_lie_upside_down_shows_the_other_pole() -> None:
    sign = np.where(LAYOUT.tile == 3, -1.0, 1.0)
    assert Wired(LAYOUT, sign=sign).all_spots() == [{"code": "pole", "a": "D"}]


@pytest.mark.parametrize(
    ("tiles", "under", "halves"),
    [(ROW, (1, 3), ("A, C", "B, D")), (ROW, (0, 2), ("A, C", "B, D")), (ROW[:2], (1,), ("A", "B"))],
)
def test_where_half_of_the_tiles_lie_upside_down_either_half_is_named(
    tiles: list[tuple[str, float, float, float]], under: tuple[int, ...], halves: tuple[str, str]
) -> None:
    layout = TableLayout.from_json(table_json(tiles))
    sign = np.where(np.isin(layout.tile, under), -1.0, 1.0)
    assert Wired(layout, sign=sign).all_spots() == [{"code": "poles", "a": halves[0], "b": halves[1]}]


def test_of_a_seam_where_nothing_is_seen_it_is_said_of_the_seam() -> None:
    board = Wired(LAYOUT)
    board.begin()
    for spot in spots(LAYOUT)[:4]:
        board.put(*spot.place)
    board.run(1.0)
    board.step.tell({"put": True})
    assert board.step.findings == [{"code": "blind_seam", "a": "A/B"}]


def test_a_picture_that_is_not_how_the_tiles_lie_is_told_at_the_seams() -> None:
    row = TableLayout.from_json(table_json(ROW))
    assert Wired(row, lies=_row_apart()).all_spots() == [{"code": "apart", "a": "C/D"}]


def _row_apart() -> TableLayout:
    """The last tile lies 15 mm off along the edge."""
    by = 15.0 * np.array([0.5, np.sqrt(0.75)])
    return TableLayout.from_json(table_json([*ROW[:3], ("D", 112.5 + by[0], 21.65 + by[1], 180.0)]))


def test_a_stone_that_a_hand_holds_over_the_cross_is_no_answer() -> None:
    board = Wired(LAYOUT)
    board.begin()
    x, y = board.step.spots[0].place
    for high in (25.0, 18.0):
        board.run(1.0, magnet((x, y, high), (0.0, 0.3, 1.0), 0.29, DEFAULT_SHAPE, (1.0, 0.0, 0.0)))
        assert (board.step.trouble, board.step.shown()["done"], board.step.shown()["can_say"]) == (None, 0, False)


def test_a_stone_that_lies_elsewhere_is_asked_about_and_not_told() -> None:
    board = Wired(LAYOUT)
    board.begin()
    x, y = board.step.spots[0].place
    board.run(1.0, flat(x + 40.0, y))
    assert board.step.trouble is not None
    assert (board.step.trouble["code"], board.step.shown()["done"]) == ("off_cross", 0)
    board.run(1.0, flat(x + 3.0, y))
    assert (board.step.trouble, board.step.shown()["done"]) == (None, 1)
    board.run(2.0, flat(x + 3.0, y))  # it lies there still: no answer of the next tile
    assert (board.step.trouble, board.step.shown()["done"]) == (None, 1)
    board.run(1.0)
    board.run(1.0, flat(x - 3.0, y))  # put on the same tile once more
    assert board.step.trouble == {"code": "check_there", "a": "A", "b": "B"}
    assert board.step.findings == []


@pytest.mark.parametrize(("x_off", "y_off"), [(40.0, 0.0), (0.0, -40.0), (30.0, 0.0)], ids=["B", "A", "between"])
def test_a_stone_that_is_said_to_lie_there_is_no_answer_of_the_next_tile(x_off: float, y_off: float) -> None:
    board = Wired(LAYOUT)
    board.begin()
    x, y = board.step.spots[0].place
    board.run(1.0, flat(x + x_off, y + y_off))
    board.step.tell({"put": True})
    told = list(board.step.findings)
    assert [each["code"] for each in told] == ["elsewhere"]
    board.run(2.0, flat(x + x_off, y + y_off))  # it is left lying
    assert (board.step.trouble, board.step.shown()["can_say"]) == (None, False)
    board.run(1.0, flat(x, y))  # or slid onto the cross of the tile that was asked for first
    assert board.step.trouble == {"code": "check_there", "a": "A", "b": "B"}
    assert board.step.findings == told
    board.run(0.8)
    board.put(*board.step.spots[1].place)
    assert (board.step.shown()["done"], board.step.findings) == (2, told)


def test_nor_are_two_that_are_said_to_lie_there() -> None:
    board = Wired(LAYOUT)
    board.begin()
    x, y = board.step.spots[0].place
    both = flat(x - 14.0, y), flat(x + 14.0, y, -1.0)
    board.run(1.0, *both)
    board.step.tell({"put": True})
    board.run(2.0, *both)
    assert (board.step.trouble, board.step.shown()["can_say"]) == (None, False)
    board.run(1.0, flat(x, y))
    assert board.step.trouble == {"code": "check_there", "a": "A", "b": "B"}
    assert board.step.findings == [{"code": "mixed", "a": "A"}]


def test_what_is_said_on_one_tile_hides_no_plug_of_another() -> None:
    board = Wired(LAYOUT, source=sensors(LAYOUT, (1, 0, 2, 3)))
    board.begin()
    x, y = board.step.spots[0].place
    board.run(1.0, flat(x, y - 40.0))
    board.step.tell({"put": True})
    board.run(0.8)
    board.run(1.0, flat(*board.step.spots[1].place))  # A answers, of which only a person has said that it lay there
    assert board.step.trouble == {"code": "check_there", "a": "A", "b": "B"}
    board.step.tell({"put": True})
    assert board.step.findings[1:] == [{"code": "answers", "a": "B", "b": "A"}]


def test_what_cannot_be_said_is_refused_and_again_begins_anew() -> None:
    board = Wired(LAYOUT)
    with pytest.raises(RefusedError, match="not_now"):
        board.step.tell({"put": True})  # the board has not been empty yet
    board.begin()
    x, y = board.step.spots[0].place
    board.put(x, y)
    board.run(0.02, flat(0.0, 0.0))
    board.step.tell({"again": True})
    assert (board.step.stage, board.step.shown()["done"]) == (Stage.CLEAR, 0)
    board.run(1.0, flat(x, y))
    assert board.step.trouble == {"code": "magnets", "n": 1}
    for order in ({}, {"put": "yes"}, {"stone": 1}):
        with pytest.raises(RefusedError):
            board.step.tell(order)
    with pytest.raises(RefusedError):
        board.step.found()


def test_a_spot_is_no_image_of_itself_and_well_inside_its_tile() -> None:
    for spot in spots(LAYOUT)[:4]:
        (tile,) = spot.tiles
        own = in_tile(LAYOUT, tile, spot.place)
        assert [Spot.third(own, turned(own, k))[0] for k in range(3)] == [0, 1, 2]
        assert np.hypot(*(turned(own, 1) - own)) > 45.0
        assert np.hypot(*own) + INSIDE_MM < 75.0


def test_the_step_has_the_shape_that_pages_take() -> None:
    shown = CheckStep(LAYOUT).shown()
    assert (shown["names"], shown["wanted"], len(shown["points"])) == (
        ["A", "B", "C", "D", "A/B", "A/C", "A/D"], 7, 14,
    )  # fmt: skip
