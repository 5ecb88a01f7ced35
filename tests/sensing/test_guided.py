"""Guided steps over a board that a test sets: what to do next, what is refused, what is kept and what is not."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.process.common.stored import FILE, Entry, Store
from companion.process.table.guiding import LEFT_US
from companion.sensing.fields.magnets import DEFAULT_SHAPE, magnet
from companion.sensing.fields.stones import LearnedStone, StoneSet
from companion.sensing.guided.gains import NEAR_MM, marked
from companion.sensing.guided.tiles import TilesStep, seams
from companion.sensing.learning.learned import Learned
from companion.sensing.learning.weighing import LoadGain
from companion.sensing.sensors.layout import TableLayout
from tests.sensing.conftest import make_frame
from tests.sensing.guided_bench import EDGE, FLAT, OTHER, Bench
from tests.sensing.tables import table_json


@pytest.fixture
def bench(tmp_path: Path, table: dict[str, Any], frame: Callable[..., Any]) -> Bench:
    made = Bench(tmp_path, table, frame)
    made.run(3.0)
    return made


def test_an_empty_table_says_that_it_is_zeroed_and_how_it_lies(bench: Bench) -> None:
    told = bench.run(0.5)
    assert (told["step"], told["sees"]["empty"], told["sees"]["stones"]) == ("", True, 0)
    assert told["sees"]["zeroed_s"] is not None
    layout = told["layout"]
    assert (layout["picture"], set(layout["pictures"])) == ("triangle", {"triangle", "row", "star"})
    assert (layout["can_lay"], layout["before"], layout["seams"]) == (True, [], 3)
    assert told["history"] == []
    assert bench.run(1.0, FLAT)["sees"]["stones"] == 1


def test_weights_give_the_grams_and_are_kept_and_taken_back(bench: Bench) -> None:
    assert bench.order("begin", step="grams")["stage"] == "clear"
    told = bench.weigh(50.0, 200.0)
    assert told["progress"]["done"] == 2
    before = bench.bytes()
    result = bench.order("finish")["result"]
    assert result["load"]["grade"] == "good"
    assert result["load"]["gain"] == pytest.approx(424.2, rel=2e-3)
    assert bench.bytes() == before  # not kept yet
    told = bench.order("keep")
    assert (told["step"], told["refused"], told["held"]["load"]["n"]) == ("", None, 2)
    assert [entry["when"] for entry in told["history"]] == ["2026-05-01T18:30:05Z"]
    assert bench.guiding.sensing.layout.load_gain == pytest.approx(424.2, rel=2e-3)
    assert not bench.told()["sees"]["ready"]  # the zeros are learned anew
    assert bench.run(3.0)["sees"]["empty"]
    told = bench.order("undo", when=told["history"][0]["when"])
    assert (told["refused"], told["history"], told["held"]) == (None, [], {})
    assert bench.guiding.sensing.layout.load_gain == 420.0


def test_a_weight_with_a_magnet_beside_it_or_other_than_told_is_refused_with_what_to_do(bench: Bench) -> None:
    bench.order("begin", step="grams")
    assert bench.run(1.2, FLAT)["trouble"] == {"code": "magnets", "n": 1}
    told = bench.run(2.0)
    assert (told["stage"], told["trouble"]) == ("tell", None)
    assert bench.order("tell", grams=1)["refused"]["code"] == "weight_range"
    assert bench.order("tell", grams="x")["refused"]["code"] == "weight_range"
    bench.order("tell", grams=100)
    told = bench.run(1.5, grams=30.0)
    assert (told["trouble"]["code"], told["trouble"]["shown"], told["progress"]["done"]) == ("weight_unlike", 30, 0)
    assert told["stage"] == "take"
    assert bench.order("finish")["refused"]["code"] == "few_weights"


def test_with_a_weight_still_on_nothing_is_finished(bench: Bench) -> None:
    bench.order("begin", step="grams")
    bench.weigh(200.0)
    bench.run(0.5)
    bench.order("tell", grams=50)
    assert bench.run(1.5, grams=50.0)["stage"] == "take"
    told = bench.order("finish")
    assert (told["refused"], told["result"]) == ({"code": "take_off_first"}, None)
    bench.run(0.6)
    assert bench.order("finish")["result"]["load"]["grade"]


@pytest.mark.parametrize("stage", ["tell", "put", "take"])
def test_a_load_cell_that_answers_again_is_said_to_be_silent_no_more(bench: Bench, stage: str) -> None:
    bench.order("begin", step="grams")
    assert bench.run(1.0)["stage"] == "tell"
    if stage != "tell":
        bench.order("tell", grams=50)
    grams = 50.0 if stage == "take" else 0.0
    assert bench.run(1.5, grams=grams)["stage"] == stage
    bench.session.weigh_every = 10**9
    assert bench.run(1.0, grams=grams)["trouble"] == {"code": "no_weight"}
    bench.session.weigh_every = 1
    told = bench.run(1.0, grams=grams)
    assert (told["stage"], told["trouble"]) == (stage, None)


def test_a_weight_that_is_put_on_before_it_is_told_is_not_taken_for_the_empty_board(bench: Bench) -> None:
    bench.order("begin", step="grams")
    assert bench.run(1.0)["stage"] == "tell"
    told = bench.run(2.0, grams=190.0)
    assert (told["stage"], told["trouble"]) == ("tell", {"code": "take_it_off", "shown": 190})
    told = bench.run(1.5)
    assert (told["stage"], told["trouble"]) == ("tell", None)
    bench.run(2.0, grams=50.0)
    bench.order("tell", grams=50)  # told while it lies there
    told = bench.run(1.5, grams=50.0)
    assert (told["stage"], told["trouble"], told["progress"]["weights"]) == (
        "take",
        None,
        [[50.0, pytest.approx(50, abs=0.2)]],
    )


@pytest.mark.parametrize("told_first", [False, True])
def test_what_lay_there_when_the_board_was_to_be_empty_is_noticed_once_it_is_off(
    bench: Bench, told_first: bool
) -> None:
    bench.order("begin", step="grams")
    assert bench.run(2.0, grams=190.0)["stage"] == "tell"
    if told_first:
        bench.order("tell", grams=190)
        assert bench.run(1.5, grams=190.0)["stage"] == "put"
    bench.run(0.7)
    assert bench.weigh(50.0, 200.0)["progress"]["done"] == 2
    assert bench.order("finish")["result"]["load"]["gain"] == pytest.approx(424.2, rel=2e-3)


def test_something_that_lay_there_before_is_taken_off_with_the_weight(bench: Bench) -> None:
    bench.order("begin", step="grams")
    bench.run(2.0, grams=80.0)
    bench.order("tell", grams=100)
    assert bench.run(2.0, grams=180.0)["stage"] == "take"
    assert bench.run(2.0)["stage"] == "tell"


def test_ten_weighings_a_second_are_enough(bench: Bench) -> None:
    bench.session.weigh_every = 10
    bench.run(3.0)
    bench.order("begin", step="grams")
    for grams in (50.0, 200.0):
        next(told for _ in range(100) if (told := bench.run(0.05))["stage"] == "tell")
        bench.order("tell", grams=grams)  # as soon as it may be told
        bench.run(4.0, grams=grams * 1.01)
    bench.run(3.0)
    assert bench.order("finish")["result"]["load"]["gain"] == pytest.approx(424.2, rel=2e-3)


def test_no_number_of_a_stone_is_given_twice_however_often_sensing_begins_anew(bench: Bench) -> None:
    def numbers() -> list[int]:
        bench.run(2.0, FLAT)
        tracker = bench.guiding.sensing.tracker
        assert tracker is not None
        return [k for m in tracker.movers for k in m.body.tracks]

    (first,) = numbers()
    bench.order("lay", picture="star")
    bench.run(0.1)
    assert bench.guiding.sensing.tracker is None
    bench.order("lay_back")
    bench.run(3.0)
    (second,) = numbers()
    assert second > first


def test_each_stone_is_learned_when_it_is_shown_and_may_be_shown_again(bench: Bench) -> None:
    assert bench.order("begin", step="stones", set="  ", count=2)["refused"]["code"] == "no_name"
    bench.order("begin", step="stones", set="Our  box", count=2)
    told = bench.run(1.0)
    assert (told["stage"], told["progress"]["next"], told["progress"]["set"]) == ("put", 1, "Our box")
    told = bench.run(2.5, FLAT, grams=5.8)
    assert told["stage"] == "take", told
    ((number, moment, mass, residual, fresh),) = told["progress"]["stones"]
    assert (number, moment, mass, fresh) == (1, pytest.approx(0.29, rel=0.03), pytest.approx(5.8, abs=0.2), True)
    assert residual < 0.02
    told = bench.run(1.5)
    assert (told["progress"]["next"], told["progress"]["missing"]) == (2, [2])
    told = bench.run(3.0, FLAT, OTHER)
    assert told["trouble"] == {"code": "one_magnet", "n": 2}, told
    assert bench.run(2.0)["progress"]["done"] == 1
    told = bench.order("tell", stone=1)
    assert told["progress"]["next"] == 1
    assert bench.order("tell", stone=9)["refused"]["code"] == "no_such_stone"
    bench.run(4.0, OTHER, grams=4.4)
    told = bench.run(1.5)
    assert told["progress"]["stones"][0][1] == pytest.approx(0.24, rel=0.03)
    shown = bench.order("finish")["result"]["stones"]
    assert (shown["grade"], shown["n"], shown["unshown"]) == ("fair", 1, 1)  # however well the one fits
    told = bench.order("keep")
    assert told["held"]["stones"] == shown
    bench.run(3.0)
    told = bench.order("begin", step="stones", set="Our box", count=2)  # the same box: what is known stays known
    assert told["progress"]["missing"] == [2]


@pytest.mark.parametrize(
    ("lying", "code"),
    [
        ((EDGE,), "lie_flat"),
        ((magnet((96.0, 0.0, 3.4), (0.0, 0.0, 1.0), 0.29, DEFAULT_SHAPE, (1.0, 0.0, 0.0)),), "near_edge"),
    ],
)
def test_a_stone_that_stands_or_lies_at_the_edge_is_not_taken(bench: Bench, lying: tuple[Any], code: str) -> None:
    bench.order("begin", step="stones", set="box", count=1)
    bench.run(1.0)
    told = bench.run(2.5, *lying)
    assert told["trouble"]["code"] == code, told
    assert told["progress"]["done"] == 0


def test_points_count_where_the_stone_lies_on_the_cross(bench: Bench) -> None:
    told = bench.order("begin", step="gains")
    points = np.array(told["progress"]["points"]).reshape(-1, 2)
    assert len(points) == told["progress"]["wanted"] >= 36
    bench.run(1.0)
    x, y = points[5]
    on = magnet((x, y, 3.4), (0.0, 0.0, 1.0), 0.29, DEFAULT_SHAPE, (1.0, 0.0, 0.0))
    off = magnet((x + 7.0, y + 3.0, 3.4), (0.0, 0.0, 1.0), 0.29, DEFAULT_SHAPE, (1.0, 0.0, 0.0))
    told = bench.run(2.0, off)
    assert (told["trouble"], told["progress"]["did"]) == ({"code": "off_point", "n": 8}, [])
    told = bench.run(2.0, on)
    assert (told["trouble"], told["progress"]["did"]) == (None, [5])
    assert bench.order("finish")["refused"] == {"code": "few_points", "n": 12}


def test_a_laying_is_confirmed_and_taken_back_and_the_weight_may_be_left_out(bench: Bench) -> None:
    told = bench.order("lay", picture="star", weighed=False)
    assert (told["refused"], told["layout"]["picture"], told["layout"]["weighed"]) == (None, "star", False)
    assert (told["layout"]["seams"], told["layout"]["before"]) == (0, [["2026-05-01T18:30:05Z", "triangle"]])
    assert bench.relaid[-1]["tiles"][1]["rot"] == 180.0
    assert bench.order("begin", step="grams")["refused"]["code"] == "no_load_cell"
    assert bench.order("begin", step="tiles")["refused"]["code"] == "no_seams"
    told = bench.order("lay", picture="star")
    assert told["layout"]["weighed"]
    assert bench.order("lay", picture="heap")["refused"]["code"] == "no_such_picture"
    told = bench.order("lay_back")
    assert not told["layout"]["weighed"]
    assert bench.run(3.0)["sees"]["ready"]


def test_layings_are_taken_back_step_by_step_and_told(bench: Bench) -> None:
    for picture in ("star", "row", "triangle"):
        bench.order("lay", picture=picture)
    assert [picture for _, picture in bench.told()["layout"]["before"]] == ["row", "star", "triangle"]
    seen = [bench.order("lay_back")["layout"]["picture"] for _ in range(3)]
    assert seen == ["row", "star", "triangle"]
    told = bench.order("lay_back")
    assert (told["refused"], told["layout"]["before"]) == ({"code": "nothing_laid"}, [])


def test_a_magnet_shown_under_two_numbers_is_warned_of_and_may_be_shown_again(bench: Bench) -> None:
    bench.order("begin", step="stones", set="box", count=3)
    bench.run(1.0)
    bench.run(2.5, FLAT, grams=5.8)
    bench.run(1.5)
    elsewhere = magnet((-38.0, -30.0, 3.4), (0.0, 0.0, 1.0), 0.29, DEFAULT_SHAPE, (0.6, 0.8, 0.0))
    told = bench.run(2.5, elsewhere, grams=5.8)
    assert (told["stage"], told["trouble"], told["progress"]["same"]) == (
        "take",
        {"code": "same_stone", "n": 1},
        [[1, 2]],
    )
    bench.run(1.5)
    bench.order("tell", stone=2)
    told = bench.run(2.5, OTHER, grams=4.4)
    assert (told["trouble"], told["progress"]["same"], told["progress"]["done"]) == (None, [], 2)


def test_seams_are_where_tiles_lie_edge_to_edge(layout: TableLayout) -> None:
    assert seams(layout) == [(0, 1), (0, 2), (0, 3)]
    points = layout.position[marked(layout), :2]
    away = [float(np.hypot(*(p - q))) for k, p in enumerate(points) for q in points[:k]]
    assert min(away) > 2 * NEAR_MM


def test_where_a_box_is_known_the_stone_to_be_slid_is_put_down_first(bench: Bench) -> None:
    learned = LearnedStone(7, 0.29, 0.02, DEFAULT_SHAPE, 6.8, 6.0, 0.01)
    other = LearnedStone(8, 0.35, 0.02, DEFAULT_SHAPE, 6.8, 7.5, 0.01)
    layout = bench.guiding.sensing.layout
    found = Learned(layout.table_id, layout.names, stones=StoneSet("box", (learned, other)))
    Store(bench.folder).add(Entry("2026-05-01T18:30:05Z", "before", found))
    Store(bench.folder).add(Entry("2026-05-01T18:31:05Z", "wrong", Learned(layout.table_id, layout.names)))
    bench.order("undo", when="2026-05-01T18:31:05Z")  # begins anew with what is stored
    bench.run(3.0)
    assert bench.order("begin", step="tiles")["stage"] == "clear"
    assert bench.run(1.0)["stage"] == "put"
    told = bench.run(2.5, FLAT)
    assert (told["stage"], told["trouble"]) == ("slide", None)


def on_seam(layout: TableLayout, pair: tuple[int, int], along: float, across: float = 0.0) -> Any:
    """A flat stone so many mm from the middle of the seam of two tiles."""
    a, b = layout.triangles[list(pair)].mean(axis=1)
    way = (b - a) / np.hypot(*(b - a))
    x, y = (a + b) / 2 + across * way + along * np.array([-way[1], way[0]])
    return magnet((x, y, 3.4), (0.0, 0.0, 1.0), 0.29, DEFAULT_SHAPE, (1.0, 0.0, 0.0))


def test_a_stone_that_lies_on_a_seam_shows_nothing_and_one_seam_leaves_room_for_the_others(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.sensing.guided.tiles.FRAMES", 6)
    monkeypatch.setattr("companion.sensing.guided.tiles.MOST", 8)
    layout = bench.session.layout
    bench.order("begin", step="tiles")
    assert bench.run(1.0)["stage"] == "slide"
    told = bench.run(3.0, on_seam(layout, (0, 1), 0.0))
    assert told["progress"]["seams"][0][2] <= 0.34  # of 6: where it was put down, once
    for pair in ((0, 1), (0, 1), (0, 2), (0, 3)):
        bench.run(0.5, on_seam(layout, pair, -14.0))
        for along in np.arange(-14.0, 14.0, 0.5).tolist():
            bench.session.run(0.01, [on_seam(layout, pair, along)])
        bench.run(0.6)
    told = bench.told()
    assert (told["stage"], told["progress"]["done"]) == ("enough", 3), told
    step = bench.guiding._step
    assert isinstance(step, TilesStep)
    kept = [frame.tiles for frame in step._follower.frames]
    assert max(kept.count(pair) for pair in seams(layout)) <= 8


def test_a_step_that_nobody_looks_at_is_left_with_nothing_kept(bench: Bench) -> None:
    bench.order("begin", step="grams")
    before = bench.bytes()
    bench.now_us += LEFT_US + 1
    report = bench.guiding.due(bench.now_us, 0)
    assert report is not None
    assert report.step == ""
    assert bench.bytes() == before
    assert bench.guiding.due(bench.now_us, 0) is None  # and nothing more is told of it


def test_nothing_is_kept_where_the_folder_cannot_be_written(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.order("begin", step="grams")
    bench.weigh(50.0, 200.0)
    bench.order("finish")

    def full(*files: Path) -> None:
        raise OSError(28, "No space left on device")

    before = bench.bytes()
    monkeypatch.setattr("companion.process.common.stored.replace_keeping", full)
    monkeypatch.setattr("companion.process.table.laying.os.replace", full)
    told = bench.order("keep")
    assert (told["refused"]["code"], told["result"]["load"]["n"]) == ("not_kept", 2)
    assert bench.order("leave")["refused"] is None
    assert bench.order("lay", picture="row")["refused"]["code"] == "not_kept"
    assert bench.bytes() == before


def test_a_damaged_store_is_said_and_left_as_it_is(tmp_path: Path, table: dict[str, Any], frame: Any) -> None:
    bench = Bench(tmp_path, table, frame)
    (bench.folder / FILE).write_text("{", "utf-8")
    told = bench.told()
    assert (told["history"], told["refused"]["code"]) == ([], "stored_damaged")
    assert bench.order("undo", when="x")["refused"]["code"] == "stored_damaged"
    assert (bench.folder / FILE).read_text("utf-8") == "{"


ORDERS = st.sampled_from(
    [
        *({"do": "begin", "step": name} for name in ("grams", "gains", "tiles", "nothing")),
        {"do": "begin", "step": "stones", "set": "box", "count": 3},
        *({"do": does} for does in ("finish", "leave", "again", "keep", "lay", "look", "x")),
        {"do": "lay", "picture": "heap"},
        {"do": "tell", "grams": 100},
        {"do": "tell", "grams": [100]},
        {"do": "tell", "stone": 1},
        {"do": "tell", "stone": True},
        {},
    ]
)


@pytest.mark.slow
@settings(max_examples=12)
@given(steps=st.lists(st.tuples(ORDERS, st.sampled_from([(), (FLAT,), (FLAT, OTHER), (EDGE,)])), max_size=8))
def test_whatever_is_refused_or_broken_off_leaves_what_is_stored_byte_for_byte(steps: list[Any]) -> None:
    """No step comes to a result in so short a time: nothing can be kept, whatever is pressed."""
    layout = TableLayout.from_json(table_json())
    with TemporaryDirectory() as folder:
        found = Learned(layout.table_id, layout.names, load=LoadGain(421.0, 0.001, 3))
        Store(Path(folder)).add(Entry("2026-05-01T18:30:05Z", "before", found))
        bench = Bench(Path(folder), table_json(), make_frame(layout))
        bench.run(2.2)
        before = bench.bytes()
        for order, lying in steps:
            bench.guiding.take(order, bench.now_us)
            told = bench.run(0.2, *lying)
            assert told["result"] is None
            assert told["held"] == bench.told()["held"]
        assert bench.bytes() == before


def test_the_check_of_a_new_box_goes_on_by_itself_and_keeps_nothing(bench: Bench) -> None:
    before = bench.bytes()
    told = bench.order("begin", step="check")
    assert (told["step"], told["stage"], told["progress"]["names"][0]) == ("check", "clear", "A")
    told = bench.run(1.0)
    assert (told["stage"], told["progress"]["next"], told["progress"]["findings"]) == ("put", 0, [])
    points = told["progress"]["points"]
    for k in range(2):
        told = bench.run(1.2, magnet((*points[2 * k : 2 * k + 2], 3.4), (0.0, 0.0, 1.0), 0.29))
        assert told["progress"]["done"] == k + 1
        told = bench.run(1.0)
    told = bench.run(1.2, magnet((*points[2:4], 3.4), (0.0, 0.0, 1.0), 0.29))
    assert told["trouble"] == {"code": "check_there", "a": "B", "b": "C"}
    assert bench.order("tell", put=True)["refused"] == {"code": "check_wait"}
    assert bench.order("finish")["refused"] == {"code": "not_now"}
    assert bench.order("tell", again=True)["progress"]["done"] == 0
    assert bench.order("leave")["step"] == ""
    assert bench.bytes() == before
