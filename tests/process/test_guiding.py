"""Orders are done whole or refused with everything as it was, whatever comes from a phone and whatever is stored."""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.process.common.stored import FILE, Entry, Store, stored_for
from companion.process.table import laying
from companion.process.table.guiding import LEFT_US
from companion.process.table.laying import LayingError, laid
from companion.process.table.live import live_sensing
from companion.sensing.learning.learned import Learned
from companion.sensing.learning.weighing import LoadGain
from companion.sensing.sensors.layout import TableLayout
from companion.table import SECOND
from tests.sensing.conftest import make_frame
from tests.sensing.guided_bench import Bench
from tests.sensing.tables import table_json

OWN = TableLayout.from_json(table_json())


def made(folder: Path) -> Bench:
    bench = Bench(folder, table_json(), make_frame(OWN))
    bench.run(0.2)
    return bench


def entry(when: str, names: tuple[str, ...] = OWN.names, gain: float = 421.0) -> Entry:
    return Entry(when, "before", Learned(OWN.table_id, names, load=LoadGain(gain, 0.001, 3)))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=4,
)
DOES = ("look", "begin", "leave", "tell", "finish", "keep", "again", "undo", "lay", "lay_back", "empty")
STEPS = ("grams", "gains", "stones", "tiles")
ORDERS = st.fixed_dictionaries(
    {},
    optional={
        "do": st.sampled_from(DOES) | JSON,
        "step": st.sampled_from(STEPS) | JSON,
        "picture": st.sampled_from(("triangle", "row", "star")) | JSON,
        **dict.fromkeys(("set", "count", "grams", "stone", "weighed", "when", "nth", "acts"), JSON),
    },
)


@pytest.fixture(scope="module")
def used() -> Iterator[Bench]:
    """One table for every order: each meets what those before have left."""
    with TemporaryDirectory() as folder:
        yield made(Path(folder))


@settings(max_examples=150)
@given(orders=st.lists(ORDERS, max_size=6))
@example(orders=[{"do": "lay", "picture": []}])
@example(orders=[{"do": "begin", "step": {}}, {"do": "begin", "step": "stones", "set": [], "count": {}}])
@example(orders=[{"do": "begin", "step": "stones", "set": "x", "count": 3}, {"do": "tell", "stone": {}}])
@example(orders=[{"do": "begin", "step": "grams"}, {"do": "tell", "grams": 10**400}, {"do": [], "nth": []}])
def test_no_order_from_a_phone_is_ever_an_exception(used: Bench, orders: list[dict[str, Any]]) -> None:
    for order in orders:
        used.guiding.take(order, used.now_us)
        assert used.told()["layout"]["picture"] in ("triangle", "row", "star")
    used.order("leave")


def test_what_was_kept_of_other_sensors_does_not_come_back(tmp_path: Path) -> None:
    bench = made(tmp_path)
    Store(tmp_path).add(entry("2026-05-01T18:30:05Z", names=("X0", "X1")))
    Store(tmp_path).add(entry("2026-05-01T18:31:05Z"))
    before, sensing = bench.bytes(), bench.guiding.sensing
    told = bench.order("undo", when="2026-05-01T18:31:05Z")
    assert told["refused"] == {"code": "other_sensors"}
    assert (bench.bytes(), bench.guiding.sensing) == (before, sensing)
    found = stored_for(tmp_path, OWN.table_id)
    live_sensing(json.loads(bench.file.read_bytes()), found)  # and a start of the service finds what it can use


def test_tiles_are_laid_whole_also_where_what_is_stored_is_damaged(tmp_path: Path) -> None:
    bench = made(tmp_path)
    (tmp_path / FILE).write_text("{", "utf-8")
    told = bench.order("lay", picture="star")
    assert (told["refused"], told["layout"]["picture"]) == (None, "star")
    assert bench.guiding.sensing.layout.triangles[1] == pytest.approx(
        TableLayout.from_json(laid(table_json(), "star")).triangles[1]
    )
    assert bench.relaid[-1] == bench.guiding.table == json.loads(bench.file.read_bytes())
    assert (tmp_path / FILE).read_text("utf-8") == "{"


def test_a_laying_of_other_tiles_is_refused_with_everything_as_it_was(tmp_path: Path) -> None:
    bench = made(tmp_path)
    earlier = [{"until": "2026-05-01T18:00:05Z", "tiles": [[0.0, 0.0, 0.0]], "weighed": True}]
    (tmp_path / "table.before.json").write_text(json.dumps(earlier), "utf-8")
    before, sensing, lies = bench.bytes(), bench.guiding.sensing, bench.guiding.table
    told = bench.order("lay_back")
    assert told["refused"] == {"code": "other_table"}
    assert (bench.bytes(), bench.relaid) == (before, [])
    assert bench.guiding.sensing is sensing
    assert bench.guiding.table is lies


def before_json(pose: str, until: str = '"x"', weighed: str = "true") -> str:
    """The text of a table.before.json of one laying, whose last tile lies so."""
    return f'[{{"until": {until}, "tiles": [[0, 0, 0], [0, 9, 0], [9, 0, 0], {pose}], "weighed": {weighed}}}]'


