"""Sensors that fail while a game is played: nothing is told of what they make up, and they are named."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.pipeline import Sensing
from companion.sensing.tracks.lone import NAMED_FRAMES, Lone
from companion.table import EventKind, Health, TableEvent

SECOND = 100


class Play:
    """A quiet table, frame by frame; change(counts, rng, n) spoils the counts (S,)."""

    def __init__(self, layout: Any, frame: Any, seed: int) -> None:
        self.sensing, self._frame, self._rng, self.n = Sensing(layout), frame, np.random.default_rng(seed), 0
        self.reports: list[Any] = []

    def run(self, seconds: float, field: Any = 0.0, change: Any = None) -> None:
        for _ in range(round(seconds * SECOND)):
            here = field(self.n) if callable(field) else field
            sample = self._frame(self.n, field=here, rng=self._rng, noise=0.3)
            if change is not None:
                counts = np.frombuffer(sample.hall, dtype="<u2").astype(float)
                change(counts, self._rng, self.n)
                sample = replace(sample, hall=np.clip(np.rint(counts), 0, 1023).astype("<u2").tobytes())
            self.reports += self.sensing.feed(sample)
            self.n += 1

    @property
    def events(self) -> list[EventKind]:
        return [r.kind for r in self.reports if isinstance(r, TableEvent)]

    def named_s(self, code: str) -> float:
        """When the health told it first."""
        return min(r.t_us for r in self.reports if isinstance(r, Health) and code in r.faults) / 1e6


def off(counts: Any, rng: Any, n: int) -> None:
    counts[70] += 70.0


def stuck(counts: Any, rng: Any, n: int) -> None:
    counts[70] = 380.0


def restless(counts: Any, rng: Any, n: int) -> None:
    if n // 50 % 4 == 0:  # half a second of two
        counts[70] += rng.normal(0.0, 14.0)


def drifting(counts: Any, rng: Any, n: int) -> None:
    counts[70] += 0.02 * (n - 3 * SECOND)


def joined(counts: Any, rng: Any, n: int) -> None:
    counts[55:69] = counts[60] + rng.normal(0.0, 0.3, 14)


@pytest.mark.failure("E2")
@pytest.mark.parametrize(
    ("change", "code", "within_s"),
    [
        (off, "sensor_off:B15", 1.1),
        (stuck, "sensor_stuck:B15", 11.0),
        (restless, "sensor_noisy:B15", 6.0),
        (drifting, "sensor_off:B15", 8.0),
        (joined, "multiplexer_missing:B-0", 1.1),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_fails_on_an_empty_board_is_named_and_no_stone(
    layout: Any, frame: Any, change: Any, code: str, within_s: float
) -> None:
    play = Play(layout, frame, 1)
    play.run(3.0)
    play.run(12.0, change=change)
    assert play.events == []
    assert play.named_s(code) - 3.0 < within_s
    assert play.sensing.reading is not None
    assert not play.sensing.reading.valid[70] or change in (restless, joined)


@pytest.mark.failure("E2")
@pytest.mark.parametrize("change", [off, stuck])
def test_what_fails_under_a_stone_leaves_it_where_it_is(layout: Any, frame: Any, change: Any) -> None:
    model, at = FieldModel.of(layout), layout.position[70] + (2.0, 1.0, 11.4)

    def comes(n: int) -> Any:
        high = max(0.0, 60.0 - 0.5 * (n - 3 * SECOND))
        return model.fields(magnet(at + np.array([0.0, 0.0, high]), (0, 0, 1), 0.25))[0]

    play = Play(layout, frame, 2)
    play.run(3.0)
    play.run(4.0, comes)
    before = play.events
    assert EventKind.PLACED in before
    play.run(8.0, comes, change)
    assert play.events == before
    tracker = play.sensing.tracker
    assert tracker is not None
    (mover,) = tracker.movers
    assert np.hypot(*(mover.body.centre - at)[:2]) < 1.0
    assert any(":B15" in fault for fault in play.sensing.faults)


@pytest.mark.parametrize("off_mm", [0.0, 3.0])
def test_a_stone_let_down_right_over_a_sensor_is_no_fault(layout: Any, frame: Any, off_mm: float) -> None:
    model, at = FieldModel.of(layout), layout.position[70] + (off_mm, 0.0, 11.4)

    def comes(n: int) -> Any:
        high = max(0.0, 80.0 - 8.0 * (n - 3 * SECOND))  # 0.8 m/s
        return model.fields(magnet(at + np.array([0.0, 0.0, high]), (0, 0, 1), 0.15))[0]

    play = Play(layout, frame, 3)
    play.run(3.0)
    play.run(3.0, comes)
    assert EventKind.PLACED in play.events
    assert not [fault for fault in play.sensing.faults if fault.startswith("sensor_")]


def test_one_that_is_well_again_is_used_again(layout: Any, frame: Any) -> None:
    play = Play(layout, frame, 4)
    play.run(3.0)
    play.run(1.0, change=off)
    assert play.sensing.faults == ("sensor_off:B15",)
    play.run(11.0)
    assert play.sensing.faults == ()
    assert play.sensing.reading is not None
    assert play.sensing.reading.valid.all()


@pytest.mark.failure("E2")
def test_a_sensor_has_one_fault_and_a_part_stands_for_its_sensors(layout: Any, frame: Any) -> None:
    """First it is seen beside what is expected, then that it never changes."""
    play = Play(layout, frame, 5)
    play.run(3.0)
    play.run(11.0, change=stuck)
    assert {f for r in play.reports if isinstance(r, Health) for f in r.faults} == {
        "sensor_off:B15",
        "sensor_stuck:B15",
    }
    assert play.sensing.faults == ("sensor_stuck:B15",)


@pytest.mark.failure("E2")
@pytest.mark.parametrize(
    ("tile", "code"),
    [(range(55), "tile_missing:A"), (range(14), "multiplexer_missing:A-0")],
    ids=["tile", "multiplexer"],
)
def test_what_is_wrong_with_a_part_is_told_once(layout: Any, frame: Any, tile: range, code: str) -> None:
    def lost(counts: Any, rng: Any, n: int) -> None:
        counts[list(tile)] = 0.0

    play = Play(layout, frame, 6)
    play.run(3.0, change=lost)
    assert play.sensing.faults == (code,)


@pytest.mark.failure("E2")
def test_a_multiplexer_that_fails_is_told_once_before_and_after_the_next_zeros(layout: Any, frame: Any) -> None:
    play = Play(layout, frame, 7)
    play.run(3.0)
    before = play.sensing.zeroed_us
    for _ in range(12):
        play.run(1.0, change=joined)
        if play.sensing.zeroed_us == before:
            assert play.sensing.faults == ("multiplexer_missing:B-0",)
    assert play.sensing.zeroed_us != before
    assert play.sensing.faults == ("multiplexer_missing:B-0",)


class Frames:
    """What is left over of a table with no track, frame by frame: mT at sensor 70 and at three beside it."""

    def __init__(self, layout: Any, sigma_mt: float = 0.17) -> None:
        self.lone, self._rng, self._sigma = Lone(layout), np.random.default_rng(8), np.full(layout.count, sigma_mt)
        self._next = [71, 60, 61]

    def run(self, frames: int, here_mt: float, beside_mt: float = 0.0, beside_valid: bool = True) -> None:
        for _ in range(frames):
            field = self._rng.normal(0.0, 0.3 * self._sigma)
            field[70] += here_mt
            field[self._next] += beside_mt
            valid = np.ones(len(field), dtype=np.bool_)
            valid[self._next] = beside_valid
            self.lone.sift(field * valid, valid, np.zeros(len(field)), self._sigma, [])


@pytest.mark.failure("E2")
def test_a_stone_that_comes_up_to_one_sensor_from_beside_the_mats_is_no_fault(layout: Any) -> None:
    frames = Frames(layout)
    frames.run(NAMED_FRAMES - 5, 1.8)  # the noise hides what the others see of it
    for _ in range(5):
        frames.run(4, 2.8, 1.4)
        frames.run(1, 2.0, 0.3)
    assert frames.lone.faults == ()
    frames.run(NAMED_FRAMES, 2.0)  # nothing comes for so long
    assert frames.lone.faults == ("sensor_off:B15",)


@pytest.mark.failure("E2")
def test_no_sensor_drifts_while_something_comes_near(layout: Any) -> None:
    frames = Frames(layout)
    frames.run(52, 0.9)
    frames.run(20, 0.9, 14.0)
    assert frames.lone.faults == ()


@pytest.mark.failure("E2")
def test_what_has_gone_again_is_no_drift(layout: Any) -> None:
    frames = Frames(layout)
    frames.run(100, 0.95, 0.95)
    frames.run(10, 0.0, beside_valid=False)  # a stone lies on those now
    assert frames.lone.faults == ()
