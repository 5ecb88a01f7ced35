"""The loop from link to reports: samples reach sensing in order, health says how it goes, the end is said."""

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.process.table.feed import Feed
from companion.table import Complete, Health, TableReport
from drivers.links import LinkClosed, LinkStatus, ReplayLink
from drivers.recording import read_recording
from drivers.sample import Sample
from drivers.wire.framing import seal
from drivers.wire.messages import DEFINITION, PROTOCOL, Frame, Hello
from drivers.wire.messages import Health as BoardHealth

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

    def __init__(self, *script: tuple[bytes, int], status: LinkStatus | None = None) -> None:
        self.script = list(script)
        self.sent = b""
        self.status = status or LinkStatus()

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        if not self.script:
            raise LinkClosed("unplugged")
        return self.script.pop(0)

    def send(self, data: bytes) -> None:
        self.sent += data

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
    assert healths(feed.step())[0] == Health(0, "starting", faults=("sensor_count",), link="live")
    assert sensing.samples == []


def test_in_a_scaled_replay_the_same_real_lag_is_more_of_the_scaled_clock() -> None:
    clock = HandClock()
    feed = Feed(ScriptedLink((frame(0), 0), (frame(1), 10_000)), Echo(), sensors=2, clock=clock, stale_us=1_200_000)
    clock.us = 1_100_000
    assert [h.state for h in healths(feed.step())] == ["ok"]
    clock.us = 1_300_000
    assert [h.state for h in healths(feed.step())] == ["stale"]


@pytest.mark.failure("A1")
def test_a_link_that_is_down_is_lost_and_says_why() -> None:
    link = ScriptedLink((frame(0), 0), (b"", 50_000), (frame(9), 90_000))
    feed = Feed(link, Echo(), sensors=2)
    assert [h.state for h in healths(feed.step())] == ["ok"]
    link.status = LinkStatus("waiting", "port_lost", drops=1)
    down = healths(feed.step())[0]
    assert (down.state, down.faults, down.link, down.drops) == ("lost", ("link_port_lost",), "waiting", 1)
    link.status = LinkStatus(drops=1)
    assert [(h.state, h.faults, h.lost) for h in healths(feed.step())] == [("ok", ("sensor_dead:A1",), 8)]


@pytest.mark.failure("A1", "A12")
def test_a_link_that_is_down_loses_no_messages() -> None:
    """What it lost before it went is not told beside why it went, nor when it is back."""
    lossy = b"".join(frame(2 * k) for k in range(40))
    link = ScriptedLink((HELLO + lossy, 0), (b"", 50_000), (frame(100), 90_000))
    feed = Feed(link, Echo(), sensors=2)
    assert "messages_lost" in healths(feed.step())[0].faults
    link.status = LinkStatus("waiting", "port_lost", drops=1)
    assert healths(feed.step())[0].faults == ("link_port_lost", "sensor_dead:A1")
    link.status = LinkStatus(drops=1)
    assert healths(feed.step())[0].faults == ("sensor_dead:A1",)


@pytest.mark.failure("A10")
def test_a_reset_is_told_for_a_minute() -> None:
    script = [(HELLO + frame(5), 0), (frame(0, boot=2), 20_000), (b"", 50_000_000), (b"", 61_000_000)]
    told = [h.faults for h in healths(list(Feed(ScriptedLink(*script), Echo(), sensors=2).reports()))]
    assert ("rebooted", "sensor_dead:A1") in told
    assert told[-1] == ("sensor_dead:A1",)


@pytest.mark.failure("A7")
def test_who_holds_the_port_is_told() -> None:
    held = LinkStatus("waiting", "port_held", "/dev/x is held by cat (7): end it.", ("cat (7)",))
    (told,) = healths(Feed(ScriptedLink((b"", 0), status=held), Echo(), sensors=2).step())
    assert (told.faults, told.held_by) == (("link_port_held",), ("cat (7)",))


@pytest.mark.failure("G3")
def test_low_voltage_stands_beside_the_link() -> None:
    feed = Feed(ScriptedLink((frame(0), 0)), Echo(), sensors=2, power=lambda: ("undervoltage",))
    assert healths(feed.step())[0].faults == ("undervoltage",)


@pytest.mark.failure("A13")
def test_broken_messages_and_the_boards_last_words_are_shown() -> None:
    feed = Feed(ScriptedLink((b"rst:0x1 (POWERON_RESET)\0" + frame(0), 0)), Echo(), sensors=2)
    told = healths(feed.step())[0]
    assert (told.damaged, told.board_text) == (1, "rst:0x1 (POWERON_RESET)")


@pytest.mark.failure("G4")
def test_a_burst_after_a_stall_is_dated_by_the_board_and_nothing_is_lost() -> None:
    burst = b"".join(frame(k) for k in range(1, 501))
    sensing = Echo()
    feed = Feed(ScriptedLink((HELLO + frame(0), 10_000), (b"", 5_000_000), (burst, 5_010_000)), sensing, sensors=2)
    told = healths(list(feed.reports()))
    assert [h.state for h in told] == ["ok", "stale", "ok", "lost"]
    assert [s.t_us for s in sensing.samples] == [k * 10_000 for k in range(501)]
    assert told[-1].lost == 0
    assert told[-1].clock_offset_us == 10_000  # the late ones do not pull the clock's line


@pytest.mark.failure("B6", "B7", "B9", "B10")
@pytest.mark.parametrize(
    ("load", "reset", "faults"),
    [
        (1, 0, ()),
        (2, 1, ("load_absent",)),
        (4, 0, ("load_saturated",)),
        (5, 3, ("load_constant", "board_watchdog")),
        (6, 2, ("load_random", "board_brown_out")),
    ],
)
def test_what_the_board_says_of_itself_is_shown(load: int, reset: int, faults: tuple[str, ...]) -> None:
    said = seal(BoardHealth(0, reset, 50, 9, 0, 0, 0, load, 0, b"").encode())
    feed = Feed(ScriptedLink((frame(0) + said, 0)), Echo(), sensors=2)
    assert healths(feed.step())[0].faults == faults


@pytest.mark.failure("A10")
def test_a_board_that_has_started_again_is_told_its_pace_again() -> None:
    again = seal(Hello(PROTOCOL, DEFINITION, 2, 2, 10_000, "t").encode())
    link = ScriptedLink((HELLO + frame(5), 0), (HELLO, 10_000), (again + frame(0, boot=2), 20_000), (again, 30_000))
    feed = Feed(link, Echo(), sensors=2, again=b"pace")
    list(feed.reports())
    assert link.sent == b"pace"
