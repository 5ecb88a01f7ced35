"""A recording played over the wire is the recording, at the clock's pace and as fast as it is read."""

import threading
from pathlib import Path

import numpy as np
import pytest

from drivers.links import LinkClosed, ReplayLink
from drivers.links.replay import MOST
from drivers.recording import LOAD_READ_ERROR, Recording, read_recording
from drivers.sample import Sample
from drivers.wire import Gap, Hello, Item, Session

DATA = Path(__file__).parents[1] / "data" / "recordings"


class TurningClock:
    """A clock that jumps to the time that is waited for."""

    def __init__(self, now_us: int) -> None:
        self._now_us = now_us

    def now_us(self) -> int:
        return self._now_us

    def wait(self, condition: threading.Condition, until_us: int | None) -> None:
        assert until_us is not None
        self._now_us = max(self._now_us, until_us)


class StandingClock:
    """A clock that never reaches the time; says that it is waited for."""

    def __init__(self) -> None:
        self.waiting = threading.Event()

    def now_us(self) -> int:
        return 0

    def wait(self, condition: threading.Condition, until_us: int | None) -> None:
        self.waiting.set()
        condition.wait()


@pytest.fixture(scope="module")
def recording() -> Recording:
    return read_recording(DATA / "nominal-snap2-a")


def play(link: ReplayLink, sensors: int) -> list[Item]:
    session, items = Session(sensors), []
    while True:
        try:
            data, now_us = link.read(0.05)
        except LinkClosed:
            return items
        items += session.feed(data, now_us)


def test_the_samples_are_the_recording(recording: Recording) -> None:
    items = play(ReplayLink(recording), 220)
    samples = [i for i in items if isinstance(i, Sample)]
    kept = np.flatnonzero(~recording.lost)
    assert isinstance(items[0], Hello)
    assert items[0].table_id == "hw2"
    assert b"".join(s.hall for s in samples) == recording.hall[kept].tobytes()
    first = recording.t_us[0]
    assert [s.t_us for s in samples] == (recording.t_us[kept] - first).tolist()
    assert [s.sequence for s in samples] == kept.tolist()
    assert sum(s.lost for s in samples) == 9
    assert sum(i.lost for i in items if isinstance(i, Gap)) == 9
    loads = [(load.t_us, load.counts) for s in samples for load in s.load]
    assert loads == [
        (t - first, None if value == LOAD_READ_ERROR else value)
        for t, value in zip(recording.load_t_us.tolist(), recording.load.tolist(), strict=True)
    ]


def test_nothing_arrives_before_it_was_measured(recording: Recording) -> None:
    for item in play(ReplayLink(recording), 220):
        if isinstance(item, Sample):
            assert item.arrived_us == item.t_us + recording.period_us
            assert all(load.t_us <= item.arrived_us for load in item.load)


@pytest.mark.parametrize("speed", [1.0, 4.0])
def test_the_clock_gives_the_pace(recording: Recording, speed: float) -> None:
    start = 5_000_000
    items = play(ReplayLink(recording, TurningClock(start), speed), 220)
    fast = [i for i in play(ReplayLink(recording), 220) if isinstance(i, Sample)]
    paced = [i for i in items if isinstance(i, Sample)]
    assert [(s.t_us, s.hall, s.load) for s in paced] == [(s.t_us, s.hall, s.load) for s in fast]
    assert all(abs(s.arrived_us - start - (s.t_us + 10_000) / speed) <= 1 for s in paced)


def test_a_short_timeout_gives_no_bytes_before_their_time(recording: Recording) -> None:
    clock = TurningClock(0)
    link = ReplayLink(recording, clock)
    assert [link.read(0.004), link.read(0.004)] == [(b"", 4_000), (b"", 8_000)]
    data, now_us = link.read(0.004)
    assert now_us == 10_000
    assert data


def test_close_wakes_a_waiting_read(recording: Recording) -> None:
    clock = StandingClock()
    link = ReplayLink(recording, clock)
    ended: list[str] = []

    def wait() -> None:
        try:
            link.read(1000)
        except LinkClosed as closed:
            ended.append(str(closed))

    thread = threading.Thread(target=wait)
    thread.start()
    clock.waiting.wait()
    link.close()
    link.close()
    thread.join()
    assert ended == ["The replay was closed."]
    with pytest.raises(LinkClosed):
        link.send(b"x")


@pytest.mark.parametrize("speed", [0, -1, float("nan"), float("inf")])
def test_a_speed_that_is_none_is_refused(recording: Recording, speed: float) -> None:
    with pytest.raises(ValueError, match="speed must be above 0"):
        ReplayLink(recording, speed=speed)


def test_a_reader_that_is_behind_gets_no_more_at_once_than_a_cable_holds(recording: Recording) -> None:
    """Else it would read, and say nothing, for longer and longer; what waits keeps the time at which it came."""
    clock = TurningClock(0)
    link, session = ReplayLink(recording, clock), Session(220)
    arrived: list[int] = []
    clock._now_us = 5_000_000
    while not arrived or arrived[-1] < 4_900_000:
        data, now_us = link.read(0.0)
        samples = [item for item in session.feed(data, now_us) if isinstance(item, Sample)]
        assert 0 < len(samples) <= MOST
        arrived.append(now_us)
    assert len(arrived) >= 490 // MOST
    assert arrived == sorted(arrived)
    assert arrived[0] == pytest.approx(MOST * 10_000, abs=20_000)
