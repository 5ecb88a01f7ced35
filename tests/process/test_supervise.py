"""The table process is kept running: real processes that are killed, a hand-driven clock for the pauses."""

import itertools
import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.clock import HandClock, SystemClock
from companion.process.common.channel import ChannelReader, pair
from companion.process.referee.inbox import LinkDown, LinkUp, Message, Reports
from companion.process.referee.supervise import Link, Supervisor, start_table
from companion.table import Complete, Health
from companion.table.codec import to_json

MINUTE = 60_000_000


def reports_file(folder: Path, *lines: tuple[int, object]) -> str:
    """A source that sends the given reports at the given microseconds."""
    path = folder / "reports.jsonl"
    path.write_text("".join(json.dumps({"at": at, **to_json(report)}) + "\n" for at, report in lines))  # type: ignore[arg-type]
    return f"reports:{path}"


class Watched:
    """A supervisor whose messages a test takes one by one."""

    def __init__(self, start: Callable[[], Link]) -> None:
        self.messages: queue.Queue[Message] = queue.Queue()
        self.clock = HandClock()
        self.unusable = threading.Event()
        self.supervisor = Supervisor(start, self.messages.put, self.clock, self.unusable.set)
        self.supervisor.start()

    def until(self, kind: type) -> Message:
        while not isinstance(message := self.messages.get(timeout=60), kind):
            pass
        return message

    def let_pause_pass(self) -> None:
        """Turn the clock until the pause is over and the next process has been started."""
        while True:
            self.clock.advance(8_000_000)
            try:
                assert isinstance(self.messages.get(timeout=0.02), LinkUp)
                return
            except queue.Empty:
                continue


def test_a_killed_table_process_is_started_again_and_its_loss_is_told(tmp_path: Path) -> None:
    source = reports_file(tmp_path, (0, Complete(5)), (3600 * 1_000_000, Complete(6)))
    watched = Watched(lambda: start_table(source, SystemClock()))
    for round_number in range(2):
        watched.until(LinkUp) if round_number == 0 else None
        heard: list[object] = []
        while Complete(5) not in heard:
            message = watched.until(Reports)
            assert isinstance(message, Reports)
            heard += message.reports
        assert watched.supervisor.pid
        os.kill(watched.supervisor.pid, signal.SIGKILL)
        assert watched.until(LinkDown) == LinkDown(False, "ended")
        watched.let_pause_pass()
    assert watched.supervisor.restarts == 2
    watched.supervisor.close()


def test_a_recording_that_ends_is_told_as_finished_and_not_started_again(tmp_path: Path) -> None:
    watched = Watched(lambda: start_table(reports_file(tmp_path, (0, Complete(5))), SystemClock()))
    assert watched.until(LinkDown) == LinkDown(True, "ended")
    watched.supervisor.close()
    assert watched.supervisor.restarts == 0


def test_a_source_that_cannot_be_used_is_said_once_and_not_tried_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    watched = Watched(lambda: start_table(f"reports:{tmp_path / 'none.jsonl'}", SystemClock()))
    assert watched.until(LinkDown) == LinkDown(False, "unusable")
    assert watched.unusable.wait(60)
    watched.supervisor.close()
    assert "none.jsonl cannot be read" in capfd.readouterr().err


def test_closing_ends_the_table_process(tmp_path: Path) -> None:
    source = reports_file(tmp_path, (3600 * 1_000_000, Complete(6)))
    links = []
    watched = Watched(lambda: links.append(start_table(source, SystemClock())) or links[-1])
    watched.until(Reports)
    watched.supervisor.close()
    assert links[0].child.wait(timeout=60) is not None
    assert watched.supervisor.pid is None


def test_a_table_process_leaves_when_its_referee_is_gone(tmp_path: Path) -> None:
    link = start_table(reports_file(tmp_path, (3600 * 1_000_000, Complete(6))), SystemClock())
    while not (reports := link.reader.read()):
        assert reports is not None
    assert [type(report) for report in reports] == [Health]
    link.reader.close()
    assert link.child.wait(timeout=60) == 0