DAMAGED = [
    *("{", "[1]", '[{"until": "x"}]', '"x"', "null", '[{"until": "x", "tiles": {"a": [0, 0, 0]}, "weighed": true}]'),
    *map(before_json, ['["a", 0, 0]', "[null, 0, 0]", "[NaN, 0, 0]", "[0, Infinity, 0]", "[0, 0, true]", "[0, 0]"]),
    *map(before_json, ["[0, 0, 0, 0]", '"123"', "{}", "7", f"[1{'0' * 400}, 0, 0]", "[1e999, 0, 0]", "[[0], 0, 0]"]),
    before_json("[0, 0, 0]", until="5"),
    before_json("[0, 0, 0]", weighed="1"),
]


@pytest.mark.parametrize("text", DAMAGED)
def test_earlier_layings_that_cannot_be_read_are_none(tmp_path: Path, text: str) -> None:
    bench = made(tmp_path)
    (tmp_path / "table.before.json").write_text(text, "utf-8")
    assert bench.order("lay_back")["refused"] == {"code": "nothing_laid"}
    assert bench.order("lay", picture="row")["layout"]["before"] == [["2026-05-01T18:30:05Z", "triangle"]]


def test_a_cut_while_it_is_laid_leaves_the_layings_before_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = made(tmp_path)
    bench.order("lay", picture="row")
    real = laying._write
    for half in (0, 1):  # files written before the power goes
        done: list[Path] = []

        def cut(file: Path, text: bytes, half: int = half, done: list[Path] = done) -> None:
            if len(done) == half:
                raise LayingError("not_kept", "cut")
            done.append(file)
            real(file, text)

        monkeypatch.setattr(laying, "_write", cut)
        assert bench.order("lay", picture="star")["refused"] == {"code": "not_kept"}
        monkeypatch.setattr(laying, "_write", real)
        assert laying.picture_of(json.loads(bench.file.read_bytes())) == "row"
    assert bench.order("lay_back")["layout"]["picture"] == "triangle"


def test_a_refusal_says_which_phones_press_it_was(tmp_path: Path) -> None:
    bench = made(tmp_path)
    assert bench.order("lay", picture="heap", of="k7")["refused"] == {"code": "no_such_picture", "of": "k7"}
    assert bench.order("lay", picture="heap")["refused"] == {"code": "no_such_picture"}


def test_only_the_entry_that_was_seen_as_the_newest_is_undone(tmp_path: Path) -> None:
    Store(tmp_path).add(entry("2026-05-01T18:30:05Z"))
    bench = made(tmp_path)
    assert [each["when"] for each in bench.told()["history"]] == ["2026-05-01T18:30:05Z"]
    Store(tmp_path).add(entry("2026-05-01T18:31:05Z", gain=430.0))  # by the command, meanwhile
    before = bench.bytes()
    for when, code in (("2026-05-01T18:30:05Z", "stored_since"), (None, "not_now"), ([], "not_now")):
        told = bench.order("undo", when=when)
        assert (told["refused"], bench.bytes()) == ({"code": code}, before)
    assert [each["when"] for each in told["history"]] == ["2026-05-01T18:31:05Z", "2026-05-01T18:30:05Z"]
    told = bench.order("undo", when="2026-05-01T18:31:05Z")
    assert (told["refused"], told["held"]["load"]["gain"]) == (None, 421.0)
    assert bench.order("undo", when="2026-05-01T18:30:05Z")["history"] == []
    assert bench.order("undo", when="2026-05-01T18:30:05Z")["refused"] == {"code": "nothing_kept"}


def test_a_step_is_kept_open_by_those_who_may_act_alone(tmp_path: Path) -> None:
    bench = made(tmp_path)
    bench.order("begin", step="grams")

    def looked_at(acts: bool) -> set[str]:
        """The step that is told, while somebody looks once a second for longer than a step is left alone."""
        steps = set()
        for _ in range(0, LEFT_US + 2 * SECOND, SECOND):
            bench.now_us += SECOND
            bench.guiding.take({"do": "look", "acts": acts} if acts else {"do": "look"}, bench.now_us)
            report = bench.guiding.due(bench.now_us, 0)
            assert report is not None
            steps.add(report.step)
        return steps

    assert looked_at(acts=True) == {"grams"}
    assert looked_at(acts=False) == {"grams", ""}
    assert bench.told()["step"] == ""


def test_each_order_is_told_back_by_its_number_also_where_it_is_refused(tmp_path: Path) -> None:
    bench = made(tmp_path)
    assert bench.told()["taken"] == 0
    assert bench.order("begin", step="grams", nth=1)["taken"] == 1
    told = bench.order("begin", step="nothing", nth=2)
    assert (told["taken"], told["refused"]) == (2, {"code": "not_now"})
    assert bench.order("leave", nth="3")["taken"] == 2


def test_a_person_says_that_the_board_is_empty_and_is_refused_where_it_weighs(tmp_path: Path) -> None:
    bench = made(tmp_path)
    bench.run(3.0)
    assert bench.told()["sees"]["zeroed_s"] is not None
    bench.run(2.0, grams=20.0)
    assert bench.order("empty")["refused"] == {"code": "not_empty"}
    assert bench.told()["sees"]["ready"]
    bench.run(2.0)
    assert bench.order("empty")["refused"] is None
    assert not bench.told()["sees"]["ready"]
    bench.run(2.5)
    assert bench.told()["sees"]["ready"]
