"""Another board under the same name: zeros are learned anew where it is surely empty, and nothing is guessed."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.sensing.baseline.foreign import foreign
from companion.sensing.baseline.restart import Recovery
from companion.sensing.fields.covariance import LEAST_LOG_RATIO, log_ratio
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import DEFAULT_SHAPE, magnet
from companion.sensing.fields.stones import POPULATION
from companion.table import EventKind
from tests.sensing.session import PLACES, Session, lain, stones, stored, tracks

OFFSET_COUNTS = 4.0 * 2.0**0.5
"""Of one board's zero from another's, rms (the sensor model has 4 counts of each)."""


def exchanged(layout: Any, kind: str, seed: int) -> Any:
    """What zeros (S,) are off by, mT: all of them, those of one tile, or twenty sensors that were soldered anew."""
    rng = np.random.default_rng(seed)
    if kind == "soldered":
        out = np.zeros(layout.count)
        some = rng.choice(layout.count, 20, replace=False)
        out[some] = rng.uniform(15.0, 60.0, 20) * rng.choice([-1.0, 1.0], 20)
    else:
        out = rng.normal(0.0, OFFSET_COUNTS, layout.count)
        out[55 if kind == "tile" else layout.count :] = 0.0
    return out / layout.gain


def heap(seed: int, of: int = 3) -> list[Any]:
    """Three clusters: stones on and beside each other in any pose."""
    rng = np.random.default_rng(seed)
    out = []
    for _ in range(3):
        middle = rng.uniform([-60.0, -30.0], [60.0, 70.0])
        for _ in range(of):
            place = (*(middle + rng.normal(0.0, 8.0, 2)), 3.4 + rng.uniform(0.0, 8.0))
            moment = 0.29 * np.exp(rng.normal(0.0, 0.15))
            out.append(magnet(place, rng.normal(0.0, 1.0, 3), moment, DEFAULT_SHAPE))
    return out


@pytest.fixture(scope="module")
def memory(layout: Any, frame: Any) -> Any:
    """Of an empty board."""
    found = Session(layout, frame).run(5.0).sensing.memory()
    assert found is not None
    assert found.tare_g is not None
    return found


def now_with(session: Session, lying: Any, grams: float | None = None, seconds: float = 2.0) -> list[int]:
    """The tracks on the board after a hand's stones have come to lie there."""
    session.run(seconds, lying, grams)
    tracker = session.sensing.tracker
    return [] if tracker is None else [k for m in tracker.movers for k in m.body.tracks]


@pytest.mark.failure("E5")
@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("kind", ["all", "tile", "soldered"])
@pytest.mark.parametrize("lay", [0, 4])
def test_another_board_that_is_empty_by_weight_is_zeroed_anew_and_it_is_told(
    layout: Any, frame: Any, memory: Any, kind: str, seed: int, lay: int
) -> None:
    session = Session(layout, frame, stored(lain(memory, stones(PLACES[:lay]))), seed)
    session.drift = exchanged(layout, kind, seed)
    session.run(7.0)
    assert session.sensing.zeroed_us is not None
    assert session.sensing.faults == ("zeros_anew",)
    assert [(e.kind, e.count, e.evidence.note) for e in session.told(*EventKind) if e.evidence] == [
        (EventKind.SETTLED, 0, "anew")
    ]
    reading = session.sensing.reading
    assert reading is not None
    assert reading.valid.all()
    assert np.abs(reading.field).max() < 1.0
    session.run(600.0 / 100.0)
    assert now_with(session, stones(PLACES[:1])) == [5000]


@pytest.mark.failure("B1")
@pytest.mark.parametrize("kind", ["all", "tile", "soldered"])
def test_without_a_load_cell_it_is_asked_for_and_nothing_is_guessed(
    layout: Any, frame: Any, memory: Any, kind: str
) -> None:
    session = Session(layout, frame, stored(memory), 4)
    session.weigh_every, session.n = 10**9, 1
    session.drift = exchanged(layout, kind, 4)
    session.run(20.0)
    assert session.sensing.zeroed_us is None
    assert session.told(*EventKind) == []
    assert set(session.sensing.faults) == {"zeros_foreign", "load_absent"}
    assert session.sensing.say_empty()
    session.run(3.0)
    assert session.sensing.zeroed_us is not None
    assert session.sensing.faults == ("load_absent",)
    assert session.sensing.reading is not None
    assert session.sensing.reading.valid.all()
    assert now_with(session, stones(PLACES[:1])) == [5000]