class JumpingClock(HandClock):
    """A clock on which waiting takes no time: it shows at once the time that was waited for."""

    def wait(self, condition: threading.Condition, until_us: int | None) -> None:
        assert until_us is not None
        self.advance(until_us - self.now_us())


@pytest.mark.failure("A2")
def test_a_process_that_keeps_dying_is_started_ever_more_rarely() -> None:
    starts: list[int] = []
    clock, done = JumpingClock(), threading.Event()

    def start() -> Link:
        starts.append(clock.now_us())
        if clock.now_us() > 10 * MINUTE:
            supervisor._stopping = True
            done.set()
        ours, theirs = pair()
        theirs.close()
        return Link(Dead(), ChannelReader(ours))

    supervisor = Supervisor(start, lambda message: None, clock)
    supervisor.start()
    assert done.wait(60)
    supervisor.close()
    gaps = [b - a for a, b in itertools.pairwise(starts)]
    assert gaps[:6] == [250_000, 500_000, 1_000_000, 2_000_000, 4_000_000, 8_000_000]
    assert set(gaps[6:]) == {8_000_000}


class Dead:
    """A process that ended at once."""

    pid = 1

    def wait(self, timeout: float | None = None) -> int:
        return 1

    def terminate(self) -> None:
        raise AssertionError("it is gone already")

    kill = terminate


class Stubborn(Dead):
    """A process that leaves only when it is killed."""

    def __init__(self) -> None:
        self.ends: list[str] = []

    def wait(self, timeout: float | None = None) -> int:
        if "kill" not in self.ends:
            raise subprocess.TimeoutExpired("table", timeout or 0)
        return -9

    def terminate(self) -> None:
        self.ends.append("terminate")

    def kill(self) -> None:
        self.ends.append("kill")


def test_a_process_that_does_not_leave_is_made_to() -> None:
    ours, theirs = pair()
    theirs.close()
    child = Stubborn()
    watched = Watched(lambda: Link(child, ChannelReader(ours)))
    assert watched.until(LinkDown) == LinkDown(False, "ended")
    watched.supervisor.close()
    assert child.ends == ["terminate", "kill"]


@pytest.mark.parametrize("speaks", [True, False])
def test_a_process_that_lives_but_says_nothing_is_ended_and_started_again(speaks: bool) -> None:
    children, ends = [], []

    def start() -> Link:
        ours, theirs = pair()
        ends.append(theirs)  # held open: it lives
        if speaks:
            theirs.sendall(json.dumps(to_json(Complete(5))).encode() + b"\n")
        children.append(Stubborn())
        return Link(children[-1], ChannelReader(ours))

    watched = Watched(start)
    watched.until(Reports if speaks else LinkUp)
    watched.clock.advance((29 if speaks else 179) * 1_000_000)
    assert watched.messages.empty()
    while watched.messages.empty():
        watched.clock.advance(1000)
    assert watched.until(LinkDown) == LinkDown(False, "ended")
    assert children[0].ends == ["terminate", "kill"]
    watched.let_pause_pass()
    assert len(children) == 2
    watched.supervisor.close()


def test_a_folder_of_the_same_name_does_not_stand_in_for_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "companion").mkdir()
    (tmp_path / "companion" / "__init__.py").write_text("raise SystemExit(3)")
    source = reports_file(tmp_path, (0, Complete(5)))
    monkeypatch.chdir(tmp_path)
    link = start_table(source, SystemClock())
    assert link.child.wait(timeout=60) == 0
    link.reader.close()


def test_a_process_that_cannot_be_started_is_tried_again() -> None:
    tries: list[int] = []

    def start() -> Link:
        tries.append(1)
        if len(tries) < 3:
            raise OSError(11, "Resource temporarily unavailable")
        ours, theirs = pair()
        theirs.close()
        return Link(Dead(), ChannelReader(ours))

    done = threading.Event()
    supervisor = Supervisor(start, lambda message: done.set() if isinstance(message, LinkUp) else None, JumpingClock())
    supervisor.start()
    assert done.wait(60)
    supervisor._stopping = True
    supervisor.close()
    assert len(tries) >= 3
