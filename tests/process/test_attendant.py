"""Beside the virtual table somebody presses what its players would: the next round, a new game after the last."""

import json
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from companion.clock import SystemClock
from companion.journal import MemoryJournal
from companion.process.channel import ChannelReader, pair
from companion.process.kinds import known_kinds
from companion.process.owner import TableFacts
from companion.process.service import Service
from companion.process.supervise import Link
from companion.process.virtual import Attendant, VirtualProcess
from tests.process.test_virtual_refereed import GAME


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


def attend(service: Service, *starts: list[Mapping[str, Any]]) -> Saying:
    virtual = Saying(*starts)
    attendant = Attendant(virtual, service.referee, known_kinds()["yikerz"], GAME)
    attendant.start()
    assert virtual.silent.wait(60)
    attendant.close()
    return virtual


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
    monkeypatch.setattr("companion.process.virtual._FIRST_PAUSE_S", 0.0)
    virtual = attend(service, [{"said": "placed", "player": 0}], [], [{"said": "ready", "page": ""}])
    assert (virtual.later, virtual.gone_on) == ([], 1)
    assert (view(service, "g1")["phase"], view(service, "g1")["round"]) == ("turn", 2)