@pytest.mark.failure("E5")
def test_a_load_cell_that_shows_something_is_no_reason_to_zero_another_board(
    layout: Any, frame: Any, memory: Any
) -> None:
    session = Session(layout, frame, stored(memory), 5)
    session.drift = exchanged(layout, "all", 5)
    session.run(12.0, grams=6.0)
    assert session.sensing.zeroed_us is None
    assert session.sensing.faults == ("zeros_foreign",)
    session.run(6.0)
    assert session.sensing.zeroed_us is not None


@pytest.mark.failure("E5")
@pytest.mark.parametrize("number", [1, 3, 5])
def test_stones_under_a_load_cell_that_lies_are_not_zeroed_away(
    layout: Any, frame: Any, memory: Any, number: int
) -> None:
    """It always shows the empty board: the field is one of stones."""
    lying = stones(PLACES[:number])
    session = Session(layout, frame, stored(memory), 6).run(12.0, lying, 0.0)
    assert session.sensing.zeroed_us is None
    assert len(tracks(session.opening)) == number


def test_a_board_exchanged_under_a_session_that_goes_on(layout: Any, frame: Any) -> None:
    session = Session(layout, frame, seed=7).run(16.0)
    before = session.sensing.zeroed_us
    session.n += 500  # it is off meanwhile
    session.drift = exchanged(layout, "all", 7)
    session.run(10.0)
    after = session.sensing.zeroed_us
    assert before is not None
    assert after is not None
    assert after > before
    assert "zeros_anew" in session.sensing.faults
    tracker = session.sensing.tracker
    assert tracker is not None
    assert tracker.movers == []
    assert session.told(EventKind.SETTLED)[-1].rest == ()


@pytest.mark.failure("E5")
def test_a_person_who_says_empty_is_not_believed_against_stones_or_their_weight(layout: Any, frame: Any) -> None:
    lying = stones(PLACES[:2])
    session = Session(layout, frame, seed=8)
    session.run(1.0, lying)
    assert not session.sensing.say_empty()  # nobody knows the weight of the empty board yet: by the field
    session.run(6.0, lying)
    assert session.sensing.zeroed_us is None
    assert any(code.startswith("zero_refused") for code in session.sensing.faults)
    session.run(6.0)
    assert session.sensing.zeroed_us is not None
    session.run(3.0, lying)
    assert not session.sensing.say_empty()


def test_sensors_that_are_off_from_the_first_start_keep_nobody_waiting_who_says_that_the_board_is_empty(
    layout: Any, frame: Any
) -> None:
    session = Session(layout, frame, seed=9)
    session.drift[[40, 70, 150]] = 12.0
    session.run(4.0)
    assert session.sensing.zeroed_us is None
    assert session.sensing.say_empty()
    session.run(2.5)
    assert session.sensing.zeroed_us is not None
    assert session.sensing.faults == ()


def test_what_was_foreign_stays_so_until_stones_clearly_explain_it(layout: Any) -> None:
    valid, lying = np.ones(layout.count, dtype=np.bool_), stones(PLACES[:5])
    field = sum(FieldModel.of(layout).fields(each)[0] for each in lying)

    def told(shown: Any, doubted: bool) -> bool:
        recovery = Recovery(layout, np.full(layout.count, 0.1), POPULATION, 1)
        return foreign(recovery, shown, valid, POPULATION, doubted=doubted)

    for seed in range(4):
        other = exchanged(layout, "tile", seed)
        assert told(other, False)
        assert told(other, True)
    assert not told(field, False)
    assert not told(field, True)
    assert not told(np.zeros(layout.count), True)


