"""The port: readers and presses from many threads, none of which waits longer than it said."""

import json
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from companion.process.referee.referee import Referee
from companion.views.port import Answer, Frame, RefereePort
from tests.process.service import Bench, S

READERS = 40


class Threaded(Bench):
    """The owner on its own thread, the port, and a pool of web threads."""

    def __init__(self) -> None:
        super().__init__()
        self.code = "kite-7421"
        self.port: RefereePort = Referee(self.owner, self.clock, lambda: self.code)
        self.web = ThreadPoolExecutor(READERS + 8)
        self.game = self.new_game()
        self.thread = threading.Thread(target=self.owner.run)
        self.thread.start()

    def close(self) -> None:
        self.owner.close()
        self.thread.join(60)
        assert not self.thread.is_alive()
        self.web.shutdown()

    def readers(self, after: int) -> list["Future[Frame | None]"]:
        """READERS threads that all wait by now."""
        waiting = [self.web.submit(self.port.wait, self.game, after, 5.0) for _ in range(READERS)]
        while self.clock.waiting(self.owner.frames._condition) < READERS:
            pass
        return waiting

    def command(self, name: str = "note", **more: Any) -> Mapping[str, Any]:
        return {"id": f"id-{next(self.numbers)}", "game": self.game, "name": name, "version": 9, **more}

    def turn_until_done(self, future: "Future[Any]") -> Any:
        """Turn the clock, a millisecond whenever the owner has nothing to do, until a web thread is done."""
        while not future.done():
            if self.clock.waiting(self.owner.inbox._condition):
                self.clock.advance(1000)
        return future.result()


@pytest.fixture
def service() -> Iterator[Threaded]:
    running = Threaded()
    yield running
    running.close()


@pytest.mark.failure("H12")
def test_a_press_is_answered_while_forty_readers_wait(service: Threaded) -> None:
    frame = service.port.view(service.game)
    assert frame is not None
    waiting = service.readers(frame.seq)
    press = service.web.submit(service.port.post, service.command(id="p-1"))
    assert service.turn_until_done(press) == Answer("applied")
    frames = {future.result(60) for future in waiting}
    assert len(frames) == 1  # encoded once, for all
    (news,) = frames
    assert news is not None
    assert news.seq > frame.seq


def test_readers_leave_at_their_timeout_with_nothing(service: Threaded) -> None:
    frame = service.port.view(service.game)
    assert frame is not None
    waiting = service.readers(frame.seq)
    service.clock.advance(5 * S)
    assert [future.result(60) for future in waiting] == [None] * READERS


def test_closing_lets_every_reader_and_press_go() -> None:
    service = Threaded()
    frame = service.port.view(service.game)
    assert frame is not None
    waiting = service.readers(frame.seq)
    service.close()
    assert [future.result(60) for future in waiting] == [None] * READERS


def test_a_press_that_cannot_be_judged_yet_is_received_after_a_second() -> None:
    service = Threaded()
    service.link_up()
    service.game = service.new_game(sensors=True)
    press = service.web.submit(service.port.post, service.command(id="p-1"))
    before = service.clock.now_us()
    assert service.turn_until_done(press) == Answer("received")
    assert service.clock.now_us() - before <= 1_100_000
    service.complete(2 * S)
    assert service.port.post(service.command(id="p-1")) == Answer("applied")
    service.close()


def test_a_reader_from_before_a_restart_gets_the_newest_at_once(service: Threaded) -> None:
    assert service.port.wait(service.game, 10**9, 5.0) == service.port.view(service.game)


def test_a_game_that_is_not_there_is_nothing_at_once(service: Threaded) -> None:
    assert service.port.view("g9") is None
    assert service.port.view("") is None
    assert service.port.wait("g9", 0, 5.0) is None
    assert json.loads(service.port.lobby().data)["games"][0]["game"] == service.game


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": ""},
        {"id": 5},
        {"id": "x" * 65},
        {"name": ""},
        {"by": None},
        {"version": "1"},
        {"version": True},
        {"press_us": 1.5},
        {"press_us": 2**70},
        {"player": "Ana"},
        {"args": [1]},
        {"args": {"text": "x" * 9000}},
        {"args": {"number": float("nan")}},
        {"args": {"set": {1, 2}}},
        {"args": {"name": "\ud800"}},
        {"args": {"\udfff": 1}},
        {"by": "\ud800"},
        {"args": {"list": [[[[[[[[1]]]]]]]]}},
    ],
)
def test_a_malformed_command_is_refused_at_once(service: Threaded, wrong: dict[str, Any]) -> None:
    assert service.port.post({**service.command(), **wrong}) == Answer("refused", "malformed")


def test_a_view_of_a_journal_with_half_a_surrogate_pair_is_shown_all_the_same() -> None:
    bench = Bench()
    bench.owner.frames.publish({"g9": {"name": "A\ud800"}})
    assert bench.view("g9") == {"name": "A?"}


def test_the_code_is_checked_and_carried_by_the_path(service: Threaded) -> None:
    assert service.port.check_code("kite-7421")
    assert not service.port.check_code("kite-7420")
    assert not service.port.check_code("")
    assert not service.port.check_code("ü\ud800")
    assert service.port.join_path() == "/j?c=kite-7421"
    service.code = "new"
    assert not service.port.check_code("kite-7421")


def test_the_clock_is_the_servers(service: Threaded) -> None:
    assert (service.port.now_us(), service.port.clock_rate()) == (service.clock.now_us(), 1.0)
