"""The session: any pieces of bytes give the same items; time, sequence and resets of the board are told right."""

import itertools
import struct
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.sample import LoadSample, Sample
from drivers.wire import Fault, Gap, Hello, Item, Log, Session
from drivers.wire.framing import seal
from drivers.wire.messages import DEFINITION, PROTOCOL, Diagnosis, Done, Frame, Part
from drivers.wire.messages import Health as BoardHealth
from drivers.wire.messages import Log as LogMessage

PERIOD = 10_000
HELLO = Hello(PROTOCOL, DEFINITION, 1, 6, PERIOD, "t")


def frame(k: int, *, boot: int = 1, seq0: int = 0, ticks0: int = 0, loads: tuple[tuple[int, int], ...] = ()) -> bytes:
    """The wire bytes of the k-th frame after (seq0, ticks0); the first count tells which it is."""
    hall = struct.pack("<6H", k % 1024, 511, 512, 513, 0, 1023)
    return seal(Frame(boot, (seq0 + k) % 65536, (ticks0 + k * PERIOD) % 2**32, loads, hall).encode())


def samples(items: list[Item]) -> list[Sample]:
    return [item for item in items if isinstance(item, Sample)]


def test_a_frame_becomes_a_sample_in_board_time() -> None:
    session = Session(6)
    loads = ((30_000, -5), (31_000, 0x01000001), (32_000, 0x7F000000))
    items = session.feed(seal(HELLO.encode()) + frame(2) + frame(3, loads=loads), 77)
    assert items == [
        HELLO,
        Sample(0, 2, struct.pack("<6H", 2, 511, 512, 513, 0, 1023), arrived_us=77),
        Sample(
            PERIOD,
            3,
            struct.pack("<6H", 3, 511, 512, 513, 0, 1023),
            load=(
                LoadSample(10_000, -5),
                LoadSample(11_000, None, "read_error"),
                LoadSample(12_000, None, "unknown"),
            ),
            arrived_us=77,
        ),
    ]


STREAM = [seal(HELLO.encode()), *(frame(k) for k in range(4)), seal(LogMessage(5, "hi\n").encode()), frame(7)]


@given(st.lists(st.integers(0, sum(map(len, STREAM))), max_size=12))
def test_the_items_do_not_depend_on_the_pieces(cuts: list[int]) -> None:
    data = b"".join(STREAM)
    whole = Session(6).feed(data, 5)
    assert [type(item) for item in whole] == [Hello, Sample, Sample, Sample, Sample, Log, Gap, Sample]
    session, items = Session(6), []
    edges = [0, *sorted(cuts), len(data)]
    for start, stop in itertools.pairwise(edges):
        items += session.feed(data[start:stop], 5)
    assert items == whole


