"""What a phone is told of a game, checked on games played by the real rules."""

import json
from dataclasses import replace
from typing import Any

import pytest

from companion.games.fold import Dispute, Laying
from companion.games.game import Advance, Command
from companion.games.logline import LogLine
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.settings import CHOICES
from companion.games.yikerz.state import State
from companion.table import SECOND, Health, Picture, Stone
from companion.views.context import Undoable, ViewContext
from companion.views.yikerz import LAST_RULINGS, encode
from companion.views.yikerz_choices import UNSEEN

TILES = ((0.0, 0.0, 180.0), (75.0, -43.301, 0.0), (0.0, 86.603, 0.0), (-75.0, -43.301, 0.0))


class Table:
    """A game by buttons (Y24) with a hand-driven clock."""

    def __init__(self, *names: str, **settings: Any) -> None:
        self.rules = Yikerz()
        self.state: State = self.rules.start({"dealer": None, "seed": 1, **settings})
        self.t_us = SECOND
        for name in names:
            self.press("add_player", name=name)

    def press(self, command: str, player: int | None = None, **args: Any) -> None:
        self.t_us += SECOND // 10
        step = self.rules.apply(self.state, Command(f"id-{self.t_us}", command, self.t_us, 0, "Ana", player, args))
        assert step.refusal is None, step.refusal
        self.state = step.state

    def wait(self, seconds: float) -> None:
        self.t_us += round(seconds * SECOND)
        self.state = self.rules.apply(self.state, Advance(self.t_us)).state

    def view(self, **context: Any) -> dict[str, Any]:
        view = encode(self.state, ViewContext("g1", "yikerz", tiles=TILES, **context))
        assert json.loads(json.dumps(view)) == view
        return view


@pytest.fixture
def table() -> Table:
    table = Table("Ana", "Beto", "Ana María")
    table.press("set_dealer", 1)
    table.press("start")
    return table


def test_the_lobby_shows_players_with_their_signs_and_the_settings() -> None:
    view = Table("Ana", "Álvaro", "Ana B").view()
    assert view["phase"] == "lobby"
    assert [(p["id"], p["name"], p["seat"], p["letter"]) for p in view["players"]] == [
        (0, "Ana", 0, "A"),
        (1, "Álvaro", 1, "Á"),
        (2, "Ana B", 2, "N"),
    ]
    assert len({(p["colour"], p["shape"]) for p in view["players"]}) == 3
    shown = {choice["name"]: choice for choice in view["choices"]}
    assert (shown["best_of"]["value"], view["layout"]) == (3, "novice")
    assert set(CHOICES) - UNSEEN <= set(shown)
    assert all(choice["value"] in choice["values"] for choice in view["choices"])
    assert (view["turn"], view["next"], view["remove"]) == (None, None, None)


@pytest.mark.rule("Y02", "Y06", "Y26")
def test_a_turn_names_the_player_by_id_and_keeps_piles(table: Table) -> None:
    view = table.view()
    assert (view["phase"], view["turn"], view["next"], view["bag"], view["round"]) == ("turn", 1, 2, 2, 1)
    assert [p["pile"] for p in view["players"]] == [6, 6, 6]
    assert [p.get("dealer", False) for p in view["players"]] == [False, True, False]
    assert "choices" not in view


@pytest.mark.rule("Y13")
def test_the_deadline_is_given_on_the_server_clock(table: Table) -> None:
    table.press("placed")
    view = table.view(server_offset_us=5_000_000)
    assert (view["phase"], view["deadline_us"]) == ("countdown", table.t_us + 15 * SECOND)
    assert table.view(server_offset_us=None)["deadline_us"] is None
    table.wait(10)
    assert (table.view()["phase"], table.view()["turn"], table.view()["deadline_us"]) == ("turn", 2, None)


@pytest.mark.rule("Y10")
def test_what_has_to_be_taken_is_counted_down(table: Table) -> None:
    table.press("placed")
    table.wait(10)
    table.press("placed")
    table.press("collapsed", n=2)
    view = table.view()
    assert view["phase"] == "removing"
    assert view["remove"] == {"player": 2, "why": "collapse", "tracks": [], "table": 0, "left": 2, "taken": 0}
    assert [r["kind"] for r in view["rulings"]][-1] == "collapse"
    table.press("removed")
    assert table.view()["remove"] is None
    (taken,) = [r["data"] for r in table.view()["rulings"] if r["kind"] == "taken"]
    assert taken["count"] == 2


@pytest.mark.rule("Y15", "Y39")
def test_the_call_and_its_question_are_shown() -> None:
    table = Table("Ana", "Beto", stones=4)
    table.press("set_dealer", 0)
    table.press("start")
    table.press("placed")
    assert table.view()["call"] == {"player": 0, "state": "due"}
    table.press("next_player")
    questions = table.view()["questions"]
    assert [(q["code"], q["player"], q["choices"]) for q in questions] == [("call", 0, ["said", "not_said"])]
    table.press("answer", question=questions[0]["id"], choice="not_said")
    remove = table.view()["remove"]
    assert (remove["player"], remove["why"], remove["left"]) == (0, "penalty", 1)


@pytest.mark.rule("Y17", "Y41")
def test_the_winners_of_round_and_game_are_named() -> None:
    table = Table("Ana", "Beto", stones=2, best_of=1, last_call="assumed")
    table.press("set_dealer", 1)
    table.press("start")
    table.press("placed")
    assert table.view()["last_stone"] is True
    table.wait(10)
    view = table.view()
    assert (view["phase"], view["winners"], view["turn"]) == ("game_end", [1], None)


