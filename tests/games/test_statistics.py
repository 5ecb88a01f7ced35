"""Rulings that count, told from the journal's rulings alone, and the figures that are derived from them (I5, I7)."""

import json
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.effective import effective
from companion.games.fold import Fold
from companion.games.game import Advance, Command
from companion.games.past import numbers
from companion.games.yikerz import statistics
from companion.games.yikerz.game import Yikerz
from companion.table import SECOND, EventKind, Stone, TableEvent
from tests.games.entries import games, sequences

GAME = Yikerz()
FOLD = Fold(GAME)


def fold(chosen: dict[str, Any], entries: list[Any]) -> tuple[Any, list[dict[str, Any]]]:
    """The fold, and the rulings that count as told from the rulings of the entries alone."""
    folded = FOLD.start(chosen)
    before, rulings = GAME.ruled(folded.state), []
    for entry in entries:
        folded, step = FOLD.apply(folded, entry)
        rulings.append(json.loads(json.dumps([asdict(ruling) for ruling in step.rulings])))
    return folded, effective(rulings, before)


@pytest.mark.failure("I5", "I7")
@settings(max_examples=60)
@given(st.data(), games(), sequences(most=20))
def test_what_counts_is_what_the_fold_says(
    data: st.DataObject, chosen: dict[str, Any], entries: list[TableEvent | Command]
) -> None:
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(entries)))
        t_us = entries[at - 1].t_us if at else SECOND
        number, n = data.draw(st.integers(1, 12)), data.draw(st.integers(1, 3))
        change = Command("e", "edit", t_us, args={"entry": number, "args": {"n": n}})
        strike = Command("e", "edit", t_us, args={"entry": number, "drop": True})
        undo = Command("u", "undo", t_us)
        entries = [*entries[:at], data.draw(st.sampled_from([change, strike, undo])), *entries[at:]]
    folded, counted = fold(chosen, entries)
    assert {ruling["number"] for ruling in counted} == numbers(folded.done)
    log = {line.number: line.kind for line in folded.state.log}
    assert all(log.get(ruling["number"], ruling["kind"]) == ruling["kind"] for ruling in counted)


CHOSEN = {"players": ["Ana", "Ben"], "stones": 8, "begin": "at_once", "dealer": 0, "last_call": "assumed"}
PLAYED = [
    Command("1", "placed", 4 * SECOND),
    Command("2", "placed", 20 * SECOND),  # Ben, after Ana's ten seconds
    Command("3", "placed", 31 * SECOND),
    Command("4", "collapsed", 33 * SECOND, args={"n": 2}),
    Command("5", "removed", 35 * SECOND),
    Advance(46 * SECOND),
    Command("6", "placed", 50 * SECOND),
    Command("7", "fell_off", 52 * SECOND, args={"n": 1}),
    Command("8", "removed", 53 * SECOND),
]


def test_the_figures_of_a_game() -> None:
    _, counted = fold(CHOSEN, PLAYED)
    figures = statistics.of_game(counted, {0: "Ana", 1: "Ben"})
    ana, ben = figures["Ana"], figures["Ben"]
    assert (ana["turns"], ana["placed"], ana["stayed"], ana["collapses"], ana["biggest_collapse"]) == (2, 2, 1, 1, 2)
    assert (ana["taken"], ana["longest_turn_s"], ana["longest_streak"]) == (2, 15.0, 1)
    assert (ben["turns"], ben["placed"], ben["falls"], ben["collapses"]) == (1, 2, 1, 0)
    assert ben["longest_turn_s"] == pytest.approx(16.0)


@pytest.mark.failure("I5")
def test_an_undone_collapse_is_in_no_figure() -> None:
    _, counted = fold(CHOSEN, [*PLAYED[:4], Command("u", "undo", 34 * SECOND)])
    assert statistics.of_game(counted, {0: "Ana", 1: "Ben"})["Ana"]["collapses"] == 0


LIES = [
    TableEvent(kind, t_s * SECOND, (track,), 1)
    for track, at_s in ((1, 1), (2, 13), (3, 25))
    for kind, t_s in ((EventKind.APPROACH, at_s), (EventKind.PLACED, at_s + 1), (EventKind.RELEASED, at_s + 2))
]
"""Ana, Ben and Ana again have let go their stones."""


def of_three(kind: EventKind, t_s: float, *stones: int) -> TableEvent:
    rest = tuple(Stone(track, 0.0, 0.0) for track in stones) if kind is EventKind.REFUTED else ()
    return TableEvent(kind, round(t_s * SECOND), stones, len(stones), rest=rest)


