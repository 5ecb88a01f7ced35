"""The names that pages are built on: all that the referee says and takes is listed."""

import json
from typing import Any

import pytest

from companion.games.record import from_plain, to_plain
from companion.games.yikerz.answers import ACTIONS
from companion.games.yikerz.buttons import COMMANDS as PRESSES
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.names import COMMANDS, QUESTIONS, REFUSALS, RULINGS
from companion.games.yikerz.recorded import settings_of
from companion.games.yikerz.sensors import TRANSITIONS
from companion.games.yikerz.settings import CHOICES, Settings
from companion.games.yikerz.state import State
from companion.table import EventKind
from tests.scenario import SCENARIOS, parse, play


def test_commands_and_questions_are_those_listed() -> None:
    assert PRESSES.keys() == COMMANDS.keys()
    assert ACTIONS.keys() == QUESTIONS.keys()
    assert TRANSITIONS.keys() == set(EventKind)


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*.txt")), ids=lambda path: path.stem)
def test_rulings_and_refusals_are_those_listed(path: Any) -> None:
    lines = parse(path.read_text(encoding="utf-8"))
    refused = {line.words[1] for line in lines if line.sort == "ruling" and line.words[0] == "refused"}
    assert refused <= REFUSALS.keys()
    kinds = {line.kind for line in play(lines).state.log}
    assert kinds <= RULINGS.keys()


def test_defaults_are_the_first_choices() -> None:
    for name, words in CHOICES.items():
        assert getattr(Settings(), name) == words[0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("last_call", "never"),
        ("countdown_s", 0),
        ("countdown_s", float("nan")),
        ("best_of", 4),
        ("stones", 2.5),
        ("stones", True),
        ("piles", [1, -1]),
        ("dealer", "Ana"),
        ("layout", ""),
        ("layout", "banana"),
        ("layout", ["novice"]),
        ("no_such", 1),
    ],
)
def test_wrong_settings_are_named(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        Yikerz().start({"players": ["A", "B"], name: value})


def test_the_game_of_a_recording_is_dealt_as_recorded() -> None:
    game = {
        "game": "yikerz",
        "players": ["P1", "P2", "P3"],
        "first": 2,
        "piles": [6, 6, 6],
        "bag": 2,
        "stones": 20,
        "settings": {"last_call": "assumed"},
    }
    state = Yikerz().start(settings_of(game))
    assert (state.phase, state.seat, state.piles, state.bag) == ("turn", 2, (6, 6, 6), 2)
    assert state.settings.answers == "nobody"


@pytest.mark.parametrize("change", [{"game": "cirkis"}, {"piles": None}])
def test_no_game_of_a_recording(change: dict[str, Any]) -> None:
    game = {"game": "yikerz", "players": ["A"], "first": 0, "piles": [2], "bag": 0, "stones": 2, **change}
    game = {name: value for name, value in game.items() if value is not None}
    with pytest.raises(ValueError, match=r"game\.json"):
        settings_of(game)


def test_records_that_are_none_are_named() -> None:
    plain = to_plain(State(Settings()))
    assert from_plain(State, json.loads(json.dumps(plain))) == State(Settings())
    for wrong in ({"seats": 1}, {"piles": 3}, {"stage": "asleep"}, {"seat": "0"}, {"players": [{"id": 1}]}):
        with pytest.raises(ValueError, match=r"seats|piles|stage|seat|Player|asleep"):
            from_plain(State, {**plain, **wrong})


@pytest.mark.rule("Y26")
def test_the_dealer_is_drawn_by_the_seed_alone() -> None:
    game = Yikerz()
    drawn = [game.start({"players": list("ABCD"), "begin": "at_once", "seed": seed}).dealer for seed in range(40)]
    assert set(drawn) == {0, 1, 2, 3}
    again = [game.start({"players": list("ABCD"), "begin": "at_once", "seed": seed}).dealer for seed in range(40)]
    assert drawn == again


@pytest.mark.parametrize(
    ("name", "kept"),
    [("A\x00n\u202ea\ud800", "Ana"), ("\ufeff Zoë\u200b\tB ", "Zoë B"), ("Ñico 🙂", "Ñico 🙂")],
    ids=["controls", "blanks", "letters"],
)
def test_a_name_is_freed_of_what_cannot_be_printed(name: str, kept: str) -> None:
    assert Yikerz().start({"players": [name]}).players[0].name == kept


def test_a_name_of_nothing_that_can_be_printed_is_empty() -> None:
    with pytest.raises(ValueError, match="name_empty"):
        Yikerz().start({"players": ["\u202e\x00 \u200b"]})


@pytest.mark.parametrize(("field", "value"), [("settings", [1]), ("settings", 5), ("players", 2), ("piles", None)])
def test_a_recording_of_the_wrong_form_is_named(field: str, value: Any) -> None:
    game = {"game": "yikerz", "players": ["A", "B"], "first": 0, "piles": [6, 6], "bag": 0, "stones": 12}
    with pytest.raises(ValueError, match=field):
        settings_of({**game, field: value})
