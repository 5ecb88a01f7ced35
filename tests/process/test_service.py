"""The service as a whole: its threads end, and one that fails ends the service."""

import threading

import pytest

from companion.clock import SystemClock
from companion.journal import MemoryJournal
from companion.process.common.channel import ChannelReader, pair
from companion.process.referee.facts import TableFacts
from companion.process.referee.inbox import Message
from companion.process.referee.service import Service
from companion.process.referee.supervise import Link
from tests.process.counting_game import counting


class Quiet:
    """A table process that says nothing and leaves when it is told to."""

    pid = 0

    def wait(self, timeout: float | None = None) -> int:
        return 0

    def terminate(self) -> None:
        raise AssertionError("it leaves by itself")

    kill = terminate


def service() -> Service:
    theirs = []

    def start() -> Link:
        ours, end = pair()
        theirs.append(end)  # held open: the session lasts
        return Link(Quiet(), ChannelReader(ours))

    return Service(
        MemoryJournal(), {"counting": counting()}, SystemClock(), TableFacts(), start, code=lambda: "kite-7421"
    )


def test_nothing_runs_before_the_start_and_nothing_after_the_end() -> None:
    before = set(threading.enumerate())
    running = service()
    running.follow_recording({"game": "counting"})
    assert set(threading.enumerate()) == before
    running.start()
    assert {thread.name for thread in set(threading.enumerate()) - before} == {"owner", "supervise"}
    running.close()
    assert set(threading.enumerate()) == before
    assert not running.failed


def test_it_can_be_closed_without_having_been_started() -> None:
    service().close()


def test_an_owner_that_fails_ends_the_wait(caplog: pytest.LogCaptureFixture) -> None:
    running = service()

    def fail(messages: list[Message]) -> None:
        raise RuntimeError("a fault in the owner")

    running.owner.handle = fail  # type: ignore[method-assign, assignment]
    running.start()
    running.wait()
    assert running.failed
    running.close()
    assert "the referee failed" in caplog.text


@pytest.mark.parametrize("game", [{"game": "chess"}, {}, {"game": "counting", "settings": {"bad": True}}])
def test_a_recording_whose_game_cannot_be_is_refused(game: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"chess|yikerz|bad"):
        service().follow_recording(game)