@pytest.mark.rule("Y22")
@pytest.mark.parametrize("taken", [[], [Command("r", "removed", 30 * SECOND)]], ids=["not taken", "taken"])
def test_a_collapse_that_was_none_is_in_no_figure(taken: list[Command]) -> None:
    told = [
        of_three(EventKind.COLLAPSE, 28, 1, 2),
        replace(of_three(EventKind.COLLAPSE, 28.5, 1, 2, 3), grown=True),
        of_three(EventKind.FELL_OFF, 29, 3),
        *taken,
        of_three(EventKind.REFUTED, 31, 1, 2, 3),
    ]
    _, counted = fold({**CHOSEN, "stones": 12}, [*LIES, *told, Advance(50 * SECOND)])
    _, without = fold({**CHOSEN, "stones": 12}, [*LIES, Advance(50 * SECOND)])
    players = {0: "Ana", 1: "Ben"}
    assert statistics.of_game(counted, players) == statistics.of_game(without, players)


@pytest.mark.rule("Y22")
def test_what_was_taken_for_another_collapse_still_counts() -> None:
    told = [
        of_three(EventKind.COLLAPSE, 16, 1, 2),
        of_three(EventKind.REMOVED, 17, 1, 2),
        of_three(EventKind.APPROACH, 28, 3),
        of_three(EventKind.RELEASED, 29, 3),
        of_three(EventKind.APPROACH, 40, 4),
        of_three(EventKind.COLLAPSE, 41, 3, 4),
        of_three(EventKind.REFUTED, 42, 3, 4),
    ]
    _, counted = fold({**CHOSEN, "stones": 12}, [*LIES[:6], *told])
    figures = statistics.of_game(counted, {0: "Ana", 1: "Ben"})
    assert [(figures[name]["collapses"], figures[name]["taken"]) for name in ("Ana", "Ben")] == [(0, 0), (1, 2)]


@pytest.mark.rule("Y22", "Y29")
def test_a_collapse_that_was_the_bringers_and_none_is_in_no_figure() -> None:
    brought = [of_three(EventKind.APPROACH, 37, 4), of_three(EventKind.APPROACH, 38, 5)]
    told = [
        of_three(EventKind.COLLAPSE, 39, 1, 2),
        Command("a", "answer", 40 * SECOND, args={"question": 39 * SECOND, "choice": "brought"}),
        of_three(EventKind.REMOVED, 41, 1, 2),
        of_three(EventKind.REFUTED, 42, 1, 2),
    ]
    _, counted = fold({**CHOSEN, "stones": 12}, [*LIES, *brought, *told])
    assert {"answered", "taken", "taken_back"} <= {ruling["kind"] for ruling in counted}
    _, without = fold({**CHOSEN, "stones": 12}, [*LIES, *brought])
    players = {0: "Ana", 1: "Ben"}
    assert statistics.of_game(counted, players) == statistics.of_game(without, players)


def test_a_game_of_rules_that_named_no_rulings_taken_back_has_figures() -> None:
    told = {"t_us": SECOND, "kind": "taken_back", "clause": "Y22", "player": 0, "data": {"stones": [1, 2]}, "number": 1}
    assert statistics.of_game([told], {0: "Ana"})["Ana"]["collapses"] == 0


def test_figures_of_several_games_add_up_by_name() -> None:
    _, counted = fold(CHOSEN, PLAYED)
    one = statistics.of_game(counted, {0: "Ana", 1: "Ben"})
    other = statistics.of_game(counted, {0: "Cem", 1: "Ana"})
    both = statistics.together([one, other])
    assert list(both) == ["Ana", "Ben", "Cem"]
    assert both["Ana"]["games"] == 2
    assert both["Ana"]["turns"] == one["Ana"]["turns"] + other["Ana"]["turns"]
    assert both["Ana"]["longest_turn_s"] == pytest.approx(16.0)


def test_rounds_and_games_won() -> None:
    result = Command("r", "round_result", SECOND, args={"winner": 1, "left": [3, 0]})
    _, counted = fold({**CHOSEN, "best_of": 1}, [result])
    figures = statistics.of_game(counted, {0: "Ana", 1: "Ben"})
    assert (figures["Ben"]["rounds_won"], figures["Ben"]["games_won"], figures["Ana"]["games_won"]) == (1, 1, 0)


@pytest.mark.rule("Y35")
@pytest.mark.parametrize("comes_past", [False, True])
def test_a_fallen_stone_that_is_seen_on_its_way_home_is_taken_once(comes_past: bool) -> None:
    told = [of_three(EventKind.FELL_OFF, 28, 1), TableEvent(EventKind.SETTLED, 29 * SECOND, count=2)]
    if comes_past:
        told += [of_three(EventKind.APPROACH, 31, 1), of_three(EventKind.WITHDRAWN, 32, 1)]
    _, counted = fold({**CHOSEN, "stones": 12}, [*LIES, *told, Advance(50 * SECOND)])
    taken = [ruling["data"]["stones"] for ruling in counted if ruling["kind"] == "taken"]
    assert taken == [[1]]
    assert statistics.of_game(counted, {0: "Ana", 1: "Ben"})["Ana"]["taken"] == 1


