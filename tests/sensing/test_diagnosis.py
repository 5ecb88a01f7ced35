"""Each fault that is put into a recording's counts is named, and only that."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from companion.cli.diagnose import WORDS, said
from companion.process.common.learned import recorded_layout, samples
from companion.sensing.diagnosis import Diagnosis
from companion.sensing.sensors.multiplexers import MULTIPLEXERS
from companion.sensing.sensors.parts import Finding
from drivers.recording import Recording, read_recording
from hardware.geometry import channels

SNAP = Path(__file__).parents[1] / "data" / "recordings" / "nominal-snap2-a"
FRAMES = 600


@pytest.fixture(scope="module")
def recording() -> Recording:
    whole = read_recording(SNAP)
    until = whole.t_us[FRAMES]
    load = whole.load_t_us < until
    return replace(
        whole,
        t_us=whole.t_us[:FRAMES],
        hall=whole.hall[:FRAMES],
        lost=whole.lost[:FRAMES],
        load_t_us=whole.load_t_us[load],
        load=whole.load[load],
    )


def found(recording: Recording) -> list[tuple[str, str]]:
    diagnosis = Diagnosis(recorded_layout(recording))
    for sample in samples(recording):
        diagnosis.add(sample)
    for finding in diagnosis.findings():
        assert said(finding)
    return [(f.code, f.where) for f in diagnosis.findings()]


def hall(change: Callable[[np.ndarray, np.random.Generator], None]) -> Callable[[Recording], Recording]:
    def changed(recording: Recording) -> Recording:
        counts = recording.hall.astype(np.int64)
        change(counts, np.random.default_rng(1))
        return replace(recording, hall=np.clip(counts, 0, 1023).astype(np.uint16))

    return changed


def load(change: Callable[[np.ndarray], np.ndarray]) -> Callable[[Recording], Recording]:
    return lambda recording: replace(recording, load=change(recording.load.astype(np.int64)).astype(np.int32))


def stuck_line(counts: np.ndarray, bit: int, multiplexers: range, high: bool) -> None:
    first = np.cumsum([0, *MULTIPLEXERS * 4])
    for m in multiplexers:
        size = MULTIPLEXERS[m % 4]
        for address in range(size):
            other = address | (1 << bit) if high else address & ~(1 << bit)
            if other < size and other != address:
                counts[:, first[m] + address] = counts[:, first[m] + other]


def set_to(at: slice | int, value: int) -> Callable[[np.ndarray, np.random.Generator], None]:
    def change(counts: np.ndarray, rng: np.random.Generator) -> None:
        counts[:, at] = value

    return change


def noisy(counts: np.ndarray, rng: np.random.Generator) -> None:
    counts[:, 100] += np.rint(rng.normal(0, 25, len(counts))).astype(np.int64)


def ripple(counts: np.ndarray, rng: np.random.Generator) -> None:
    counts += np.rint(rng.normal(0, 5, (len(counts), 1))).astype(np.int64)


def off(counts: np.ndarray, rng: np.random.Generator) -> None:
    counts -= 90


FAULTS = [
    ("nothing", lambda recording: recording, []),
    ("a tile is missing", hall(set_to(slice(55, 110), 0)), [("tile_missing", "B")]),
    ("a tile at the upper end", hall(set_to(slice(165, 220), 1023)), [("tile_missing", "D")]),
    ("a multiplexer is missing", hall(set_to(slice(14, 28), 0)), [("multiplexer_missing", "A-1")]),
    ("a multiplexer reads one level", hall(set_to(slice(110, 124), 512)), [("multiplexer_missing", "C-0")]),
    ("a select line is low", hall(lambda c, r: stuck_line(c, 1, range(16), False)), [("select_stuck", "S1")]),
    ("a select line is high", hall(lambda c, r: stuck_line(c, 2, range(16), True)), [("select_stuck", "S2")]),
    ("a broken pin", hall(lambda c, r: stuck_line(c, 0, range(6, 7), False)), [("select_stuck", "S0:B-2")]),
    ("a dead sensor", hall(set_to(17, 0)), [("sensor_dead", "A17")]),
    ("a stuck sensor", hall(set_to(60, 530)), [("sensor_stuck", "B5")]),
    ("a noisy sensor", hall(noisy), [("sensor_noisy", "B45")]),
    ("the supply is off", hall(off), [("rail_off", "")]),
    ("the supply is restless", hall(ripple), [("rail_noisy", "")]),
    ("no load cell", lambda r: replace(r, load=r.load[:0], load_t_us=r.load_t_us[:0]), [("load_absent", "")]),
    ("constant", load(lambda c: np.full_like(c, 90_000)), [("load_constant", "")]),
    ("miswired", load(lambda c: np.full_like(c, -0x800000)), [("load_wiring", "")]),
    ("floating", load(lambda c: np.random.default_rng(2).integers(-8000000, 8000000, len(c))), [("load_floating", "")]),
    ("read errors", load(lambda c: np.full_like(c, 0x7FFFFF)), [("load_errors", "")]),
]  # fmt: skip


@pytest.mark.failure("B7")
@pytest.mark.failure("B10")
@pytest.mark.failure("E2")
@pytest.mark.parametrize(("break_it", "want"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_the_faulty_part_is_named(
    recording: Recording, break_it: Callable[[Recording], Recording], want: list[tuple[str, str]]
) -> None:
    assert found(break_it(recording)) == want


def test_too_few_frames_are_said(recording: Recording) -> None:
    short = replace(recording, t_us=recording.t_us[:20], hall=recording.hall[:20], lost=recording.lost[:20])
    assert found(short) == [("no_samples", "")]


def test_multiplexers_are_those_of_the_geometry() -> None:
    on = [sum(c.multiplexer == m and c.sensor is not None for c in channels(1)) for m in range(len(MULTIPLEXERS))]
    assert tuple(on) == MULTIPLEXERS
    first = [c for c in channels(1) if c.sensor is not None]
    assert [c.sensor for c in first] == list(range(len(first)))
    assert all(a.address < b.address or a.multiplexer < b.multiplexer for a, b in pairwise(first))


def test_every_finding_has_words() -> None:
    for code in WORDS:
        assert said(Finding(code, "A1", 0.5)) != code
