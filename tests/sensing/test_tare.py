"""What the empty board weighs: a tare that something lay in is noticed, and nothing else makes another one."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sensing.baseline.emptiness import BACK_US, BELOW_US, Emptiness
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.sensors.weight import Weight
from companion.table import SECOND
from tests.sensing.board import GRAM
from tests.sensing.session import PLACES, Session, stones

HEALED_S = BELOW_US / SECOND + 1.0


def shown(session: Session) -> float | None:
    """Grams that a page shows now."""
    return session.sensing.grams(session.n * 10_000)


def near(grams: float) -> Any:
    return pytest.approx(grams, abs=0.5)


def zeroed_us(session: Session) -> int:
    assert session.sensing.zeroed_us is not None
    return session.sensing.zeroed_us


@pytest.fixture
def session(layout: TableLayout, frame: Any) -> Session:
    return Session(layout, frame)


@pytest.mark.failure("B12")
@pytest.mark.parametrize("grams", [2.5, 50.0])
def test_a_weight_that_lay_there_at_the_start_is_forgotten_soon_after_it_is_off(session: Session, grams: float) -> None:
    session.run(4.0, grams=grams)
    assert shown(session) == near(0.0)  # nobody can know better
    before = zeroed_us(session)
    session.run(0.5)
    assert shown(session) == near(-grams)
    session.run(HEALED_S)
    assert shown(session) == near(0.0)
    session.run(6.5)
    assert zeroed_us(session) > before
    session.run(2.0, stones(PLACES[:1]))
    assert shown(session) == near(6.0)
    assert session.sensing.faults == ()


@pytest.mark.failure("C1")
def test_a_weight_put_on_while_the_load_cell_was_silent_is_forgotten_soon_after_it_is_off(
    session: Session, frame: Any
) -> None:
    session.run(4.0)
    for _ in range(300):
        session.sensing.feed(frame(session.n))
        session.n += 1
    session.run(4.0, grams=50.0)
    session.run(HEALED_S)
    assert shown(session) == near(0.0)


def test_with_a_stone_on_the_board_nothing_is_made_of_it_until_the_board_is_empty(session: Session) -> None:
    session.run(4.0, grams=50.0)
    session.run(2.0, stones(PLACES[:1]), grams=56.0)
    session.run(HEALED_S, stones(PLACES[:1]), grams=6.0)
    assert shown(session) == near(-44.0)
    session.run(HEALED_S + 2.0)
    assert shown(session) == near(0.0)


@pytest.mark.parametrize("lifted_s", [0.3, 1.0, 2.5])
def test_a_plate_that_is_lifted_for_a_moment_is_not_zeroed(session: Session, lifted_s: float) -> None:
    session.run(4.0)
    session.run(lifted_s, grams=-300.0)
    session.run(1.0)
    assert shown(session) == near(0.0)
    session.run(2.0, grams=4.0)
    assert shown(session) == near(4.0)


def test_a_hand_that_pulls_at_the_plate_for_long_is_not_zeroed(session: Session) -> None:
    session.run(4.0)
    for k in range(80):
        session.run(0.1, grams=-40.0 - 3.0 * (k % 3))
    session.run(1.0)
    assert shown(session) == near(0.0)


@pytest.mark.failure("B1")
def test_single_weighings_far_below_are_not_zeroed(session: Session) -> None:
    session.run(4.0)
    for _ in range(60):
        session.run(0.01, grams=-150.0)
        session.run(0.09)
    assert shown(session) == near(0.0)


@pytest.mark.slow
@pytest.mark.failure("B5")
def test_a_plate_that_was_off_for_long_weighs_nothing_again_when_it_is_back(session: Session) -> None:
    session.run(4.0)
    session.run(8.0, grams=-300.0)
    assert shown(session) == near(0.0)
    session.run(BACK_US / SECOND - 5.0)
    assert shown(session) == near(300.0)  # it might be something that was put on
    session.run(8.0)
    assert shown(session) == near(0.0)
    session.run(2.0, grams=50.0)
    assert shown(session) == near(50.0)


def test_sensing_that_begins_anew_knows_what_the_empty_board_weighed(session: Session, layout: TableLayout) -> None:
    session.run(4.0)
    before = session.sensing
    session.run(2.0, grams=50.0)
    weighed = replace(layout, load_gain=1.01 * layout.load_gain, load_offset=layout.load_offset + 500.0)
    session.sensing = Sensing(weighed)
    session.sensing.go_on_from(before)
    session.run(4.0, grams=50.0)
    assert shown(session) == pytest.approx(50.0 * GRAM / weighed.load_gain, abs=0.5)
    session.run(1.0)
    assert shown(session) == near(0.0)


NOTHING_SEEN: Any = SimpleNamespace(movers=(), handled=set(), newborn=SimpleNamespace(parked=()))


@given(st.lists(st.tuples(st.integers(-200, 200), st.integers(1, 9)), min_size=1, max_size=8))
@settings(deadline=None, max_examples=60)
def test_whatever_was_put_on_and_taken_off_an_empty_board_never_weighs_less_than_nothing_for_long(
    steps: list[tuple[int, int]],
) -> None:
    weight, emptiness, t = Weight(), Emptiness(), 0
    for grams, seconds in steps:
        for _ in range(80 * seconds):
            weight.feed(t, grams + 0.02 * (t % 3))
            emptiness.surely(NOTHING_SEEN, weight)
            t += 12_500
        assert emptiness.tare_g is not None
        assert weight.level is not None
        if seconds * SECOND > BELOW_US + SECOND:
            assert weight.level - emptiness.tare_g > -1.3
