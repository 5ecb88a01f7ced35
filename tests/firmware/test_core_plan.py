"""The order of a scan, and the board's test of its own wires."""

import ctypes
import random

import pytest

from hardware.geometry import channels
from tests.firmware.core import LINES, MULTIPLEXERS, Core

GROUND = 15


def test_a_scan_reads_every_channel_once_in_the_tables_order_and_discards_after_a_change_of_input(core: Core) -> None:
    raw = (ctypes.c_uint8 * 1024)()
    count = core.library.host_plan(raw)
    steps = [(raw[2 * k], raw[2 * k + 1]) for k in range(count)]
    kept = [(m, turn - 1) for m, turn in steps if turn]
    assert kept == [(m, a) for m in range(16) for a in range(16)]
    assert [k for k, (_, turn) in enumerate(steps) if not turn] == list(range(0, 272, 17))
    at = {place: k for k, place in enumerate(kept)}
    order = [at[c.multiplexer, c.address] for c in channels() if c.sensor is not None]
    assert order == sorted(order)


def board(
    sensors: int, low: int = 0, high: int = 0, absent: tuple[int, ...] = (), bleed: int = 0
) -> tuple[list[int], list[int], list[list[int]]]:
    """What the test of the wires reads on a board with such faults."""
    rng = random.Random(sensors)
    counts = [[rng.randrange(300, 700) for _ in range(15)] + [0] for _ in range(MULTIPLEXERS)]
    for m in absent:
        counts[m] = [512] * 16

    def read(address: int) -> list[int]:
        return [counts[m][address & ~low | high] for m in range(MULTIPLEXERS)]

    settled = read(GROUND)
    return [v + bleed for v in settled], settled, [read(GROUND ^ 1 << line) for line in range(LINES)]


@pytest.mark.failure("E1", "E2")
def test_sound_wires_are_found_sound_and_bleed_is_told_in_counts(core: Core) -> None:
    assert core.wires(*board(1)) == (0, 0, 0, 0)
    assert core.wires(*board(2, bleed=5)) == (0, 0, 0, 5)


@pytest.mark.failure("E2")
@pytest.mark.parametrize("line", range(LINES))
def test_a_select_line_that_does_not_move_is_named(core: Core, line: int) -> None:
    low, high, ungrounded, _ = core.wires(*board(3, low=1 << line))
    assert (low, high, ungrounded) == (1 << line, 0, 0xFFFF)
    low, high, ungrounded, _ = core.wires(*board(4, high=1 << line))
    assert (low, high, ungrounded) == (0, 1 << line, 0)


def test_a_multiplexer_that_is_not_there_is_named(core: Core) -> None:
    assert core.wires(*board(5, absent=(3, 12))) == (0, 0, 1 << 3 | 1 << 12, 0)
