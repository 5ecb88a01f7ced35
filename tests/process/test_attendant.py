"""Beside the virtual table somebody presses what its players would: the next round, a new game after the last."""

import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from companion.clock import SystemClock
from companion.journal import MemoryJournal
from companion.process.common.channel import ChannelReader, pair
from companion.process.kinds import known_kinds
from companion.process.referee.facts import TableFacts
from companion.process.referee.service import Service
from companion.process.referee.supervise import Link
from companion.process.referee.virtual import Attendant, VirtualProcess
from companion.views.port import Answer, RefereePort
from tests.process.cut_links import GAME


class Quiet:
    """A table process that says nothing."""

    pid = 0

    def wait(self, timeout: float | None = None) -> int:
        return 0

    def terminate(self) -> None: ...

    kill = terminate


class Saying(VirtualProcess):
    """A virtual table that says what it is told to; each list is what one start of it says until it ends."""

    def __init__(self, *starts: list[Mapping[str, Any]]) -> None:
        first, *self.later = starts
        self.words, self.gone_on = first, 0
        self.silent, self._closed = threading.Event(), threading.Event()

    def said(self) -> Mapping[str, Any] | None:
        if self.words:
            return self.words.pop(0)
        if not self.later:  # it lives until it is closed
            self.silent.set()
            self._closed.wait()
        return None

    def start_again(self) -> None:
        self.words = self.later.pop(0)

    def go_on(self) -> None:
        self.gone_on += 1

    def close(self) -> None:
        self._closed.set()


@pytest.fixture
def service() -> Iterator[Service]:
    ends = []

    def start() -> Link:
        ours, theirs = pair()
        ends.append(theirs)
        return Link(Quiet(), ChannelReader(ours))

    made = Service(MemoryJournal(), known_kinds(), SystemClock(), TableFacts(), start, code=lambda: "kite-7421")
    made.follow_recording(GAME)
    made.start()
    yield made
    made.close()
    for end in ends:
        end.close()


def attend(
    service: Service, *starts: list[Mapping[str, Any]], port: RefereePort | None = None, patience_us: int = 0
) -> Saying:
    virtual = Saying(*starts)
    attendant = Attendant(virtual, port or service.referee, known_kinds()["yikerz"], GAME, patience_us)
    attendant.start()
    assert virtual.silent.wait(60)
    attendant.close()
    return virtual


class Late:
    """A port whose presses come through late: each one's first answer is "received", and only a repeat is passed on.

    refused: answers to the first presses of a name, which are not passed on.
    """

    def __init__(self, port: RefereePort, **refused: list[str]) -> None:
        self._port, self._refused, self._seen = port, refused, set[str]()
        self.passed: list[tuple[str, Mapping[str, Any]]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._port, name)

    def post(self, command: Mapping[str, Any]) -> Answer:
        if command["id"] not in self._seen:
            self._seen.add(command["id"])
            return Answer("received")
        if self._refused.get(command["name"]):
            return Answer("refused", self._refused[command["name"]].pop(0))
        self.passed.append((command["name"], command["args"]))
        return self._port.post(command)


def view(service: Service, game: str) -> dict[str, Any]:
    frame = service.referee.view(game)
    assert frame is not None
    shown: dict[str, Any] = json.loads(frame.data)
    return shown


def test_a_round_that_was_understood_otherwise_is_given_up_and_the_next_one_dealt(service: Service) -> None:
    virtual = attend(service, [{"said": "won"}, {"said": "cleared", "dealer": 1}])
    assert virtual.gone_on == 1
    shown = view(service, "g1")
    assert (shown["phase"], shown["turn"], shown["round"]) == ("turn", 1, 2)
    assert [player["pile"] for player in shown["players"]] == [10, 10]


def test_it_lets_the_players_go_on_only_when_a_round_is_under_way(service: Service) -> None:
    """Presses are answered late, and the first next_round is refused: all are waited for, that one is repeated."""
    port = Late(service.referee, next_round=["wrong_stage"])
    virtual = attend(service, [{"said": "cleared", "dealer": 1}], port=port)
    assert virtual.gone_on == 1
    shown = view(service, "g1")
    assert (shown["phase"], shown["turn"], shown["round"]) == ("turn", 1, 2)
    assert [name for name, _ in port.passed] == ["abandon_round", "set_dealer", "next_round"]
    assert len(json.loads(service.referee.lobby().data)["games"]) == 1


@pytest.mark.failure("F5")
def test_the_next_round_waits_for_a_board_that_is_seen_empty_before_it_begins_anyway(service: Service) -> None:
    """The table process of this service says nothing, so the sensors are not ready."""
    port = Late(service.referee)
    attend(service, [{"said": "cleared", "dealer": 1}], port=port, patience_us=1_000_000)
    rounds = [args for name, args in port.passed if name == "next_round"]
    assert (rounds[0], rounds[-1]) == ({}, {"anyway": True})
    assert [name for name, _ in port.passed].count("set_dealer") == 1
    assert view(service, "g1")["round"] == 2


def test_after_the_last_round_a_new_game_takes_the_sensors(service: Service) -> None:
    for played in range(2):  # best of three
        result = {"winner": 0, "left": [0, 5]}
        press = {"id": f"r{played}", "game": "g1", "name": "round_result", "by": "me", "args": result}
        press["version"] = view(service, "g1")["version"]
        assert service.referee.post(press).status == "applied"
        if not played:
            attend(service, [{"said": "cleared", "dealer": 0}])
    assert view(service, "g1")["phase"] == "game_end"
    attend(service, [{"said": "cleared", "dealer": 1}])
    games = {each["game"]: each["holds"] for each in json.loads(service.referee.lobby().data)["games"]}
    assert games == {"g1": False, "g2": True}
    assert (view(service, "g2")["phase"], view(service, "g2")["turn"]) == ("turn", 1)


def test_a_table_that_died_is_started_again_and_another_round_dealt(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.process.referee.virtual._FIRST_PAUSE_S", 0.0)
    virtual = attend(service, [{"said": "placed", "player": 0}], [], [{"said": "ready", "page": ""}])
    assert (virtual.later, virtual.gone_on) == ([], 1)
    shown = view(service, "g1")
    assert (shown["phase"], shown["round"], [player["wins"] for player in shown["players"]]) == ("turn", 2, [0, 0])
    given_up = [ruling for ruling in shown["rulings"] if ruling["kind"] == "round_abandoned"]
    assert [ruling["data"]["reason"] for ruling in given_up] == ["table_anew"]


def test_where_the_players_are_stopped_the_game_asks_people_until_they_play_again(service: Service) -> None:
    assert view(service, "g1")["unasked"]
    attend(service, [{"said": "players", "playing": False}])
    assert "unasked" not in view(service, "g1")
    port = Late(service.referee)
    attend(service, [{"said": "players", "playing": False}, {"said": "players", "playing": True}], port=port)
    assert [name for name, _ in port.passed] == ["set_setting"], "what is so already is not pressed again"
    assert view(service, "g1")["unasked"]


def test_a_table_that_has_begun_anew_plays_by_itself_so_nobody_is_asked(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.process.referee.virtual._FIRST_PAUSE_S", 0.0)
    attend(service, [{"said": "players", "playing": False}], [], [{"said": "ready", "page": ""}])
    assert view(service, "g1")["unasked"]


def test_a_change_of_who_answers_that_was_overtaken_is_pressed_again(service: Service) -> None:
    port = Late(service.referee, set_setting=["stale"])
    attend(service, [{"said": "players", "playing": False}], port=port)
    assert "unasked" not in view(service, "g1")
