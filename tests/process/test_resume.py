"""A game of ¡Yikerz! resumed after days: at any moment it is as it was, and goes on, undoes and is told the same."""

import json
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.clock import HandClock
from companion.games.game import Command
from companion.games.yikerz.state import State
from companion.journal import MemoryJournal
from companion.process.kinds.yikerz import yikerz
from companion.process.referee.answers import Ticket
from companion.process.referee.documents import Documents
from companion.process.referee.inbox import LinkDown, LinkUp, Reports
from companion.process.referee.play import Play
from companion.table import Complete, EventKind, Health, TableEvent
from companion.views.port import Answer
from tests.games.entries import games, sequences
from tests.process.service import Bench, S

DAYS_US = 3 * 24 * 3600 * S


def state_of(bench: Bench, game: str) -> State:
    play: Play = bench.owner._listed.plays[game]
    state: State = play._folded.state
    return state


class Household:
    """A table that is played at and switched off now and then. Tracks of each session are its own."""

    def __init__(self, chosen: dict[str, Any], sensors: bool) -> None:
        self.journal, self.clock = MemoryJournal(), HandClock(1000 * S)
        self.sensors = sensors
        self.bench = self.switch_on()
        self.game = self.bench.new_game(sensors=sensors, **chosen)
        self.presses = 0

    def switch_on(self) -> Bench:
        bench = Bench(self.journal, self.clock, {"yikerz": yikerz()})
        if self.sensors:
            bench.post(LinkUp(), Reports((Health(0, "ok", clock_offset_us=self.clock.now_us()),)))
        self.began_us = self.clock.now_us()
        return bench

    def switch_off(self, for_us: int) -> None:
        if self.sensors:
            self.bench.post(LinkDown(False, "ended"))
        self.bench.owner.close()
        self.clock.advance(for_us)

    def happens(self, entry: TableEvent | Command) -> None:
        """Now, one second after the one before."""
        self.clock.advance(S)
        board_us = self.clock.now_us() - self.began_us
        if isinstance(entry, Command):
            self.presses += 1
            version, now_us = self.bench.view(self.game)["version"], self.clock.now_us()
            press = (f"p{self.presses}", self.game, entry.name, now_us, version)
            ticket, _ = self.bench.owner.answers.admit(Ticket(*press, player=entry.player, args=dict(entry.args)))
            self.bench.owner.inbox.post(ticket)
            self.clock.advance(S // 5)
        elif self.sensors:
            until = None if entry.until_us is None else board_us
            told = replace(entry, t_us=board_us, t_report_us=board_us, until_us=until)
            self.bench.hear(told)
        if self.sensors:
            self.bench.hear(Complete(self.clock.now_us() - self.began_us))
        self.bench.owner.step()


@pytest.mark.slow
@pytest.mark.failure("G7")
@pytest.mark.rule("Y22", "Y23")
@settings(max_examples=60)
@given(games(), sequences(most=14), st.booleans(), st.sets(st.integers(0, 13), max_size=3))
def test_after_days_a_game_is_as_it_was(
    chosen: dict[str, Any], entries: list[TableEvent | Command], sensors: bool, off: set[int]
) -> None:
    house = Household(chosen, sensors)
    for number, entry in enumerate(entries):
        house.happens(entry)
        if number in off:
            before = state_of(house.bench, house.game)
            shown = house.bench.view(house.game)
            house.switch_off(DAYS_US)
            house.bench = house.switch_on()
            after = state_of(house.bench, house.game)
            assert after == before
            again = house.bench.view(house.game)
            for key in ("phase", "players", "rulings", "questions", "undo", "entries"):
                assert again.get(key) == shown.get(key), key
            assert not house.bench.owner._listed.plays[house.game].fault
    # everything can still be taken back, step by step, with whatever was switched off in between
    for _ in range(80):
        if house.bench.view(house.game)["undo"] is None:
            break
        house.happens(Command("u", "undo", 0, 0, "phone", None, {}))
    assert house.bench.view(house.game)["undo"] is None


Seen: TypeAlias = tuple[EventKind, tuple[int, ...]]
TWO_LIE: tuple[Seen, ...] = (
    (EventKind.APPROACH, (1,)),
    (EventKind.RELEASED, (1,)),
    (EventKind.APPROACH, (2,)),
    (EventKind.RELEASED, (2,)),
)


def _one_by_one(missing: dict[str, Any], question: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """Rules 3 told two stones that left unruled one after the other, rules 4 tell them together."""
    return (
        {**missing, "data": {"stones": [1], "missing": 1}},
        {**question, "data": {**question["data"], "stones": [1]}},
        {**missing, "data": {"stones": [2], "missing": 2}},
        question,
    )


@pytest.mark.rule("Y37")
def test_a_game_of_rules_that_are_not_kept_any_more_is_told_as_that_and_keeps_what_was_ruled() -> None:
    bench = Bench(MemoryJournal(), kinds={"yikerz": yikerz()})
    bench.link_up()
    game = bench.new_game(sensors=True, players=["Ana", "Beto"], begin="at_once", answers="people")
    for t_s, (kind, stones) in enumerate((*TWO_LIE, (EventKind.REMOVED, (1, 2))), 1):
        bench.clock.advance(S)
        bench.hear(TableEvent(kind, t_s * S, stones, len(stones), t_s * S), Complete(t_s * S))
    now = [entry.new for entry in bench.journal.entries(game)]
    then = _one_by_one(*now[-1].rulings)
    journal = MemoryJournal()
    journal.append([replace(entry, rules="3") for entry in now[:-1]])
    journal.append([replace(now[-1], rules="3", rulings=then)])
    before = list(journal.entries())
    after = Bench(journal, kinds={"yikerz": yikerz()})
    assert after.view(game)["notice"] == "older_rules"
    assert after.press("call", game) == Answer("refused", "older_rules")
    told = Documents(journal, {"yikerz": yikerz()}).of(game, "json")
    assert told is not None
    shown = json.loads(told.data)["entries"][-1]["rulings"]
    assert [each["data"] for each in shown] == [each["data"] for each in then]
    assert list(journal.entries()) == before


@pytest.mark.parametrize("taken_back", [False, True])
def test_a_game_that_had_ended_under_older_rules_is_listed_as_over_and_not_as_cut_off(taken_back: bool) -> None:
    bench = Bench(MemoryJournal())
    game = bench.new_game()
    bench.press("press", game)
    bench.pass_time(S)
    rows = [entry.new for entry in bench.journal.entries(game)]
    ruled_then = {"t_us": rows[-1].t_us, "kind": "game_end", "clause": "Y18", "player": 0, "data": {}, "asked": False}
    ended = replace(rows[-1], rules="0", rulings=(ruled_then,))
    undone = replace(ended, kind="undo", rulings=())
    journal = MemoryJournal()
    journal.append([*rows[:-1], ended, *([undone] if taken_back else [])])
    (listed,) = Bench(journal).view("")["games"]
    assert listed.get("cut_off", False) is taken_back
    assert (listed["phase"] == "game_end") is not taken_back


@pytest.mark.rule("Y10")
def test_a_game_of_older_rules_in_which_a_collapse_was_taken_goes_on_where_nothing_is_ruled_otherwise_now() -> None:
    bench = Bench(MemoryJournal(), kinds={"yikerz": yikerz()})
    bench.link_up()
    game = bench.new_game(sensors=True, players=["Ana", "Beto"], begin="at_once", answers="people", dealer=0)
    for t_s, (kind, stones) in enumerate((*TWO_LIE, (EventKind.COLLAPSE, (1, 2)), (EventKind.REMOVED, (1, 2))), 1):
        bench.clock.advance(S)
        bench.hear(TableEvent(kind, t_s * S, stones, len(stones), t_s * S), Complete(t_s * S))
    entries = [replace(entry.new, rules="5") for entry in bench.journal.entries(game)]
    (taken,) = [ruling for ruling in entries[-1].rulings if ruling["kind"] == "taken"]
    piles = [player["pile"] for player in bench.view(game)["players"]]
    as_rules_5_told = {"stones": (1, 2), "left": 0, "piles": piles, "how": "seen"}
    rulings = [{**each, "data": as_rules_5_told} if each is taken else each for each in entries[-1].rulings]
    journal = MemoryJournal()
    journal.append([*entries[:-1], replace(entries[-1], rulings=tuple(rulings))])
    after = Bench(journal, kinds={"yikerz": yikerz()})
    assert not after.view(game).get("notice")
    assert state_of(after, game) == replace(state_of(bench, game), rules=5)


def test_a_game_that_the_end_of_the_service_cut_off_is_told_as_that_until_somebody_goes_on_with_it() -> None:
    journal, clock = MemoryJournal(), HandClock(1000 * S)
    bench = Bench(journal, clock)
    game = bench.new_game()
    bench.press("press", game)
    bench.pass_time(S)
    assert "cut_off" not in bench.view("")["games"][0]
    bench.owner.close()
    again = Bench(journal, clock)
    assert again.view("")["games"][0]["cut_off"]
    again.pass_time(S)
    assert again.view("")["games"][0]["cut_off"]
    again.press("press", game, again.view(game)["version"])
    again.pass_time(S)
    assert "cut_off" not in again.view("")["games"][0]


@pytest.mark.rule("Y23")
def test_a_game_cut_off_in_a_countdown_is_not_ruled_after_its_sensors_have_gone_to_another() -> None:
    """A virtual table begins anew: its new game takes the sensors, and nobody sees the old one."""
    home = Household({"players": ["Ana", "Beto"], "begin": "at_once", "answers": "nobody"}, sensors=True)
    for kind in (EventKind.APPROACH, EventKind.PLACED, EventKind.RELEASED):
        home.happens(TableEvent(kind, 0, (1,), 1, 0, 10.0, 20.0))
    assert state_of(home.bench, home.game).deadline_us is not None
    ruled = home.bench.rulings(home.game)
    home.switch_off(5 * S)
    again = Bench(home.journal, home.clock, {"yikerz": yikerz()})
    again.press("release_sensors", home.game, version=0)
    again.pass_time(60 * S)
    again.pass_time(60 * S)
    assert again.rulings(home.game) == ruled
    assert again.owner._listed.plays[home.game].cut_off
    assert again.view("")["games"][0]["cut_off"]
    assert again.view(home.game)["version"]  # somebody looks at it
    again.pass_time(S)  # from here on its time passes
    again.pass_time(60 * S)
    assert again.rulings(home.game)[len(ruled) :] != []
    assert again.view("")["games"][0]["cut_off"], "no one has gone on with it yet"


def listed(bench: Bench) -> list[str]:
    return [game["game"] for game in bench.view("")["games"]]


def test_games_for_which_nobody_came_do_not_stay_on_the_list() -> None:
    journal = MemoryJournal()
    bench = Bench(journal, kinds={"yikerz": yikerz()})
    first = bench.new_game()
    second = bench.new_game()
    assert listed(bench) == [second]  # one empty table is enough
    assert bench.view(first)["phase"] == "lobby"  # who has its address comes to it
    third = bench.new_game(players=["Ana"])
    assert listed(bench) == [third, second]
    again = Bench(journal, kinds={"yikerz": yikerz()})
    assert listed(again) == [third]
    assert again.view(second)["phase"] == "lobby"


def test_an_empty_game_that_follows_the_table_stays_on_the_list() -> None:
    home = Household({}, sensors=True)
    other = home.bench.new_game()
    assert listed(home.bench) == [other, home.game]


def test_a_game_that_the_sensors_have_left_says_so_after_a_stop_too() -> None:
    home = Household({"players": ["Ana", "Leo"], "begin": "at_once"}, sensors=True)
    assert "unwatched" not in home.bench.view(home.game)
    home.bench.press("release_sensors", home.game)
    assert home.bench.view(home.game)["unwatched"]
    home.switch_off(S)
    again = home.switch_on()
    assert again.view(home.game)["unwatched"]
    again.press("take_sensors", home.game)
    assert "unwatched" not in again.view(home.game)
    by_buttons = Household({"players": ["Ana", "Leo"], "begin": "at_once"}, sensors=False)
    assert "unwatched" not in by_buttons.bench.view(by_buttons.game)