@pytest.mark.failure("A12")
def test_joining_at_any_byte_costs_at_most_the_frame_that_was_cut() -> None:
    data = b"".join(frame(k) for k in range(5))
    size = len(frame(0))
    for start in range(len(data)):
        seen = [struct.unpack_from("<H", s.hall)[0] for s in samples(Session(6).feed(data[start:], 0))]
        whole = list(range(-(-start // size), 5))
        assert seen == whole


def test_ticks_and_sequence_go_on_through_their_wraps() -> None:
    session = Session(6)
    first = 2**32 - 2 * PERIOD - 7
    items = samples([i for k in range(6) for i in session.feed(frame(k, seq0=65533, ticks0=first), k * PERIOD)])
    assert [s.t_us for s in items] == [k * PERIOD for k in range(6)]
    assert [s.sequence for s in items] == [65533 + k for k in range(6)]
    assert session.counts.lost == 0


def test_a_silence_longer_than_a_wrap_of_ticks_and_sequence_keeps_its_length() -> None:
    session = Session(6)
    session.feed(seal(HELLO.encode()) + frame(0), 0)
    far = 600_000  # frames: 100 minutes
    items = session.feed(frame(far), far * PERIOD + 40_000)
    assert [type(item) for item in items] == [Gap, Sample]
    assert items[0] == Gap(0, far * PERIOD, far - 1)
    assert samples(items)[0].t_us == far * PERIOD
    assert samples(items)[0].sequence == far


def test_missing_frames_are_a_gap_and_are_counted() -> None:
    session = Session(6)
    items = session.feed(frame(0) + frame(1) + frame(5), 0)
    assert items[2] == Gap(PERIOD, 5 * PERIOD, 3)
    assert samples(items)[-1].lost == 3
    assert session.counts.lost == 3


def test_a_frame_again_or_out_of_order_is_dropped() -> None:
    session = Session(6)
    items = session.feed(frame(0) + frame(1) + frame(1) + frame(0) + frame(2), 0)
    assert [s.t_us for s in samples(items)] == [0, PERIOD, 2 * PERIOD]
    assert session.counts.repeated == 2


@pytest.mark.failure("A10")
@pytest.mark.parametrize("hello_first", [True, False], ids=["hello arrives", "hello is lost"])
def test_after_a_reset_board_time_goes_on_by_arrival_and_once_only(hello_first: bool) -> None:
    session = Session(6)
    session.feed(seal(HELLO.encode()) + frame(50, ticks0=10**9), 1_000_000)
    again = seal(replace(HELLO, boot=2).encode())
    stream = again + frame(0, boot=2) if hello_first else frame(0, boot=2) + again
    items = session.feed(stream + frame(1, boot=2), 3_000_000)
    assert sum(isinstance(i, Fault) and i.code == "rebooted" for i in items) == 1
    assert [s.t_us for s in samples(items)] == [2_000_000, 2_000_000 + PERIOD]
    assert [i for i in items if isinstance(i, Gap)] == [Gap(0, 2_000_000, 199)]


def test_a_reset_shows_although_the_low_byte_of_the_boot_id_is_the_same() -> None:
    session = Session(6)
    session.feed(seal(HELLO.encode()) + frame(50), 0)
    items = session.feed(seal(replace(HELLO, boot=257).encode()) + frame(0), 1_000_000)
    assert any(isinstance(i, Fault) and i.code == "rebooted" for i in items)


def test_a_clock_that_went_back_is_a_fault_and_not_an_endless_silence() -> None:
    session = Session(6)
    session.feed(frame(0, ticks0=10**6, seq0=1000), 0)
    items = [i for k in range(40) for i in session.feed(frame(k), (k + 1) * PERIOD)]
    assert [i.code for i in items if isinstance(i, Fault)] == ["clock_jump"]
    times = [s.t_us for s in samples(items)]
    assert len(times) > 20
    assert all(b - a == PERIOD for a, b in itertools.pairwise(times))


def test_frames_of_another_number_of_sensors_are_refused_and_told_once() -> None:
    session = Session(220)
    items = session.feed(b"".join(frame(k) for k in range(3)), 0)
    assert items == [Fault("sensor_count", "the board sends 6 sensors, the table has 220")]
    assert session.counts.refused == 3


@pytest.mark.parametrize("change", [{"protocol": PROTOCOL + 1}, {"definition": DEFINITION ^ 1}])
def test_a_board_that_speaks_otherwise_is_told_and_gives_no_samples(change: dict[str, int]) -> None:
    session = Session(6)
    items = session.feed(seal(replace(HELLO, **change).encode()) + frame(0), 0)
    assert [type(i) for i in items] == [Hello, Fault]
    assert samples(session.feed(seal(HELLO.encode()) + frame(1), 1)) != []


def test_a_load_conversion_far_from_its_frame_is_dropped_and_counted() -> None:
    session = Session(6)
    items = session.feed(frame(0, loads=((2**31, 5), (2**32 - 1000, 6))), 0)
    assert samples(items)[0].load == (LoadSample(-1000, 6),)
    assert session.counts.bad_loads == 1


@pytest.mark.failure("A13")
def test_a_log_line_is_text_without_control_characters() -> None:
    assert Session().feed(seal(LogMessage(1, "a\x1b[2Jb\r\n").encode()), 0) == [Log(1, "a\ufffd[2Jb\ufffd\ufffd")]


def part(k: int, hall: list[int | None], turn: int = 0, bases: int = 1, **changes: Any) -> bytes:
    """The wire bytes of the k-th part of a table of twelve sensors, blocks of eleven and one, one every 40 ms."""
    return seal(replace(Part(1, k, k * 40_000, 4, turn, bases, 1, (), tuple(hall)), **changes).encode())


def quarters(*counts: int) -> bytes:
    return struct.pack(f"<{len(counts)}H", *counts)


BASES: list[int | None] = [2000 + k for k in range(11)]


def heard(k: int, hall: bytes, fresh: list[int], **changes: Any) -> Sample:
    return replace(Sample(k * 40_000, k, hall, bytes(fresh), arrived_us=1, unit=4, scans=4, step=2), **changes)


def test_parts_become_samples_once_every_sensor_is_known_and_say_what_is_fresh() -> None:
    session = Session(12)
    hello = replace(HELLO, sensors=12, period_us=40_000)
    absent: list[int | None] = [None] * 11
    stream = [
        part(0, [*BASES, 5], loads=((0, 1),)),  # a difference from what nobody knows
        part(1, [*([1] * 11), 3000], turn=1),
        part(2, [*([100 + k for k in range(11)]), -2], loads=((625, 7), (-5, 8))),
        part(3, [*absent, 50], turn=1),
    ]
    items = session.feed(seal(hello.encode()) + b"".join(stream), 1)
    assert items == [
        hello,
        heard(1, quarters(*range(2002, 2013), 3000), [1] * 12, load=(LoadSample(0, 1),)),
        heard(2, quarters(*range(100, 111), 2996), [1] * 12, load=(LoadSample(70_000, 7), LoadSample(80_080, 8))),
        heard(3, quarters(*range(100, 111), 50), [0] * 11 + [1]),
    ]
    assert session.counts.parts == 4


def test_a_sample_says_how_coarse_its_differences_are_and_never_coarser_than_a_value() -> None:
    session = Session(12)
    session.feed(part(0, [*BASES, 0]) + part(1, [*([0] * 11), 3000], turn=1), 0)
    stream = b"".join(part(2 + k, [0] * 12, bases=0, coarse=coarse) for k, coarse in enumerate([0, 3, 255]))
    assert [sample.step for sample in samples(session.feed(stream, 0))] == [1, 8, 4096]


def test_what_is_expected_follows_a_small_difference_by_half_and_a_large_one_at_once() -> None:
    session = Session(12)
    session.feed(part(0, [*BASES, 0]) + part(1, [*([0] * 11), 3000], turn=1), 0)
    said = [3, -3, 0, 4, 0]  # halves of a count
    values = []
    for k, by in enumerate(said):
        (sample,) = samples(session.feed(part(k + 2, [*([0] * 11), by], bases=0), 0))
        values.append(struct.unpack("<12H", sample.hall)[11])
    assert values == [3006, 2997, 3000, 3008, 3008]


@pytest.mark.failure("B3")
def test_after_a_lost_part_nothing_is_told_until_all_is_known_again() -> None:
    session = Session(12)
    session.feed(part(0, [*BASES, 0]) + part(1, [*([0] * 11), 3000], turn=1), 0)
    assert not session.blind
    assert session.feed(part(3, [*([7] * 11), 3001], turn=1, loads=((0, 5),)), 1) == [Gap(40_000, 120_000, 1)]
    assert session.blind
    assert session.feed(part(4, [*BASES, 1]), 1) == [
        heard(4, quarters(*range(2000, 2011), 3003), [1] * 12, lost=1, load=(LoadSample(120_000, 5),))
    ]


def test_after_a_reset_every_sensor_must_be_heard_of_again() -> None:
    session = Session(12)
    session.feed(part(0, [*BASES, 0]) + part(1, [*([0] * 11), 3000], turn=1), 0)
    assert [type(i) for i in session.feed(part(0, [*BASES, 1], boot=2), 40_000)] == [Fault, Gap]
    found = samples(session.feed(part(1, [*([0] * 11), 3000], turn=1, boot=2), 80_000))
    assert [i.fresh for i in found] == [bytes([1] * 12)]


def test_whole_frames_and_parts_may_follow_each_other() -> None:
    session = Session(6)
    six = tuple(range(100, 106))
    items = session.feed(frame(0) + seal(Part(1, 1, PERIOD, 4, 0, 1, 0, (), six).encode()) + frame(8), 0)
    assert [(i.hall[2:4], i.unit, i.fresh) for i in samples(items)] == [
        (struct.pack("<H", 511), 1, None),
        (struct.pack("<H", 101), 4, bytes([1] * 6)),
        (struct.pack("<H", 511), 1, None),
    ]


def test_what_the_board_says_about_itself_is_passed_on() -> None:
    said = [
        BoardHealth(1, 2, 50, 17, 0, 0, 0, 1, 0, struct.pack("<2H", 512, 0)),
        Diagnosis(1, 0, 0, 0, 1, 80, 40),
        Done(36, 2),
    ]
    assert Session(6).feed(b"".join(seal(m.encode()) for m in said), 0) == said