@pytest.mark.rule("Y29", "Y35")
@pytest.mark.parametrize("comes_past", [False, True])
def test_a_fallen_stone_that_counted_as_taken_and_was_the_bringers_is_taken_by_the_bringer_alone(
    comes_past: bool,
) -> None:
    told = [
        *(of_three(EventKind.APPROACH, t_s, track) for t_s, track in ((37, 4), (38, 5))),
        of_three(EventKind.FELL_OFF, 39, 1),
        *(of_three(EventKind.WITHDRAWN, t_s, track) for t_s, track in ((40, 4), (41, 5))),
        TableEvent(EventKind.SETTLED, 42 * SECOND, count=2, rest=(Stone(2, 0.0, 0.0), Stone(3, 0.0, 0.0))),
        Command("a", "answer", 43 * SECOND, args={"question": 39 * SECOND, "choice": "brought"}),
    ]
    if comes_past:
        told += [of_three(EventKind.APPROACH, 44, 1), of_three(EventKind.WITHDRAWN, 45, 1)]
    _, counted = fold({**CHOSEN, "stones": 12}, [*LIES, *told])
    taken = [(ruling["player"], ruling["data"]["stones"]) for ruling in counted if ruling["kind"] == "taken"]
    assert taken == [(1, [4]), (1, [1]), (0, [1])]  # 4: Ben's own, which went back for the fall
    figures = statistics.of_game(counted, {0: "Ana", 1: "Ben"})
    assert [(figures[name]["falls"], figures[name]["taken"]) for name in ("Ana", "Ben")] == [(1, 1), (0, 1)]


@pytest.mark.rule("Y29", "Y32")
@pytest.mark.parametrize("choice", ["in_turn", "brought"])
def test_what_collapsed_and_fell_is_charged_to_whom_the_table_says(choice: str) -> None:
    """Ben's own collapse comes first, and is his; what comes while Ana's stone is at the board is asked about."""
    told = [
        of_three(EventKind.APPROACH, 37, 4),
        of_three(EventKind.COLLAPSE, 38, 3, 4),
        of_three(EventKind.APPROACH, 39, 5),
        of_three(EventKind.COLLAPSE, 40, 1, 2),
        of_three(EventKind.REMOVED, 41, 1, 2),
        of_three(EventKind.REMOVED, 42, 3, 4),
        Command("a", "answer", 43 * SECOND, args={"question": 40 * SECOND, "choice": choice}),
    ]
    _, counted = fold({**CHOSEN, "stones": 12}, [*LIES, *told])
    figures = statistics.of_game(counted, {0: "Ana", 1: "Ben"})
    charged = [(figures[name]["collapses"], figures[name]["biggest_collapse"]) for name in ("Ana", "Ben")]
    assert charged == {"in_turn": [(0, 0), (2, 2)], "brought": [(1, 2), (1, 2)]}[choice]


@pytest.mark.rule("Y29", "Y32")
def test_a_fault_of_a_turn_before_stays_whose_it_is_when_its_stones_are_asked_about_again() -> None:
    """Ana has the stones 1 and 2 for a collapse, lays both anew, and Ben makes them collapse in her turn."""
    laid = [
        of_three(kind, at_s + n, track)
        for at_s, track in ((42, 4), (54, 1), (66, 5), (78, 2), (90, 6))
        for n, kind in enumerate((EventKind.APPROACH, EventKind.RELEASED))
    ]
    told = [
        of_three(EventKind.COLLAPSE, 30, 1, 2),
        of_three(EventKind.REMOVED, 31, 1, 2),
        *laid,
        of_three(EventKind.APPROACH, 102, 7),
        of_three(EventKind.APPROACH, 103, 8),
        of_three(EventKind.COLLAPSE, 104, 1, 2),
        Command("a", "answer", 105 * SECOND, args={"question": 104 * SECOND, "choice": "brought"}),
    ]
    _, counted = fold({**CHOSEN, "stones": 20}, [*LIES, *told])
    assert [ruling["player"] for ruling in counted if ruling["kind"] == "collapse"] == [0, 0]
    figures = statistics.of_game(counted, {0: "Ana", 1: "Ben"})
    assert (figures["Ana"]["collapses"], figures["Ben"]["collapses"]) == (1, 1)