def test_the_tare_before_a_silence_of_the_load_cell_is_kept_for_that_alone(
    layout: Any, frame: Any, memory: Any
) -> None:
    session = Session(layout, frame, stored(replace(memory, tare_g=None)), 10)
    session.drift = exchanged(layout, "all", 10)
    session.run(10.0)
    assert session.sensing.zeroed_us is None  # no tare was ever known
    assert session.sensing.faults == ("zeros_foreign",)


HEAPS = (0, 2, 5, 8, 9)


@pytest.mark.failure("E5")
@pytest.mark.parametrize("seed", HEAPS)
@pytest.mark.parametrize("gap", [0, 500])
def test_a_heap_under_a_plate_that_touches_its_frame_is_not_another_board(
    layout: Any, frame: Any, seed: int, gap: int
) -> None:
    """The load cell shows the empty board all the time; frames are missing, or none."""
    session = Session(layout, frame, seed=11).run(5.0)
    before = session.sensing.zeroed_us
    session.n += gap
    session.run(9.0, heap(seed), 0.0)
    assert session.sensing.zeroed_us == before
    assert "zeros_anew" not in session.sensing.faults
    assert now_with(session, heap(seed), 0.0, 0.1) != []


@pytest.mark.failure("E5")
@pytest.mark.parametrize("seed", HEAPS)
@pytest.mark.parametrize("grams", [0.0, 54.0])
def test_a_start_in_the_middle_of_a_collapse_begins_with_a_doubt(
    layout: Any, frame: Any, memory: Any, seed: int, grams: float
) -> None:
    session = Session(layout, frame, stored(lain(memory, stones(PLACES))), 12).run(7.0, heap(seed), grams)
    assert session.sensing.zeroed_us is None
    assert session.sensing.faults == ()
    assert session.opening.count is not None
    assert session.opening.count >= 3
    assert session.told(EventKind.UNSURE)[0].p < 0.5


@pytest.mark.failure("E5")
def test_another_board_with_stones_is_not_zeroed_by_a_word_against_the_weight_of_the_session_before(
    layout: Any, frame: Any, memory: Any
) -> None:
    lying = stones(PLACES[:3])
    session = Session(layout, frame, stored(memory), 13)
    session.drift = exchanged(layout, "all", 13)
    session.run(4.0, lying)
    assert session.sensing.faults == ("zeros_foreign",)
    assert not session.sensing.say_empty()
    session.run(4.0, lying)
    assert session.sensing.faults == ("zeros_foreign",)
    assert session.sensing.zeroed_us is None
    session.run(8.0)
    assert session.sensing.faults == ("zeros_anew",)


@pytest.mark.failure("E5")
@pytest.mark.parametrize("lying", [stones(PLACES[:3]), heap(2)])
def test_a_word_that_is_refused_changes_nothing(layout: Any, frame: Any, lying: Any) -> None:
    """Without a load cell."""
    session = Session(layout, frame, seed=14)
    session.weigh_every, session.n = 10**9, 1
    session.run(4.0)
    before = session.sensing.zeroed_us
    there = now_with(session, lying, seconds=3.0)
    assert there
    assert not session.sensing.say_empty()
    assert now_with(session, lying, seconds=1.0) == there
    assert session.sensing.zeroed_us == before
    assert session.sensing.reading is not None
    assert not any(code.startswith("zero_refused") for code in session.sensing.faults)


def test_errors_of_single_sensors_do_not_hang_together_and_heaps_do(layout: Any) -> None:
    valid, model = np.ones(layout.count, dtype=np.bool_), FieldModel.of(layout)
    for seed in range(40):
        for kind in ("all", "tile", "soldered"):
            assert log_ratio(layout, exchanged(layout, kind, seed), valid) < LEAST_LOG_RATIO
    together = [
        log_ratio(layout, sum(model.fields(each)[0] for each in heap(seed)), valid) >= LEAST_LOG_RATIO
        for seed in range(20)
    ]
    assert sum(together) >= 17
