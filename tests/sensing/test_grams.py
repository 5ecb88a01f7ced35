"""The load cell as a check on the count of tracks: what stones weigh, ghosts, stones lost, and what is no stone."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing.baseline.warm import seated
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.grams import HEAVIEST_G, LIGHTEST_G, Grams
from companion.sensing.fields.magnets import DEFAULT_SHAPE, magnet
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.tracks.movers import Phase
from companion.table import EventKind
from tests.sensing.session import PLACES, STONE_G, Session, lain, stones, tracks

MASSES = st.lists(st.floats(3.0, 12.0), min_size=2, max_size=12)


@given(MASSES, st.floats(-30.0, 30.0), st.floats(0.97, 1.03))
def test_stones_put_down_one_by_one_are_weighed_whatever_the_drift(
    masses: list[float], tare: float, gain: float
) -> None:
    grams = Grams()
    for n in range(len(masses) + 1):
        assert grams.rests(range(n), gain * (tare + 0.3 * n + sum(masses[:n]))) == 0.0
    for k, mass in enumerate(masses):
        assert grams.of[k] == pytest.approx(mass, abs=0.8)
    assert grams.rests(range(1, len(masses)), gain * (tare + 0.3 * len(masses) + sum(masses[1:]))) == 0.0


@given(MASSES)
def test_a_stone_too_many_and_a_stone_too_few_are_noticed(masses: list[float]) -> None:
    grams = Grams()
    for n in range(len(masses) + 1):
        grams.rests(range(n), sum(masses[:n]))
    assert grams.rests(range(len(masses) + 1), sum(masses)) < 0.0  # a ghost
    assert grams.rests(range(1, len(masses)), sum(masses)) > 0.0  # the first one is still there
    assert grams.rests(range(len(masses)), sum(masses[1:])) < 0.0  # and now it is not
    assert grams.stones(-6.0) == -1
    assert grams.stones(0.5) == 0
    assert LIGHTEST_G < 3.0 < 12.0 < HEAVIEST_G


@pytest.fixture
def session(layout: TableLayout, frame: Callable[..., Any]) -> Session:
    """Five stones lie there, each put down and weighed."""
    memory = Session(layout, frame).run(6.0).sensing.memory()
    assert memory is not None
    lying = stones(PLACES)
    session = Session(layout, frame, lain(memory, lying[:2]), seed=9).run(1.5, lying[:2])
    assert tracks(session.opening) == [1, 2]
    return session


def lies(session: Session) -> list[int]:
    tracker = session.sensing.tracker
    assert tracker is not None
    return sorted(k for m in tracker.movers for k in m.body.tracks)


@pytest.mark.failure("F3")
@pytest.mark.rule("Y21", "Y22")
def test_two_tracks_of_one_stone_become_one_when_the_weight_knows_of_one(
    layout: TableLayout, frame: Callable[..., Any]
) -> None:
    """A strong stone that is taken for a stack of two, as after a collapse that was misread."""
    memory = Session(layout, frame).run(6.0).sensing.memory()
    assert memory is not None
    strong = magnet((30.0, 10.0, 3.4), (0, 0, 1), 0.42, DEFAULT_SHAPE, (1, 0, 0))
    lying = [*stones([(-45.0, 0.0, 3.4)]), strong]
    session = Session(layout, frame, lain(memory, lying), seed=9).run(1.5, lying)
    tracker = session.sensing.tracker
    assert tracker is not None
    (lain_there,) = [m for m in tracker.movers if m.body.tracks == (2,)]
    tracker.drop(lain_there)
    lower = magnet((30.0, 10.0, 3.4), (0, 0, 1), 0.3, DEFAULT_SHAPE, (1, 0, 0))
    upper = magnet((30.0, 10.0, 10.2), (0, 0, 1), 0.3, DEFAULT_SHAPE, (1, 0, 0))
    tracker.movers.append(seated(tracker, Body((2, 77), lower.joined(upper)), 10_000 * session.n))
    session.run(3.0, lying)
    (unsure,) = session.told(EventKind.UNSURE)
    (gone,) = unsure.stones
    assert gone in (2, 77)
    assert unsure.count == 2
    assert unsure.evidence is not None
    assert unsure.evidence.note == "recount"
    assert unsure.evidence.weight_step_g == pytest.approx(-STONE_G, abs=1.5)
    assert lies(session) == [1, 79 - gone]
    assert session.told(EventKind.SETTLED)[-1].count == 2


@pytest.mark.parametrize("grams", [6.0, -4.0, 250.0])
def test_weight_that_is_no_stone_changes_nothing(session: Session, grams: float) -> None:
    """A coin, a hand that lifts at the edge, one that leans on it."""
    told = len(session.told(*EventKind))
    session.run(3.0, stones(PLACES)[:2], 2 * STONE_G + grams)
    session.run(3.0, stones(PLACES)[:2])
    assert lies(session) == [1, 2]
    assert [e.kind for e in session.told(*EventKind)[told:]] == []


@pytest.mark.rule("Y08", "Y21")
def test_a_stone_that_has_fallen_to_the_table_is_not_counted_to_the_board(session: Session) -> None:
    """It lies beside the mats, and a hand on them weighs as much as a stone."""
    lying, tracker = stones(PLACES)[:2], session.sensing.tracker
    assert tracker is not None
    beside = magnet((-35.0, -96.0, -16.0), (0, 0, 1), 0.29)
    fallen = seated(tracker, Body((77,), beside), 10_000 * session.n)
    assert tracker.beside(fallen) > 6.0
    fallen.phase = Phase.TABLE
    tracker.movers.append(fallen)
    told = len(session.told(*EventKind))
    session.run(3.0, [*lying, beside], 2 * STONE_G + 6.0)
    assert lies(session) == [1, 2, 77]
    assert [e.kind for e in session.told(*EventKind)[told:]] == []


@pytest.mark.failure("B7")
def test_a_load_cell_that_never_changes_is_told_and_not_used(layout: TableLayout, frame: Callable[..., Any]) -> None:
    session = Session(layout, frame)
    session.weight_noise = 0.0
    session.run(4.0, grams=0.0)
    assert session.sensing.faults == ()
    for high in (40.0, 30.0, 20.0, 10.0, 5.0, 2.0, 1.0, 0.0):
        stone = stones([(31.0, 12.0, 3.4 + high)])
        session.run(0.1, stone, grams=0.0)
    session.run(3.0, stones([(31.0, 12.0, 3.4)]), grams=0.0)
    assert EventKind.PLACED in [e.kind for e in session.told(*EventKind)]
    assert session.sensing.faults == ("load_constant",)
    assert session.sensing.grams(session.n * 10_000) is None
    session.weight_noise = 20.0
    session.run(1.0, stones([(31.0, 12.0, 3.4)]))
    assert session.sensing.faults == ()
