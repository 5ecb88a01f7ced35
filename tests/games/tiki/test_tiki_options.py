"""Settings: those in force, those refused by name and clause (T01, T05, T15-T17, T19, T22, T24, T26)."""

import json

import pytest

from companion.games.tiki import TikiTopple
from companion.games.tiki.options import FinalHands, Mode, Ties, read_options, write_options

NAMES = ["Ana", "Ben", "Cleo", "Dan"]


@pytest.mark.rule("T01", "T05", "T19")
def test_players_and_their_seats() -> None:
    options = read_options({"players": ["Ana", "Ben", "Cleo"], "first": 2, "colours": ["pink", "black", "white"]})
    assert (options.players, options.seats, options.first) == (("Ana", "Ben", "Cleo"), (0, 1, 2), 2)
    assert options.colours == ("pink", "black", "white")
    assert len(set(read_options({"players": NAMES}).colours)) == 4
    seated = read_options({"players": NAMES, "seats": [2, 0, 3, 1]})
    assert (seated.seats, seated.first) == ((2, 0, 3, 1), 2)


@pytest.mark.rule("T15")
@pytest.mark.parametrize(("players", "rounds"), [(2, 4), (3, 3), (4, 4)])
def test_as_many_rounds_as_players_four_with_two(players: int, rounds: int) -> None:
    assert read_options({"players": NAMES[:players]}).rounds == rounds
    assert read_options({"players": NAMES[:players], "rounds": rounds + 3}).rounds == rounds + 3
    with pytest.raises(ValueError, match=r"rounds: .*T15"):
        read_options({"players": NAMES[:players], "rounds": rounds - 1})


@pytest.mark.rule("T16", "T17", "T22", "T24")
def test_defaults_are_what_the_rules_say() -> None:
    options = read_options({"players": NAMES[:2]})
    assert (options.ties, options.mode, options.final_hands) == (Ties.REPEAT, Mode.FOLLOW, FinalHands.SAME)
    assert options.topple_bottom
    assert not options.to_35


@pytest.mark.rule("T26")
def test_to_35_leaves_no_room_for_a_number_of_rounds() -> None:
    assert read_options({"players": NAMES[:3], "to_35": True}).to_35
    with pytest.raises(ValueError, match=r"rounds: .*T26"):
        read_options({"players": NAMES[:3], "to_35": True, "rounds": 5})


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, "players"),
        ({"players": 1}, "players"),
        ({"players": 5}, "players"),
        ({"players": True}, "players"),
        ({"players": "three"}, "players"),
        ({"players": ["a"]}, "players"),
        ({"players": ["a", ""]}, "players"),
        ({"players": ["a", 5]}, "players"),
        ({"players": [*NAMES, "e"]}, "players"),
        ({"players": NAMES, "seats": [0, 1, 2]}, "seats"),
        ({"players": NAMES, "seats": [0, 1, 2, True]}, "seats"),
        ({"players": NAMES, "seats": "0123"}, "seats"),
        ({"players": NAMES[:3], "first": 3}, "first"),
        ({"players": NAMES[:3], "first": -1}, "first"),
        ({"players": NAMES[:3], "first": 1.0}, "first"),
        ({"players": NAMES[:3], "colours": ["red", "blue"]}, "colours"),
        ({"players": NAMES[:2], "colours": ["red", "red"]}, "colours"),
        ({"players": NAMES[:2], "colours": ["red", 7]}, "colours"),
        ({"players": NAMES[:2], "colours": "rb"}, "colours"),
        ({"players": NAMES[:2], "rounds": 100}, "rounds"),
        ({"players": NAMES[:2], "rounds": True}, "rounds"),
        ({"players": NAMES[:2], "to_35": 1}, "to_35"),
        ({"players": NAMES[:2], "ties": "coin"}, "ties"),
        ({"players": NAMES[:2], "ties": None, "mode": ["quick"]}, "mode"),
        ({"players": NAMES[:2], "topple_bottom": "yes"}, "topple_bottom"),
        ({"players": NAMES[:2], "final_hands": 7}, "final_hands"),
        ({"players": NAMES[:2], "roundz": 7}, "roundz"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, object], name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name}: "):
        TikiTopple().start(settings)


def test_options_round_trip_as_json() -> None:
    for settings in (
        {"players": NAMES[:4], "first": 3, "rounds": 7, "ties": "share", "mode": "quick"},
        {"players": NAMES[:2], "to_35": True, "topple_bottom": False, "final_hands": "seven"},
    ):
        options = read_options(settings)
        assert read_options(json.loads(json.dumps(write_options(options)))) == options
