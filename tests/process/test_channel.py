"""The channel: what is sent is read; bytes that are no reports are counted; nothing blocks or grows without end."""

import itertools
import json
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.process.common.channel import LONGEST_LINE, ChannelError, ChannelReader, ChannelWriter, pair
from companion.table import Complete, EventKind, Health, Picture, Stone, TableEvent
from companion.table.codec import to_json

REPORTS = (
    TableEvent(EventKind.COLLAPSE, 5, (1, 2), count=2, t_report_us=9, new_stones=(1,), x=1.5, y=-2.0),
    Complete(7),
    Picture(8, (Stone(1, 0.5, 2.5, held=True),), weight_g=12.5),
    Health(9, "ok", ("load_absent",), clock_offset_us=-3),
)
LINES = b"".join(json.dumps(to_json(report)).encode() + b"\n" for report in REPORTS)


def reader() -> tuple[ChannelReader, socket.socket]:
    """A reader and the end that its test holds, so that it stays open."""
    ours, theirs = pair()
    return ChannelReader(ours), theirs


def test_what_is_written_is_read_in_order() -> None:
    table, referee = pair()
    writer, found = ChannelWriter(table), ChannelReader(referee)
    for report in REPORTS:
        writer.send(report)
    writer.finish(1.0)
    read: list[object] = []
    while (more := found.read()) is not None:
        read += more
    assert tuple(read) == REPORTS
    assert found.refused == 0


@given(st.lists(st.integers(0, len(LINES)), max_size=12))
def test_lines_may_be_cut_anywhere(cuts: list[int]) -> None:
    found, end = reader()
    places = sorted({0, len(LINES), *cuts})
    read = [report for a, b in itertools.pairwise(places) for report in found.feed(LINES[a:b])]
    assert tuple(read) == REPORTS
    end.close()
    found.close()


@given(st.lists(st.binary(max_size=60), max_size=6))
def test_garbage_is_counted_and_the_reports_around_it_are_read(garbage: list[bytes]) -> None:
    found, end = reader()
    read = list(found.feed(LINES))
    for junk in garbage:
        read += found.feed(junk.replace(b"\n", b" ") + b"\n")
    read += found.feed(LINES)
    assert tuple(read) == REPORTS * 2
    assert found.refused == len(garbage)
    end.close()
    found.close()


@pytest.mark.parametrize(
    "line",
    [
        b"{}",
        b"[]",
        b"5",
        b'{"type":"complete"}',
        b'{"type":"complete","t_us":1,"x":2}',
        b'{"type":"complete","t_us":"x"}',
        b'{"type":"complete","t_us":NaN}',
        b'{"type":"picture","t_us":1,"stones":[],"weight_g":Infinity}',
        b'{"type":"event","kind":"?"}',
        b'{"type":"picture","t_us":1,"stones":[5]}',
        b"[" * 20000,
        b"\xff\xfe",
    ],
)
def test_json_that_is_no_report_is_refused(line: bytes) -> None:
    found, end = reader()
    assert tuple(found.feed(line + b"\n" + LINES)) == REPORTS
    assert found.refused == 1
    end.close()
    found.close()


def test_a_line_without_end_takes_bounded_memory_and_costs_one_line() -> None:
    found, end = reader()
    for _ in range(40):
        assert found.feed(b"x" * 10_000) == []
        assert len(found._part) <= LONGEST_LINE + 10_000
    assert tuple(found.feed(b"\n" + LINES)) == REPORTS
    assert found.refused == 1
    end.close()
    found.close()


def test_a_reader_that_takes_nothing_costs_pictures_first_and_never_blocks() -> None:
    table, referee = pair()
    writer = ChannelWriter(table)
    stones = tuple(Stone(n, 1.0, 2.0) for n in range(20))
    for number in range(2000):
        writer.send(Picture(number, stones))
        writer.send(Complete(number))
    assert writer.dropped > 500
    found = ChannelReader(referee)
    read: list[object] = []
    while len(read) < 4000 - writer.dropped:
        read += found.read() or []
        writer.ended()
    assert [r.t_us for r in read if isinstance(r, Complete)] == list(range(2000))
    assert found.refused == 0


def test_a_reader_that_takes_nothing_for_ever_ends_the_writer() -> None:
    table, referee = pair()
    writer = ChannelWriter(table)
    event = TableEvent(EventKind.SETTLED, 1, rest=tuple(Stone(n, 1.0, 2.0) for n in range(60)))

    def send_for_ever() -> None:
        while True:
            writer.send(event)

    with pytest.raises(ChannelError, match="takes no reports"):
        send_for_ever()
    referee.close()


def test_a_writer_knows_when_the_reader_is_gone() -> None:
    table, referee = pair()
    writer = ChannelWriter(table)
    assert not writer.ended()
    referee.close()
    assert writer.ended()
    with pytest.raises(ChannelError, match="gone"):
        writer.send(Complete(1))


def test_closing_wakes_the_reader() -> None:
    found, end = reader()
    end.close()
    assert found.read() is None
    found.close()
    assert found.read() is None