def test_the_picture_is_drawn_with_the_stones_to_take_glowing(table: Table) -> None:
    stones = (Stone(3, 10.04, -20.06, pole_up=-1), Stone(4, 1, 2, upright=True, turn=36.6, held=True))
    view = table.view(picture=Picture(0, stones), sensors=True, health=Health(0, "ok"))
    assert view["board"]["stones"] == [
        {"track": 3, "x": 10.0, "y": -20.1, "pole": -1},
        {"track": 4, "x": 1, "y": 2, "upright": True, "turn": 37, "held": True},
    ]
    assert view["board"]["tiles"][1] == {"x": 75.0, "y": -43.3, "rot": 0.0}


@pytest.mark.parametrize(
    ("sensors", "health", "shown"),
    [
        (False, None, "none"),
        (True, Health(0, "ok"), "held"),
        (True, Health(0, "stale"), "stale"),
        (True, Health(0, "stale", lag_ms=20_400.0, frame_rate=100.0), "late"),
        (True, Health(0, "lost"), "lost"),
        (True, None, "stale"),
    ],
)
def test_sensors_are_trusted_only_while_they_are_well(
    table: Table, sensors: bool, health: Health | None, shown: str
) -> None:
    view = table.view(sensors=sensors, health=health)
    assert (view["sensors"], view["health"].get("late_s")) == (shown, 20 if shown == "late" else None)


def test_a_fault_about_which_nothing_is_to_be_done_is_not_told_to_who_plays(table: Table) -> None:
    view = table.view(sensors=True, health=Health(0, "ok", faults=("zeros_anew", "load_absent")))
    assert view["health"]["faults"] == ["load_absent"]


def test_an_undo_says_what_it_takes_back(table: Table) -> None:
    assert table.view()["undo"] is None
    undoable = (
        Undoable("placed", "Beto"),
        Undoable("start", "Ana"),
    )
    shown = table.view(undoable=undoable, undone=3)
    assert (shown["undo"], shown["undone"]) == ({"what": "placed", "name": "placed", "by": "Beto"}, 3)


@pytest.mark.rule("Y33")
def test_a_fall_that_is_nobodys_says_where_the_stone_goes() -> None:
    table = Table("Ana", "Beto", early="bag")
    table.press("start")
    table.press("placed")
    table.wait(10)
    table.press("fell_off", n=1)
    ruling = table.view()["rulings"][-1]
    assert (ruling["kind"], ruling["player"], ruling["data"]["to"]) == ("fell_off", None, "bag")


@pytest.mark.failure("F3")
@pytest.mark.rule("Y22")
def test_a_ruling_shows_what_was_sensed_and_nothing_that_was_not(table: Table) -> None:
    evidence = {"gap_mm": 0.4321, "closing_speed_mm_s": 812.66, "weight_step_g": None, "note": "", "clip": "c-1"}
    line = LogLine(9, 0, "collapse", "Y10", 0, {"count": 2, "p": 0.97, "evidence": evidence, "stones": [1, 2]})
    table.state = replace(table.state, log=(line,))
    data = table.view()["rulings"][-1]["data"]
    assert data == {"count": 2, "p": 0.97, "evidence": {"gap_mm": 0.4, "closing_speed_mm_s": 812.7}}


@pytest.mark.rule("Y22")
def test_a_ruling_that_is_doubted_stays_in_sight_whatever_is_ruled_meanwhile(table: Table) -> None:
    lines = [LogLine(n, 0, "placed", "Y09", 0, {}) for n in range(60)]
    table.state = replace(table.state, log=tuple(lines[30:]))
    told = table.view(dispute=Dispute(12, 0, "Ana", 0, lines[12]))["rulings"]
    assert [ruling["n"] for ruling in told] == [12, *range(50, 60)]
    told = table.view(dispute=Dispute(55, 0, "Ana", 0, lines[55]))["rulings"]
    assert [ruling["n"] for ruling in told] == [*range(50, 60)]


def test_a_full_board_of_six_players_stays_small() -> None:
    table = Table("Ana", "Beto", "Carla", "Maximiliano", "Ñico", "Zoë", last_call="assumed")
    table.press("set_dealer", 0)
    table.press("start")
    for _ in range(18):
        table.press("placed")
        table.wait(10)
        if table.view()["phase"] == "round_end":
            break
    stones = tuple(Stone(k, 123.45 - k, -98.76 + k, pole_up=1) for k in range(18))
    view = table.view(picture=Picture(0, stones), sensors=True, health=Health(0, "ok"), server_offset_us=0)
    assert 5 < len(view["rulings"]) <= LAST_RULINGS
    data = json.dumps(view, separators=(",", ":"), ensure_ascii=False).encode()
    print(len(data))
    assert len(data) <= 3_500


@pytest.mark.rule("Y22")
def test_a_stone_to_be_put_back_is_drawn_where_it_lay_until_one_rests_there() -> None:
    table = Table("Ana", "Beto")
    table.press("start")
    places = (Stone(1, 0.0, 0.0, pole_up=1), Stone(2, 50.0, 0.0))
    laying = Laying(table.state, (1, 2), (7,), places, SECOND)

    def shown(*stones: Stone) -> list[dict[str, Any]]:
        view = table.view(laying=laying, picture=Picture(0, stones), server_offset_us=5)
        assert view["laying"] == {"back": 2, "off": 1, "since_us": SECOND + 5}
        return [stone for stone in view["board"]["stones"] if "ghost" in stone]

    assert [stone["track"] for stone in shown(Stone(7, 90.0, 0.0))] == ["back1", "back2"]
    assert shown(Stone(9, 48.0, 5.0)) == [{"track": "back1", "x": 0.0, "y": 0.0, "pole": 1, "ghost": True}]
    assert len(shown(Stone(9, 48.0, 5.0, held=True))) == 2
