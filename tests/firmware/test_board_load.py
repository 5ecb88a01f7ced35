"""The load cell's chip on the emulated board: right when it is sound, named when it is not, never waited for."""

import itertools
from pathlib import Path

import pytest

from drivers.wire import BoardHealth
from drivers.wire.messages import LOAD_STATES
from tests.firmware.board import HALL, WEIGHT, Built, Heard, counts, run

pytestmark = pytest.mark.slow


def errors(heard: Heard) -> list[str]:
    return [load.error for sample in heard.samples for load in sample.load]


def grid_is_sound(heard: Heard) -> bool:
    return {tuple(counts(s)) for s in heard.samples} == {tuple(HALL)} and heard.session.counts.lost == 0


def state(heard: Heard) -> str:
    return LOAD_STATES[heard.all(BoardHealth)[-1].load]


@pytest.mark.failure("B5")
def test_eighty_conversions_a_second_are_read_with_25_bounded_pulses(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, seconds=3.0)
    values = [load.counts for sample in heard.samples for load in sample.load]
    assert set(values[4:]) == {WEIGHT}
    assert len(values) >= 80 * 3 - 8
    figures = heard.figures
    assert figures["load_powered_down"] == figures["load_wrong_pulses"] == figures["load_overtaken"] == 0
    assert grid_is_sound(heard)


def test_conversions_are_dated_when_they_were_ready_however_busy_the_board_is(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, seconds=1.5)
    dated = [load.t_us for sample in heard.samples for load in sample.load]
    assert len(dated) > 100
    assert {b - a for a, b in itertools.pairwise(dated)} <= {12_499, 12_500, 12_501}


def test_a_negative_weight_has_its_sign(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, seconds=0.5, load=-123_456)
    assert {load.counts for sample in heard.samples for load in sample.load} == {None, -123_456}


@pytest.mark.failure("B6")
def test_a_cell_at_its_rail_is_told_as_saturated(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, seconds=1.2, load=0x7FFFFF)
    assert set(errors(heard)) == {"saturated_high"}
    assert state(heard) == "saturated"


@pytest.mark.failure("B3")
def test_a_stretched_clock_is_told_and_the_conversions_after_it_are_discarded(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, "--load", "stretched", seconds=1.5)
    assert heard.figures["load_powered_down"] > 0
    told = errors(heard)
    assert told.count("stretched") > 0
    at = told.index("stretched")
    assert told[at + 1 : at + 5] == ["settling"] * 4
    assert {load.counts for sample in heard.samples for load in sample.load} <= {None, WEIGHT}
    assert grid_is_sound(heard)


@pytest.mark.failure("B1")
def test_a_pulse_that_the_chip_overlooks_is_told_and_gives_no_weight(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, "--load", "missed", seconds=1.5)
    assert "desync" in errors(heard)
    assert {load.counts for sample in heard.samples for load in sample.load} <= {None, WEIGHT}


@pytest.mark.failure("B9", "B10")
def test_without_a_chip_the_grid_goes_on_and_the_cell_is_absent(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, "--load", "missing", seconds=2.5)
    assert errors(heard) == ["absent"] * 2
    assert state(heard) == "absent"
    assert grid_is_sound(heard)
    assert len(heard.samples) > 240


@pytest.mark.failure("B10")
def test_a_data_line_that_nothing_drives_is_no_weight(built: Built, tmp_path: Path) -> None:
    heard = run(built, tmp_path, "--load", "random", seconds=2.2)
    assert state(heard) == "random"
    late = [load for sample in heard.samples[100:] for load in sample.load]
    assert len(late) > 60
    assert {(load.counts, load.error) for load in late} == {(None, "read_error")}
    assert grid_is_sound(heard)


@pytest.mark.failure("B7")
def test_the_same_counts_for_ever_are_told_as_constant(built: Built, tmp_path: Path) -> None:
    assert state(run(built, tmp_path, seconds=1.5)) == "constant"
