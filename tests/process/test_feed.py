"""The loop from link to reports: samples reach sensing in order, health says how it goes, the end is said."""

import struct
from collections.abc import Sequence
from pathlib import Path

from companion.process.feed import Feed
from companion.table import Complete, Health, TableReport
from drivers.links import LinkClosed, ReplayLink
from drivers.recording import read_recording
from drivers.sample import Sample
from drivers.wire.framing import seal
from drivers.wire.messages import DEFINITION, PROTOCOL, Frame, Hello

DATA = Path(__file__).parents[1] / "data" / "recordings"
HELLO = seal(Hello(PROTOCOL, DEFINITION, 1, 2, 10_000, "t").encode())


class Echo:
    """Sensing that completes every sample at once and has a fault to tell at the second."""

    def __init__(self) -> None:
        self.samples: list[Sample] = []

    def feed(self, sample: Sample) -> Sequence[TableReport]:
        self.samples.append(sample)
        fault = [Health(sample.t_us, "ok", faults=("sensor_dead:A1",))] if len(self.samples) == 2 else []
        return [*fault, Complete(sample.t_us)]

    def finish(self) -> Sequence[TableReport]:
        return [Complete(10**9)]


class ScriptedLink:
    """Gives what it was told to, one step a read."""

    def __init__(self, *script: tuple[bytes, int]) -> None:
        self.script = list(script)

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        if not self.script:
            raise LinkClosed("unplugged")
        return self.script.pop(0)

    def send(self, data: bytes) -> None: ...

    def close(self) -> None: ...


class HandClock:
    def __init__(self) -> None:
        self.us = 0

    def now_us(self) -> int:
        return self.us


def frame(k: int, boot: int = 1) -> bytes:
    return seal(Frame(boot, k, k * 10_000, (), struct.pack("<2H", 512, 512)).encode())


def healths(reports: Sequence[TableReport]) -> list[Health]:
    return [r for r in reports if isinstance(r, Health)]


def test_a_recording_goes_through_whole_and_ends_once() -> None:
    recording = read_recording(DATA / "nominal-snap2-a")
    sensing = Echo()
    feed = Feed(ReplayLink(recording), sensing, sensors=220)
    reports = list(feed.reports())
    assert len(sensing.samples) == int((~recording.lost).sum())
    completes = [r.t_us for r in reports if isinstance(r, Complete)]
    assert completes == [s.t_us for s in sensing.samples] + [10**9]
    last = reports[-1]
    assert isinstance(last, Health)
    assert (last.state, last.lost, last.frame_rate) == ("lost", 9, 100.0)
    assert last.clock_offset_us == recording.period_us  # when nothing but the scan itself delays a frame
    assert feed.hello is not None
    assert feed.step() == []


def test_health_comes_once_a_second_and_when_something_changes() -> None:
    script = [(b"", 0), (HELLO + frame(0), 10_000), *((frame(k), (k + 1) * 10_000) for k in range(1, 301))]
    feed = Feed(ScriptedLink(*script), Echo(), sensors=2)
    told = healths(list(feed.reports()))
    assert [h.state for h in told] == ["starting", "ok", "ok", "ok", "ok", "lost"]
    assert [h.faults for h in told[1:3]] == [(), ("sensor_dead:A1",)]


def test_silence_is_stale_and_the_next_sample_is_ok_again() -> None:
    feed = Feed(ScriptedLink((frame(0), 0), (b"", 250_000), (b"", 350_000), (frame(36), 360_000)), Echo(), sensors=2)
    assert [h.state for h in healths(list(feed.reports()))] == ["ok", "stale", "ok", "lost"]


def test_sensing_that_is_behind_is_stale_and_says_by_how_much() -> None:
    clock = HandClock()
    feed = Feed(ScriptedLink((frame(0), 0), (frame(1), 10_000)), Echo(), sensors=2, clock=clock)
    clock.us = 5_000
    assert [(h.state, h.lag_ms) for h in healths(feed.step())] == [("ok", 5.0)]
    clock.us = 400_000
    assert [(h.state, h.lag_ms) for h in healths(feed.step())] == [("stale", 390.0)]


def test_a_reset_of_the_board_is_a_fault_in_health() -> None:
    feed = Feed(ScriptedLink((HELLO + frame(5), 0), (frame(0, boot=2), 20_000)), Echo(), sensors=2)
    assert healths(list(feed.reports()))[1].faults[0] == "rebooted"


def test_a_board_of_another_table_is_told() -> None:
    for table_id, faults in ((None, ()), ("t", ()), ("kitchen", ("other_table",))):
        feed = Feed(ScriptedLink((HELLO + frame(0), 0)), Echo(), sensors=2, table_id=table_id)
        assert healths(feed.step())[0].faults == faults


def test_a_board_that_does_not_fit_gives_no_samples_but_says_why() -> None:
    sensing = Echo()
    feed = Feed(ScriptedLink((frame(0), 0)), sensing, sensors=220)
    assert healths(feed.step())[0] == Health(0, "starting", faults=("sensor_count",))
    assert sensing.samples == []


def test_in_a_scaled_replay_the_same_real_lag_is_more_of_the_scaled_clock() -> None:
    clock = HandClock()
    feed = Feed(ScriptedLink((frame(0), 0), (frame(1), 10_000)), Echo(), sensors=2, clock=clock, stale_us=1_200_000)
    clock.us = 1_100_000
    assert [h.state for h in healths(feed.step())] == ["ok"]
    clock.us = 1_300_000
    assert [h.state for h in healths(feed.step())] == ["stale"]
