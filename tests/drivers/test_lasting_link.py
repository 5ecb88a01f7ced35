"""One link through many connections: nothing before a hello, one warning for many failures, few tries."""

import itertools
import logging
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.links import LastingLink, LinkClosed, LinkLost, LinkStatus
from drivers.reconnect import HELLO_US, SILENT_US
from drivers.sample import Sample
from drivers.wire import Session
from tests.drivers.board import BOOT_TEXT, SENSORS, TurningClock, frame, hello

S = 1_000_000


class Connection:
    """Gives its pieces, one a read; then an error, or silence."""

    def __init__(self, clock: TurningClock, pieces: list[bytes], then: LinkLost | None = None) -> None:
        self.clock, self.pieces, self.then = clock, pieces, then
        self.status = LinkStatus()
        self.closed = 0
        self.sent: list[bytes] = []

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        assert not self.closed
        if self.pieces:
            self.clock.advance(1000)
            return self.pieces.pop(0), self.clock.now_us()
        if self.then:
            raise self.then
        self.clock.advance(round(timeout_s * 1e6))
        return b"", self.clock.now_us()

    def send(self, data: bytes) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.closed += 1


def opener(*made: Connection | LinkLost) -> tuple[Callable[[], Connection], list[Connection]]:
    """Opens these in turn, the last again and again; and a list of those that were opened."""
    turn, opened = iter(range(10**9)), []

    def open() -> Connection:
        each = made[min(next(turn), len(made) - 1)]
        if isinstance(each, LinkLost):
            raise each
        opened.append(each)
        return each

    return open, opened


def drain(link: LastingLink, clock: TurningClock, until_us: int) -> bytes:
    out = b""
    while clock.now_us() < until_us:
        out += link.read(0.1)[0]
    return out


@pytest.mark.failure("A6", "A12")
def test_nothing_is_passed_on_before_a_whole_hello() -> None:
    clock = TurningClock()
    stream = frame(8)[5:] + frame(9) + hello() + frame(10)
    open, _ = opener(Connection(clock, [stream[:30], stream[30:]]))
    link = LastingLink(open, clock)
    assert drain(link, clock, S) == hello() + frame(10)
    assert link.status.state == "live"


@given(st.lists(st.integers(0, 200), max_size=8), st.binary(max_size=60).filter(lambda noise: 0 not in noise))
def test_the_pieces_do_not_matter(cuts: list[int], noise: bytes) -> None:
    clock = TurningClock()
    stream = noise + b"\0" + frame(1) + hello() + frame(2) + frame(3)
    edges = [0, *sorted(min(cut, len(stream)) for cut in cuts), len(stream)]
    pieces = [stream[a:b] for a, b in itertools.pairwise(edges) if a < b]
    link = LastingLink(opener(Connection(clock, pieces))[0], clock)
    assert drain(link, clock, S) == hello() + frame(2) + frame(3)


@pytest.mark.failure("A1")
def test_a_lost_connection_is_closed_once_and_the_next_one_goes_on() -> None:
    clock = TurningClock()
    first = Connection(clock, [hello() + frame(1)], LinkLost("port_lost", "gone"))
    second = Connection(clock, [hello() + frame(90)])
    link = LastingLink(opener(first, second)[0], clock)
    session, samples = Session(SENSORS), []
    while clock.now_us() < 2 * S:
        data, now_us = link.read(0.05)
        samples += [item for item in session.feed(data, now_us) if isinstance(item, Sample)]
    assert first.closed == 1
    assert [sample.t_us for sample in samples] == [0, 890_000]
    assert samples[1].lost == 88
    assert (link.status.state, link.status.drops, link.status.trouble) == ("live", 1, "")


@pytest.mark.failure("A2", "A7")
def test_ten_minutes_without_a_board_are_one_warning_and_few_tries(caplog: pytest.LogCaptureFixture) -> None:
    clock, tries = TurningClock(), []

    def open() -> Connection:
        tries.append(clock.now_us())
        raise LinkLost("port_held", "/dev/x is held by cat (7): end it.", ["cat (7)"])

    link = LastingLink(open, clock)
    with caplog.at_level(logging.WARNING):
        assert drain(link, clock, 600 * S) == b""
    assert len(caplog.records) == 1
    assert len(tries) < 70
    assert link.status == LinkStatus("waiting", "port_held", "/dev/x is held by cat (7): end it.", ("cat (7)",))


@pytest.mark.failure("A6")
def test_a_board_that_answers_nothing_twice_is_ready_the_third_time() -> None:
    clock = TurningClock()
    mute = [Connection(clock, []), Connection(clock, [BOOT_TEXT])]
    open, opened = opener(*mute, Connection(clock, [hello()]))
    link = LastingLink(open, clock, greeting=b"who")
    states = []
    while link.status.state != "live":
        link.read(0.1)
        states.append((link.status.state, link.status.trouble))
    assert [connection.closed for connection in mute] == [1, 1]
    assert all(connection.sent == [b"who"] for connection in opened)
    assert ("greeting", "no_hello") in states
    assert clock.now_us() > 2 * HELLO_US


@pytest.mark.failure("D6")
def test_a_connection_that_falls_silent_is_replaced() -> None:
    clock = TurningClock()
    first, second = Connection(clock, [hello()]), Connection(clock, [hello(), frame(5)])
    link = LastingLink(opener(first, second)[0], clock)
    drain(link, clock, SILENT_US + 3 * S)
    assert first.closed == 1
    assert link.status.drops == 1


def test_close_ends_it_and_its_connection_for_good() -> None:
    clock = TurningClock()
    connection = Connection(clock, [hello()])
    link = LastingLink(opener(connection)[0], clock)
    drain(link, clock, S)
    link.send(b"x")
    link.close()
    with pytest.raises(LinkClosed):
        link.read(0.1)
    assert connection.closed
    with pytest.raises(LinkLost):
        link.send(b"x")
