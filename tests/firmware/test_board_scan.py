"""The flashed program on the emulated board: every channel's value, its pace, its spare time, its wires."""

import itertools
import struct
from pathlib import Path

import numpy as np
import pytest
import serial

from drivers.wire import BoardHealth, Diagnosis, Hello, Session
from drivers.wire.greeting import GREETING
from firmware import build
from firmware.emulate import Emulator
from firmware.signals import channel_counts, moving, still
from hardware.geometry import channels
from tests.firmware.board import HALL, SENSORS, Built, counts, run

pytestmark = pytest.mark.slow

SPARES = [
    channel_counts(HALL)[c.multiplexer * 16 + c.address]
    for c in sorted(channels(), key=lambda c: (c.multiplexer, c.address))
    if c.sensor is None
]


def test_all_channels_are_right_and_every_scan_is_there_with_time_to_spare(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, seconds=3.2)
    figures = heard.figures
    print(figures)
    assert {tuple(counts(s)) for s in heard.samples} == {tuple(HALL)}
    assert len(heard.samples) > 300
    assert heard.session.counts.lost == heard.session.counts.bad_crc == heard.session.counts.bad_cobs == 0
    steps = [b.t_us - a.t_us for a, b in itertools.pairwise(heard.samples[2:])]  # the wires are tested at the start
    assert set(steps) == {10_000}
    assert figures["moved_while_sampling"] == figures["short_settles"] == 0
    assert figures["busy"] <= 0.72
    assert figures["ram_fixed"] + figures["ram_stack"] <= figures["ram"] * 0.75
    assert figures["flash"] <= 32_000
    waits = {k: v for k, v in figures["latency_us"].items() if not k.endswith("_out")}  # sending waits for the line
    assert waits.pop("clock") <= 100  # an overflow that is still waiting is counted by who reads the clock, for 16 ms
    assert max(waits.values()) <= 20  # two bytes at 1 Mbaud: the receiver holds that many
    health = heard.all(BoardHealth)
    assert len(health) == 3
    assert {struct.unpack("<36H", h.spare) for h in health} == {tuple(SPARES)}
    assert all((h.late, h.dropped, h.refused) == (0, 0, 0) for h in health)
    assert all(h.busy < 60 and h.latency_us <= 20 for h in health)
    assert (heard.all(Hello)[0].sensors, heard.all(Hello)[0].period_us) == (SENSORS, 10_000)


def test_a_megabaud_does_as_well(built: Built, tmp_path: Path) -> None:
    fast = Built(built.simulator, build.firmware(tmp_path, baud=1_000_000))
    heard = run(fast, tmp_path, seconds=1.2)
    assert {tuple(counts(s)) for s in heard.samples} == {tuple(HALL)}
    assert heard.session.counts.lost == 0
    assert heard.figures["busy"] <= 0.72


@pytest.mark.failure("E1")
def test_what_a_sample_leaves_in_the_converter_is_discarded(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, "--bleed", "0.2", seconds=0.5)
    worst = max(abs(a - b) for s in heard.samples for a, b in zip(counts(s), HALL, strict=True))
    assert worst <= 40  # one fifth of one fifth: the discarded sample itself was a fifth off
    assert {tuple(counts(s)) for s in run(built, tmp_path, "--bleed", "0.02", seconds=0.5).samples} == {tuple(HALL)}


@pytest.mark.failure("E2")
def test_the_address_stands_long_enough_and_the_board_finds_out_where_that_is_not_enough(
    built: Built, tmp_path: Path
) -> None:
    heard = run(built, tmp_path, "--settle", "3", seconds=0.5)
    worst = max(abs(a - b) for s in heard.samples for a, b in zip(counts(s), HALL, strict=True))
    assert worst <= 1
    assert heard.all(Diagnosis)[0].bleed <= 1
    slow = run(built, tmp_path, "--settle", "15", seconds=0.5)
    assert slow.all(Diagnosis)[0].bleed > 50


@pytest.mark.parametrize("noise", ["0", "0.4", "0.7"])
def test_time_to_spare_hardly_depends_on_what_the_sensors_show(built: Built, tmp_path: Path, noise: str) -> None:
    """The parts' differences are all small ones where nothing moves; noise makes their coding dearer."""
    heard = run(built, tmp_path, "--noise", noise, seconds=2.2)
    print(f"noise of {noise} counts: busy {heard.figures['busy']:.1%}")
    assert heard.figures["busy"] <= 0.72
    assert heard.session.counts.lost == 0
    assert heard.figures["port1"]["lost_bytes"] == 0


def test_no_scan_is_missed_where_a_part_takes_longest(built: Built, tmp_path: Path) -> None:
    """All sensors jump anywhere in one scan of 41: what the budget has saved by then goes into one part."""
    rng = np.random.default_rng(1)
    hall = np.full((600, SENSORS), 512, dtype=np.uint16)
    hall[40::41] = np.clip(rng.normal(512, 300, hall[40::41].shape), 0, 1023)
    heard = run(built, tmp_path, seconds=6.2, signals=moving(hall))
    assert heard.session.counts.lost == 0
    assert {health.late for health in heard.all(BoardHealth)} == {0}
    assert [counts(sample) for sample in heard.samples[:500]] == hall[:500].tolist()
    assert heard.figures["busy"] <= 0.72


def test_noise_stays_noise(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, "--noise", "0.7", seconds=1.2, hall=[512] * SENSORS)
    values = [value for s in heard.samples for value in counts(s)]
    mean = sum(values) / len(values)
    spread = (sum((v - mean) ** 2 for v in values) / len(values)) ** 0.5
    assert abs(mean - 512) < 0.02
    assert 0.7 < spread < 0.82  # and that of rounding


@pytest.mark.failure("E2")
@pytest.mark.parametrize("line", range(4))
def test_a_select_line_that_does_not_move_is_named_by_the_board(built: Built, tmp_path: Path, line: int) -> None:
    low = run(built, tmp_path, "--stuck-low", str(1 << line), seconds=0.15).all(Diagnosis)[0]
    assert (low.stuck_low, low.stuck_high) == (1 << line, 0)
    high = run(built, tmp_path, "--stuck-high", str(1 << line), seconds=0.15).all(Diagnosis)[0]
    assert (high.stuck_low, high.stuck_high) == (0, 1 << line)


def test_a_change_of_the_field_arrives_with_the_scans_after_it(built: Built, tmp_path: Path) -> None:
    signals = tmp_path / "signals"
    signals.write_bytes(still(HALL, None))
    other = HALL[::-1]
    options = ("--seconds", "1", "--await-host", "--lossless")
    session, seen = Session(SENSORS), []
    with (
        Emulator(built.simulator, built.elf, signals, *options) as board,
        serial.Serial(str(board.usb), exclusive=True, timeout=0.2) as port,
    ):
        port.write(GREETING)
        while not (over := board.told) or port.in_waiting:
            for item in session.feed(port.read(max(1, port.in_waiting)), 0):
                if hasattr(item, "hall"):
                    seen.append(counts(item))
                    if len(seen) == 20:
                        with signals.open("r+b") as file:
                            file.write(still(other, None))
            if over and not port.in_waiting:
                break
    assert seen[:20] == [HALL] * 20
    assert seen[-20:] == [other] * 20
