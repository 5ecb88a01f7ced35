"""The way of a set-up command: from a press to the table process and back; one at a time holds the sensors."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.clock import HandClock, SystemClock
from companion.journal import MemoryJournal
from companion.process.common.channel import ChannelReader, ChannelWriter, pair
from companion.process.kinds import known_kinds
from companion.process.referee.facts import TableFacts
from companion.process.referee.inbox import LinkDown
from companion.process.referee.service import Service
from companion.process.referee.set_up import SetUpDesk
from companion.process.referee.supervise import start_table
from companion.table import SECOND, Complete, Health, SetUp
from companion.table.codec import from_json, to_json
from tests.process.counting_game import counting
from tests.process.service import Bench

SNAP = Path(__file__).parents[1] / "data" / "recordings" / "nominal-snap2-a"


class Desk:
    """A referee with a desk whose orders are kept instead of sent."""

    def __init__(self, facts: TableFacts | None = None) -> None:
        self.sent: list[Mapping[str, Any]] = []
        self.takes = True
        self.bench = Bench(facts=facts)
        desk = self.bench.owner._set_up
        desk.send = self._send
        self.desk: SetUpDesk = desk

    def _send(self, order: Mapping[str, Any]) -> bool:
        self.sent.append(order)
        return self.takes

    def refused(self, game: str) -> set[str]:
        """Why a game cannot have the sensors, an old one or a new one; "" where one gets them, and lets them go."""
        codes = set()
        for name, args in (
            ("take_sensors", {}),
            ("new_game", {"kind": "counting", "sensors": True, "settings": {}}),
            ("new_game", {"kind": "counting", "sensors": 1, "settings": {}}),
        ):
            answer = self.bench.press(name, game if name == "take_sensors" else "", **args)
            assert answer is not None
            codes.add(answer.code)
            holder = self.bench.owner._listed.holder
            if holder is not None:
                self.bench.press("release_sensors", holder)
        return codes

    def view(self) -> dict[str, Any]:
        frame = self.desk.newest()
        assert frame is not None
        shown: dict[str, Any] = json.loads(frame.data)
        return shown


def test_orders_cross_whole_beside_looks_and_what_is_none_is_passed_over() -> None:
    theirs, ours = pair()
    writer, reader = ChannelWriter(theirs), ChannelReader(ours)
    reader.ask()
    assert reader.order({"do": "begin", "step": "stones", "set": "caja ñ"})
    assert reader.order({"do": "keep"})
    ours.send(b"[1]\n{\n\xff\n")
    ours.send(b'{"do":')
    assert not writer.ended()
    assert writer.looked
    assert [order["do"] for order in writer.orders] == ["begin", "keep"]
    assert writer.orders[0]["set"] == "caja ñ"
    ours.send(b'"leave"}\n')
    assert not writer.ended()
    assert writer.orders[-1] == {"do": "leave"}
    assert not reader.order({"do": "x" * 20_000})
    reader.close()
    assert not reader.order({"do": "keep"})
    writer.finish(0.1)


def test_a_report_comes_back_as_it_was() -> None:
    report = SetUp(5, "grams", (0.0, 0.0, 180.0), '{"step":"grams"}')
    assert from_json(to_json(report)) == report
    with pytest.raises(ValueError, match="step"):
        from_json({"type": "set_up", "t_us": 1, "step": 3})


def test_an_order_goes_to_the_table_and_its_state_comes_back() -> None:
    desk = Desk()
    desk.bench.link_up()
    answer = desk.bench.press("set_up", "", do="begin", step="grams")
    assert answer is not None
    assert answer.status == "applied"
    assert {"do": "begin", "step": "grams", "nth": 1, "of": "id-set_up-1"} in desk.sent
    told = {"step": "grams", "taken": 1}
    desk.bench.hear(SetUp(7, "grams", (1.0, 2.0, 60.0), json.dumps(told)), Complete(SECOND))
    assert (desk.view()["told"], desk.desk.busy) == (told, True)
    assert desk.bench.owner._listed.facts.tiles == ((1.0, 2.0, 60.0),)
    for bad in ("[" * 5000, "[]", "3"):  # what was told before stands
        desk.bench.hear(SetUp(8, "grams", (), bad))
        assert desk.view()["told"] == told


def test_while_a_game_follows_the_table_it_is_not_set_up_and_while_it_is_set_up_none_follows() -> None:
    desk = Desk()
    desk.bench.link_up()
    game = desk.bench.new_game(sensors=True)
    desk.sent.clear()
    answer = desk.bench.press("set_up", "", do="begin", step="grams")
    assert answer is not None
    assert (answer.status, answer.code, answer.body) == ("refused", "table_watched", {"args": {"game": game}})
    assert [order for order in desk.sent if order["do"] != "look"] == []
    assert desk.view()["holder"] == game
    desk.bench.press("release_sensors", game)
    assert desk.view()["holder"] is None
    desk.bench.hear(SetUp(7, "stones", (), "{}"))
    assert desk.refused(game) == {"being_set_up"}
    assert desk.bench.new_game()  # one by hand begins all the same
    desk.bench.post(LinkDown(False))
    assert (desk.desk.busy, desk.view()["told"]) == (False, None)
    answer = desk.bench.press("take_sensors", game)
    assert answer is not None
    assert answer.status == "applied"


@pytest.mark.parametrize("does", ["begin", "keep", "undo", "lay", "lay_back"])
def test_an_order_that_has_not_come_back_keeps_games_off_the_sensors(does: str) -> None:
    desk = Desk()
    desk.bench.link_up()
    game = desk.bench.new_game()
    desk.bench.press("set_up", "", do="look")
    assert not desk.desk.busy
    desk.bench.press("set_up", "", do=does, step="grams")
    desk.bench.hear(SetUp(7, "", (), '{"taken": 0}'))  # told before the table had taken it
    assert desk.refused(game) == {"being_set_up"}
    desk.takes = False
    desk.bench.press("set_up", "", do="leave")  # not taken: nothing comes back for it
    desk.takes = True
    desk.bench.hear(SetUp(8, "", (), '{"taken": 1}'))
    assert desk.refused(game) == {""}


def test_a_table_process_that_ends_frees_the_sensors_of_an_order_without_an_answer() -> None:
    desk = Desk()
    desk.bench.link_up()
    game = desk.bench.new_game()
    desk.bench.press("set_up", "", do="begin", step="grams")
    assert desk.refused(game) == {"being_set_up"}
    desk.bench.post(LinkDown(False))
    assert desk.refused(game) == {""}


def test_a_step_that_a_lost_table_takes_with_it_is_said_until_somebody_orders_something() -> None:
    desk = Desk()
    desk.bench.link_up()
    desk.bench.press("set_up", "", do="begin", step="grams")
    desk.bench.hear(SetUp(7, "grams", (), json.dumps({"step": "grams", "taken": 1})))
    assert desk.view()["ended"] == ""
    for _ in range(2):  # lost again before anybody has looked
        desk.bench.post(LinkDown(False))
        assert (desk.view()["told"], desk.view()["ended"]) == (None, "grams")
    desk.bench.link_up()
    desk.bench.hear(SetUp(8, "", (), json.dumps({"step": "", "taken": 0})))
    assert desk.view()["ended"] == "grams"
    desk.bench.press("set_up", "", do="begin", step="tiles")
    assert desk.view()["ended"] == ""


def test_a_step_is_left_also_while_a_game_follows_the_table() -> None:
    desk = Desk()
    desk.bench.link_up()
    game = desk.bench.new_game(sensors=True)
    for does, code in (("begin", "table_watched"), ("leave", "")):
        answer = desk.bench.press("set_up", "", do=does)
        assert answer is not None
        assert (does, answer.code) == (does, code)
    assert [order["do"] for order in desk.sent if order["do"] != "look"] == ["leave"]
    assert desk.view()["holder"] == game


def test_a_table_that_takes_no_orders_or_has_no_sensors_says_so() -> None:
    desk = Desk()
    desk.takes = False
    answer = desk.bench.press("set_up", "", do="keep")
    assert answer is not None
    assert answer.code == "table_silent"
    without = Desk(TableFacts(sensors=False))
    answer = without.bench.press("set_up", "", do="keep")
    assert answer is not None
    assert answer.code == "no_sensors"


def test_the_desk_asks_once_a_second_and_shows_how_the_table_is() -> None:
    clock = HandClock()
    sent: list[Mapping[str, Any]] = []
    desk = SetUpDesk(clock, lambda order: sent.append(order) is None)
    for _ in range(3):
        desk.newest()
    assert sent == [{"do": "look", "acts": False}]
    for _ in range(3):
        desk.newest(acts=True)  # one who may act is heard beside those who watch
    assert sent[1:] == [{"do": "look", "acts": True}]
    clock.advance(SECOND)
    desk.known(Health(1, "lost", ("link_port_missing",)), None)
    frame = desk.wait(1, 0)
    assert frame is not None
    assert b'"state":"lost"' in frame.data
    assert len(sent) == 3
    assert desk.wait(2, 0, acts=True) is None
    assert sent[3:] == [{"do": "look", "acts": True}]
    desk.close()


@pytest.mark.slow
def test_a_press_reaches_a_real_table_process_and_a_refused_step_leaves_the_folder_as_it_is(tmp_path: Path) -> None:
    clock = SystemClock(0.1)  # the recording lasts for longer than any machine needs
    service = Service(
        MemoryJournal(),
        {**known_kinds(), "counting": counting()},
        clock,
        TableFacts(),
        lambda: start_table(f"replay:{SNAP}", clock, stored=tmp_path),
        code=lambda: "kite-7421",
    )
    service.start()
    try:
        seq = -1

        def told(wanted: Any) -> dict[str, Any]:
            nonlocal seq
            for _ in range(2000):
                frame = service.referee.wait_set_up(seq, 0.5)
                if frame is None:
                    continue
                seq = frame.seq
                shown = json.loads(frame.data)["told"]
                if shown is not None and wanted(shown):
                    found: dict[str, Any] = shown
                    return found
            raise AssertionError("the table process never told it")

        def order(number: int, **args: Any) -> str:
            return service.referee.post({"id": f"order-{number}", "game": "", "name": "set_up", "args": args}).status

        assert told(lambda shown: True)["layout"]["picture"] == "triangle"
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert order(1, do="begin", step="gains") == "applied"
        assert told(lambda shown: shown["step"] == "gains")["progress"]["wanted"] >= 36
        assert order(2, do="finish") == "applied"
        assert told(lambda shown: shown["refused"])["refused"]["code"] == "few_points"
        assert order(3, do="lay", picture="star") == "applied"
        assert (
            told(lambda shown: shown["refused"] and shown["refused"]["code"] != "few_points")["refused"]["code"]
            == "step_first"
        )
        assert order(4, do="leave") == "applied"
        assert told(lambda shown: not shown["step"])["result"] is None
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    finally:
        service.close()
