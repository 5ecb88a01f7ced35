"""Zeros at every quiet, empty board, and at no other one."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.sensing.baseline.zero import AGAIN_US, PATIENCE_US, ZeroLearner
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.pipeline import Sensing
from companion.table import SECOND as SECOND_US
from companion.table import EventKind, Picture
from tests.sensing.board import GRAM, SECOND, Board


@pytest.mark.failure("E5")
@pytest.mark.failure("B12")
def test_zeros_follow_the_drift_of_an_empty_board_and_nothing_is_seen(layout: Any, frame: Any) -> None:
    board = Board(layout, frame, 1)
    board.run(31.0)  # by then 0.6 mT rms, far over what is taken for drift while a game is played
    zeroed = board.sensing.zeroed_us
    assert zeroed is not None
    assert zeroed > 2 * AGAIN_US
    assert board.worst() < 0.2
    assert board.events == []


@pytest.mark.failure("E5")
@pytest.mark.parametrize("axis", [(0, 0, 1), (1, 0, 0)])
def test_nothing_is_zeroed_while_a_stone_lies_there(layout: Any, frame: Any, axis: Any) -> None:
    board = Board(layout, frame, 2)
    board.drift = np.zeros(layout.count)
    board.run(6.0)
    before = board.sensing.zeroed_us
    stone = FieldModel.of(layout).fields(magnet((31.0, 12.0, 3.4 if axis[2] else 6.0), axis, 0.25))[0]
    board.run(15.0, stone, 6.0)
    assert board.sensing.zeroed_us == before
    assert board.sensing.reading is not None
    assert np.abs(board.sensing.reading.field - stone).max() < 1.0
    board.run(16.0)
    after = board.sensing.zeroed_us
    assert after is not None
    assert before is not None
    assert after > before + 15_000_000  # it has been taken away
    assert board.worst() < 0.1


@pytest.mark.failure("E5")
def test_a_stone_at_the_start_keeps_the_zeros_waiting(layout: Any, frame: Any) -> None:
    board = Board(layout, frame, 3)
    stone = FieldModel.of(layout).fields(magnet((31.0, 12.0, 3.4), (0, 0, 1), 0.25))[0]
    board.run(8.0, stone, 6.0)
    assert board.sensing.zeroed_us is None
    assert any(f.startswith("zero_refused") for f in board.sensing.faults)
    board.run(5.0)
    assert board.sensing.zeroed_us is not None
    assert board.sensing.faults == ()


def test_weight_without_a_field_is_not_zeroed_away(layout: Any, frame: Any) -> None:
    board = Board(layout, frame, 4)
    board.run(16.0)
    before = board.sensing.zeroed_us
    board.run(15.0, grams=4.0)  # a coin, or a stone that no sensor sees
    assert board.sensing.zeroed_us == before
    assert board.sensing.grams(board.n * 10_000) == pytest.approx(4.0, abs=0.5)


@pytest.mark.failure("C1")
@pytest.mark.parametrize("offset_g", [-450.0, 190.0])
def test_a_board_that_starts_again_with_another_offset_of_its_load_cell(
    layout: Any, frame: Any, offset_g: float
) -> None:
    board = Board(layout, frame, 5)
    board.drift = np.zeros(layout.count)
    stone = FieldModel.of(layout).fields(magnet((31.0, 12.0, 3.4), (0, 0, 1), 0.25))[0]
    board.run(16.0)
    board.run(4.0, stone, 6.0)
    assert board.sensing.grams(board.n * 10_000) == pytest.approx(6.0, abs=0.5)
    told = len(board.events)
    lying = board.sensing.tracker
    assert lying is not None
    assert len(lying.movers) == 1
    board.n += 3 * SECOND  # it starts again
    board.load_offset = GRAM * offset_g
    board.run(5.0, stone, 6.0)
    assert board.events[told:] == [EventKind.UNSEEN]
    assert board.sensing.grams(board.n * 10_000) is None  # nobody knows the new offset yet
    assert len(lying.movers) == 1
    before = board.sensing.zeroed_us
    board.run(16.0)
    after = board.sensing.zeroed_us
    assert before is not None
    assert after is not None
    assert after > before  # the tare of the new session
    pictures = [r for r in board.reports if isinstance(r, Picture)]
    assert pictures[-1].weight_g == pytest.approx(0.0, abs=0.5)


@pytest.mark.parametrize("off_us", [-3, 0, 3])
def test_some_microseconds_of_the_beat_do_not_move_the_zeros_by_a_frame(layout: Any, frame: Any, off_us: int) -> None:
    rng, learner = np.random.default_rng(11), ZeroLearner(layout)
    valid = np.ones(layout.count, dtype=np.bool_)
    for n in range(3 * SECOND):
        counts = np.frombuffer(frame(n, rng=rng).hall, dtype="<u2").astype(np.float64)
        if learner.add(n * 10_000 + (off_us if n else 0), counts, valid) is not None:
            break
    assert n == 2 * SECOND


@pytest.mark.slow
@pytest.mark.failure("E5")
@pytest.mark.parametrize("name", ["nominal-hover_withdraw-a", "nominal-snap2_removed-a", "nominal-off_edge-a"])
def test_recordings_are_zeroed_only_while_no_stone_is_there(
    name: str, recordings: Path, sensing_for: Any, frames_of: Any, truth_of: Any
) -> None:
    folder = recordings / name
    sensing, zeroed = sensing_for(folder), []
    for sample in frames_of(folder):
        before = sensing.zeroed_us
        sensing.feed(sample)
        if sensing.zeroed_us != before:
            zeroed.append(sensing.zeroed_us / SECOND_US)
    assert zeroed
    events = truth_of(folder)["events"]
    for at in zeroed:
        lying = sum(
            {"placed": 1, "removed": -1, "fell_off": -1}.get(e["event"], 0) * e.get("count", 1)
            for e in events
            if e["t"] < at
        )
        assert lying <= 0, (at, events)


@pytest.mark.failure("E5")
@pytest.mark.parametrize("counts", [300.0, 640.0])
def test_a_sensor_stuck_from_the_start_is_no_stone(layout: Any, frame: Any, counts: float) -> None:
    rng, sensing = np.random.default_rng(12), Sensing(layout)
    for n in range(3 * SECOND):
        sensing.feed(frame(n, rng=rng, change={60: counts}))
    assert sensing.zeroed_us is not None
    assert sensing.faults == (f"sensor_stuck:{layout.names[60]}",)


def quiet_start(layout: Any, frame: Any, seed: int, change: Any, seconds: float = 3.0, noise: float = 0.26) -> Sensing:
    """A session whose counts (S,) are changed by change(counts, rng, n); noise before rounding as of a good table."""
    rng, sensing = np.random.default_rng(seed), Sensing(layout)
    for n in range(round(seconds * SECOND)):
        sample = frame(n, rng=rng, noise=noise)
        counts = np.frombuffer(sample.hall, dtype="<u2").astype(float)
        change(counts, rng, n)
        hall = np.clip(np.rint(counts), 0, 1023).astype("<u2").tobytes()
        sensing.feed(replace(sample, hall=hall))
    return sensing


@pytest.mark.failure("E2")
def test_a_quiet_table_begins_with_dead_stuck_and_noisy_sensors_and_names_them(layout: Any, frame: Any) -> None:
    def change(counts: Any, rng: Any, n: int) -> None:
        counts[[3, 90]], counts[60], counts[130] = (0.0, 1023.0), 301.0, 640.0
        counts[200] += rng.normal(0.0, 12.0)

    sensing = quiet_start(layout, frame, 13, change, 4.0)
    assert sensing.zeroed_us is not None
    names = {3: "dead", 60: "stuck", 90: "dead", 130: "stuck", 200: "noisy"}
    assert sensing.faults == tuple(f"sensor_{kind}:{layout.names[k]}" for k, kind in names.items())
    assert sensing.reading is not None
    assert list(np.flatnonzero(~sensing.reading.valid)) == list(names)


@pytest.mark.failure("E2")
@pytest.mark.parametrize(("at", "name"), [(range(14), "A-0"), (range(152, 165), "C-3")])
def test_sensors_of_a_multiplexer_that_all_show_one_are_not_used_and_it_is_named(
    layout: Any, frame: Any, at: range, name: str
) -> None:
    def change(counts: Any, rng: Any, n: int) -> None:
        counts[list(at)] = counts[at[2]] + rng.normal(0.0, 0.25, len(at))

    sensing = quiet_start(layout, frame, 14, change)
    assert sensing.zeroed_us is not None
    assert sensing.faults == (f"multiplexer_missing:{name}",)
    assert sensing.reading is not None
    assert list(np.flatnonzero(~sensing.reading.valid)) == list(at)


@pytest.mark.failure("E5")
def test_a_sensor_far_off_is_asked_about_as_a_stone_and_at_last_not_used(layout: Any, frame: Any) -> None:
    def change(counts: Any, rng: Any, n: int) -> None:
        counts[70] += 90.0

    sensing = quiet_start(layout, frame, 15, change, 4.0)
    assert sensing.zeroed_us is None
    assert sensing.faults == (f"zero_refused:{layout.names[70]}",)
    sensing = quiet_start(layout, frame, 15, change, PATIENCE_US / SECOND_US + 3.0)
    assert sensing.zeroed_us is not None
    assert sensing.faults == (f"sensor_off:{layout.names[70]}",)


@pytest.mark.failure("E5")
@pytest.mark.parametrize("off_mm", [0.0, 4.0])
def test_a_stone_right_over_a_sensor_is_known_beside_earlier_zeros(layout: Any, frame: Any, off_mm: float) -> None:
    rng, learner = np.random.default_rng(16), ZeroLearner(layout)
    valid = np.ones(layout.count, dtype=np.bool_)

    def learned(field: Any) -> Any:
        for n in range(3 * SECOND):
            counts = np.frombuffer(frame(n, field=field, rng=rng, noise=0.26).hall, dtype="<u2").astype(np.float64)
            found = learner.add(n * 10_000, counts, valid)
            if found is not None:
                return found
        raise AssertionError("no zeros after three seconds")

    zero = learned(0.0).zero
    learner.again(zero)
    place = layout.position[70] + (off_mm, 0.0, 11.4)
    assert learned(FieldModel.of(layout).fields(magnet(place, (0, 0, 1), 0.15))[0]).refused
    learner.again(zero)
    lone = np.zeros(layout.count)
    lone[70] = 20.0
    found = learned(lone)
    assert list(np.flatnonzero(~found.zero.known)) == [70]


def test_a_sensor_whose_zero_is_not_known_is_not_used_until_it_is(layout: Any, frame: Any) -> None:
    def change(counts: Any, rng: Any, n: int) -> None:
        if n < 6 * SECOND:
            counts[20] = 0.0

    sensing = quiet_start(layout, frame, 17, change, 9.0)
    assert sensing.faults == (f"sensor_off:{layout.names[20]}",)
    assert sensing.reading is not None
    assert not sensing.reading.valid[20]
    sensing = quiet_start(layout, frame, 17, change, 25.0)
    assert sensing.faults == ()
    assert sensing.reading is not None
    assert sensing.reading.valid.all()


def test_a_load_cell_that_creeps_keeps_no_zeros_from_being_learned(layout: Any, frame: Any) -> None:
    """Beside a stone that lies there for two minutes, at 2 g in a minute."""
    board = Board(layout, frame, 6)
    board.drift = np.zeros(layout.count)
    board.run(12.0)
    stone = FieldModel.of(layout).fields(magnet((31.0, 12.0, 3.4), (0, 0, 1), 0.25))[0]
    for second in range(120):
        board.load_offset = GRAM * second / 30.0
        board.run(1.0, stone, 6.0)
    before = board.sensing.zeroed_us
    board.run(15.0)
    after = board.sensing.zeroed_us
    assert before is not None
    assert after is not None
    assert after > before + 110 * SECOND_US
    assert board.sensing.grams(board.n * 10_000) == pytest.approx(0.0, abs=0.7)


def zeroing(layout: Any, frame: Any, seed: int) -> Any:
    """Shows a learner without earlier zeros some seconds of a field (number of a frame -> mT), and gives its verdicts
    up to the first zeros."""
    rng, learner, valid, n = np.random.default_rng(seed), ZeroLearner(layout), np.ones(layout.count, dtype=np.bool_), 0

    def show(seconds: float, field: Any) -> list[Any]:
        nonlocal n
        found = []
        for _ in range(round(seconds * SECOND)):
            shown = frame(n, field=field(n), rng=rng, noise=0.26)
            verdict = learner.add(n * 10_000, np.frombuffer(shown.hall, dtype="<u2").astype(np.float64), valid)
            n += 1
            found += [] if verdict is None else [verdict]
            if found and found[-1].zero is not None:
                break
        return found

    return show


@pytest.mark.failure("E5")
@pytest.mark.parametrize("off_mm", [0.0, 3.0])
def test_a_stone_put_over_a_sensor_after_long_restlessness_is_asked_for(layout: Any, frame: Any, off_mm: float) -> None:
    """Patience with a sensor that stands out alone does not begin before it does."""
    model, show = FieldModel.of(layout), zeroing(layout, frame, 18)
    place = layout.position[70] + (off_mm, 0.0, 11.4)

    def hand(n: int) -> Any:
        way = np.array([40.0 * np.sin(n / 20.0), 30.0 * np.cos(n / 31.0), 20.0])
        return model.fields(magnet(place + way, (0, 0, 1), 0.25))[0]

    lying = model.fields(magnet(place, (0, 0, 1), 0.15))[0]
    seconds = PATIENCE_US / SECOND_US
    before = show(seconds + 1.0, hand)
    assert {v.zero for v in before} == {None}
    assert any("zero_unsettled" in v.trouble or v.refused for v in before)
    after = show(seconds - 3.0, lambda n: lying)
    assert len(after) > 10
    assert {v.zero for v in after} == {None}
    assert after[-1].refused
    assert show(4.0, lambda n: 0.0)[-1].zero.known.all()


@pytest.mark.failure("E5")
def test_patience_with_one_sensor_is_none_with_the_next_and_two_have_theirs_together(layout: Any, frame: Any) -> None:
    def off(*which: int) -> Any:
        field = np.zeros(layout.count)
        field[list(which)] = 18.0
        return lambda n: field

    show, seconds = zeroing(layout, frame, 19), PATIENCE_US / SECOND_US
    assert show(seconds - 2.0, off(70))[-1].zero is None
    assert show(seconds - 1.0, off(30, 150))[-1].zero is None
    assert list(np.flatnonzero(~show(6.0, off(30, 150))[-1].zero.known)) == [30, 150]
