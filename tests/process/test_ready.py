"""A round begins on a table that is ready; if not, with its reasons, or anyway, which is journaled (F5)."""

from collections.abc import Mapping
from typing import Any

import pytest

from companion.games.yikerz.layout import Tile, presets
from companion.games.yikerz.ready import REASONS, not_ready
from companion.process.kinds.yikerz import yikerz
from companion.process.referee.inbox import LinkDown
from companion.table import Complete, EventKind, Health, Numbered, Picture, Stone, TableEvent
from companion.views.port import Answer
from tests.process.service import Bench, S


class Table(Bench):
    """An owner whose table has so many stones on the board, and a game in the lobby that holds the sensors."""

    def __init__(self, stones: int = 0, state: str = "ok", sensors: bool = True) -> None:
        super().__init__(kinds={"yikerz": yikerz()})
        self.link_up()
        self.game = self.new_game(sensors=sensors, players=["Ana", "Beto"])
        self.lies(stones, state)

    def lies(self, stones: int, state: str = "ok") -> None:
        self.pass_time(S // 10)
        t_us = self.clock.now_us() - self.offset_us
        seen = tuple(Stone(track, 0.0, 0.0) for track in range(stones))
        health = Health(t_us, state, clock_offset_us=self.offset_us)
        self.hear(Picture(t_us, seen), health, Complete(t_us))

    def begin(self, name: str = "start", **args: Any) -> Answer:
        press_id = f"p{next(self.numbers)}"
        self.press(name, self.game, id=press_id, **args)
        for _ in range(3):
            self.lies(0)
        answer = self.press(name, self.game, id=press_id, **args)
        assert answer is not None
        return answer


@pytest.mark.failure("F5")
def test_a_start_with_stones_on_the_board_is_refused_with_the_reason() -> None:
    table = Table(stones=3)
    assert table.view(table.game)["against"] == [{"code": "stones_on_board", "n": 3}]
    answer = table.begin()
    assert (answer.status, answer.code) == ("refused", "not_ready")
    assert answer.body == {"args": {"against": [{"code": "stones_on_board", "n": 3}]}}
    assert table.view(table.game)["phase"] == "lobby"
    assert table.begin().status == "applied"  # they have been taken off since
    assert "against" not in table.view(table.game)


@pytest.mark.failure("F5")
def test_beginning_anyway_is_journaled_with_what_spoke_against_it() -> None:
    table = Table(stones=2, state="stale")
    assert table.begin(anyway=True).status == "applied"
    rulings = table.rulings(table.game)
    assert rulings[0]["kind"] == "begun_anyway"
    assert rulings[0]["data"] == {"against": ["sensors_not_ready", "stones_on_board"]}
    entry = next(e.new for e in table.journal.entries(table.game) if e.new.body.get("name") == "start")
    assert entry.body["args"]["anyway"] is True


@pytest.mark.rule("Y21")
@pytest.mark.failure("F5", "G7")
@pytest.mark.parametrize("restarted", [False, True])
def test_what_lay_there_when_the_table_began_anyway_is_not_asked_about_also_after_a_restart(restarted: bool) -> None:
    table = Table(stones=2)
    assert table.begin(anyway=True).status == "applied"
    bench: Bench = table
    if restarted:
        table.post(LinkDown(False, "ended"))
        table.owner.close()
        bench = Bench(table.journal, table.clock, {"yikerz": yikerz()})
        bench.link_up()

    def at_rest(*tracks: int) -> Mapping[str, Any]:
        """The view when the board has shown these for longer than a wrong count may stand."""
        bench.pass_time(S)
        t_us = bench.clock.now_us() - bench.offset_us
        rest = tuple(Stone(track, 0.0, 0.0) for track in tracks)
        settled = TableEvent(EventKind.SETTLED, t_us, count=len(rest), t_report_us=t_us, rest=rest)
        bench.hear(*([Numbered(0)] if restarted else []), settled, Complete(t_us))
        bench.pass_time(3 * S)
        bench.complete(t_us + 3 * S)
        return bench.view(table.game)

    kept: set[str] = {question["code"] for question in at_rest(0, 1)["questions"]}
    assert kept == ({"unseen"} if restarted else set())
    assert "more" not in {question["code"] for question in at_rest(1)["questions"]}  # one has been taken off
    assert "more" in {question["code"] for question in at_rest(1, 2)["questions"]}  # but this one has come


@pytest.mark.failure("F5")
def test_a_computer_that_is_behind_is_not_called_one_that_does_not_see() -> None:
    late = Health(0, "stale", lag_ms=20_400.0, frame_rate=100.0)
    assert not_ready(None, late) == [{"code": "sensors_late", "n": 20}]
    assert not_ready(None, Health(0, "stale")) == [{"code": "sensors_not_ready"}]


@pytest.mark.failure("F5")
def test_a_game_by_buttons_asks_nobody_whether_the_table_is_ready() -> None:
    table = Table(stones=3, sensors=False)
    assert table.begin().status == "applied"
    assert table.rulings(table.game)[0]["kind"] == "round_start"


@pytest.mark.failure("F5")
def test_what_a_phone_says_of_the_table_does_not_count() -> None:
    table = Table()
    assert table.begin(anyway=True, against=[{"code": "made_up"}]).status == "applied"
    assert "begun_anyway" not in {ruling["kind"] for ruling in table.rulings(table.game)}


@pytest.mark.failure("F5")
def test_the_next_round_asks_again() -> None:
    table = Table()
    assert table.begin().status == "applied"
    table.press("round_result", table.game, winner=0, left=[0, 4])
    table.lies(5)
    assert table.view(table.game)["phase"] == "round_end"
    assert table.view(table.game)["against"] == [{"code": "stones_on_board", "n": 5}]
    assert table.begin("next_round").code == "not_ready"
    assert table.begin("next_round").status == "applied"


@pytest.mark.rule("Y05")
@pytest.mark.failure("F5")
def test_triangles_that_do_not_lie_as_they_must_speak_against_it() -> None:
    ok = Health(0, "ok")
    laid = presets(150.0)["novice"]
    assert not_ready(None, ok, laid) == []
    away = (*laid[:3], Tile(2000.0, 0.0))
    assert not_ready(None, ok, away) == [{"code": "tiles_illegal", "tile": 3}]
    found = not_ready(Picture(0, (Stone(1, 0.0, 0.0),)), None, away)
    late = not_ready(None, Health(0, "stale", frame_rate=100.0))
    assert {reason["code"] for reason in (*found, *late)} == set(REASONS)
