"""A whole game as text: what was written is read again, and folds to the same game with the same rulings."""

import contextlib
import json
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.fold import Fold
from companion.games.game import Command, Entry
from companion.games.text import GameText, entry_text, parse, read_game, write_game
from companion.games.yikerz.game import Yikerz
from companion.table import SECOND, EventKind, Evidence, Stone, TableEvent
from tests.games.entries import games, sequences

FOLD = Fold(Yikerz())


def told(chosen: dict[str, Any], entries: list[Any]) -> GameText:
    """The game as the journal would tell it: accepted entries with their rulings."""
    folded, out = FOLD.start(chosen), []
    for entry in entries:
        folded, step = FOLD.apply(folded, entry)
        if step.refusal is None:
            rulings = json.loads(json.dumps([asdict(ruling) for ruling in step.rulings]))
            out.append((entry, tuple(rulings)))
    return GameText("yikerz", Yikerz().version, chosen, tuple(out))


@settings(max_examples=60)
@given(games(), sequences(most=25))
def test_a_game_round_trips_and_rules_the_same(chosen: dict[str, Any], entries: list[Entry]) -> None:
    game = told(chosen, entries)
    text = write_game(game, ["begun on\na day"])
    again = read_game(text)
    assert again == game
    assert write_game(again, ["begun on a day"]) == text
    assert told(dict(again.settings), [entry for entry, _ in again.entries]) == game


@pytest.mark.parametrize(
    "entry",
    [
        Command("id 1", "add_player", 5, 3, "Ana = é\u2028\n", None, {"name": 'Zoë "B"\u00a0= #\t!'}),
        Command("x", "edit", 5, args={"entry": 3, "args": {"player": 1}, "player": 2}),
        Command("x", "touched", 5, player=0, args={"A b": [1, {"c": None}], "id": "y"}),
        Command("x", "undo", SECOND * 10**6 + 1),
        TableEvent(EventKind.COLLAPSE, 7, (1, 2), 3, 9, 1.5, -2.25, (2,), True, evidence=Evidence(1.0, note="stack")),
        TableEvent(EventKind.SETTLED, 7, (), 2, 7, rest=(Stone(1, 0.0, 0.0), Stone(2, 3.5, 1.0, held=True, p=0.5))),
        TableEvent(EventKind.PLACED, 1, (4,), 1, 1, upright=True, pole_up=-1, stacked=True, p=0.25),
        TableEvent(EventKind.UNSEEN, 1, (), 0, 3, until_us=2_000_001),
    ],
    ids=lambda entry: f"{getattr(entry, 'name', getattr(entry, 'kind', ''))}",
)
def test_every_field_of_an_entry_is_kept(entry: Entry) -> None:
    line = entry_text(entry)
    assert "\n" not in line
    (again,) = parse(line)
    assert again.entry == entry


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("1 banana #1", "banana"),
        ("1 placed #x", "line 1"),
        ("1e400 placed", "line 1"),
        ("1 placed p=soon", "p"),
        ("1 settled rest=[[1]]", "line 1"),
        ("settings a=1", "game NAME"),
        ("game yikerz 1\n> placed", "ruling"),
        ("game yikerz 1\nrules Y10", "rules"),
        ("game yikerz 1\n1 !placed args=5", "args"),
    ],
)
def test_a_text_that_is_none_is_refused_with_its_line(text: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        read_game(text)


@settings(max_examples=100)
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ValueError):
        read_game("game yikerz 1\n" + text)


def test_a_text_of_another_form_does_not_pass_for_the_same() -> None:
    game = told({"players": ["A"], "begin": "at_once"}, [Command("c", "placed", SECOND)])
    assert read_game(write_game(game)) != replace(game, settings={})
