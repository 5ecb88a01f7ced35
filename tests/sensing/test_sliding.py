"""What moves is not placed yet (F1), and what is hardly seen does not toggle (E6)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.sensing.fields.magnets import DEFAULT_SHAPE, Magnets, magnet
from companion.sensing.sensors.layout import TableLayout
from companion.table import EventKind
from tests.sensing.session import STONE_G, Session, lain, stones

OTHER = stones([(-60.0, -60.0, 3.4)])
FROM, TO = np.array([-45.0, 25.0]), np.array([45.0, 25.0])
PRESS_G = 45.0
few = settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def stone(xy: Sequence[float], height: float, moment: float = 0.29) -> Magnets:
    return magnet((xy[0], xy[1], 3.4 + height), (0, 0, 1), moment, DEFAULT_SHAPE, (1, 0, 0))


def begun(layout: TableLayout, frame: Callable[..., Any]) -> Session:
    """One stone lies there, track 1."""
    memory = Session(layout, frame).run(6.0).sensing.memory()
    assert memory is not None
    session = Session(layout, frame, lain(memory, OTHER), seed=3).run(1.5, OTHER)
    session.reports.clear()
    return session


@pytest.mark.failure("F1")
@pytest.mark.rule("Y09")
@pytest.mark.slow
@few
@given(speed=st.floats(25.0, 250.0))
def test_a_stone_that_is_slid_over_the_board_is_placed_once(
    speed: float, layout: TableLayout, frame: Callable[..., Any]
) -> None:
    """Put down with a finger on it, slid across two tiles and let go there: one placing, released after it stands."""
    session = begun(layout, frame)
    for height in np.linspace(70.0, 0.0, 60):
        session.run(0.01, [*OTHER, stone(FROM, height)], STONE_G)
    touched = session.n * 10_000
    way = np.linspace(0.0, 1.0, max(2, round(100.0 * float(np.linalg.norm(TO - FROM)) / speed)))
    for part in way:
        session.run(0.01, [*OTHER, stone(FROM + part * (TO - FROM), 0.0)], 2 * STONE_G + PRESS_G)
    stands = session.n * 10_000
    session.run(0.3, [*OTHER, stone(TO, 0.0)], 2 * STONE_G + PRESS_G)
    lets_go = session.n * 10_000
    session.run(2.5, [*OTHER, stone(TO, 0.0)])
    (placed,) = session.told(EventKind.PLACED)
    (released,) = session.told(EventKind.RELEASED)
    assert abs(placed.t_us - touched) < 200_000
    assert released.t_us > lets_go - 150_000 > stands
    last = session.told(EventKind.SETTLED)[-1]
    assert last.count == 2
    (at,) = [s for s in last.rest if s.track == placed.stones[0]]
    assert (at.x, at.y) == pytest.approx(TO, abs=1.0)
    wrong = {EventKind.COLLAPSE, EventKind.FELL_OFF, EventKind.REMOVED, EventKind.UNSURE, EventKind.TOPPLED}
    assert session.told(*wrong) == []


@pytest.mark.failure("F1")
def test_a_stone_at_rest_that_is_pushed_elsewhere_is_not_placed_anew(
    layout: TableLayout, frame: Callable[..., Any]
) -> None:
    session = begun(layout, frame)
    for k in range(80):
        pushed = magnet((-60.0 + 0.5 * k, -60.0 + 0.25 * k, 3.4), (0, 0, 1), 0.29, DEFAULT_SHAPE, (1, 0, 0))
        session.run(0.01, [pushed], STONE_G + PRESS_G)
    session.run(2.0, [pushed])
    assert session.told(EventKind.PLACED, EventKind.APPROACH, EventKind.REMOVED, EventKind.FELL_OFF) == []
    assert [s.track for s in session.told(EventKind.SETTLED)[-1].rest] == [1]


@pytest.mark.failure("E6")
@pytest.mark.slow
@few
@given(height=st.floats(55.0, 95.0), swing=st.floats(0.5, 6.0))
def test_a_stone_at_the_limit_of_what_is_seen_does_not_toggle(
    height: float, swing: float, layout: TableLayout, frame: Callable[..., Any]
) -> None:
    """Held there for seconds and taken away: it comes at most once, leaves as often, and nothing of it stays."""
    session = begun(layout, frame)
    for k in range(400):
        held = stone((20.0, 30.0), height + swing * float(np.sin(0.25 * k)))
        session.run(0.01, [*OTHER, held], STONE_G)
    for up in np.linspace(0.0, 120.0, 60):
        session.run(0.01, [*OTHER, stone((20.0, 30.0), height + up)], STONE_G)
    session.run(3.0, OTHER)
    came, went = session.told(EventKind.APPROACH), session.told(EventKind.WITHDRAWN)
    assert len(came) <= 1
    assert len(went) == len(came)
    assert session.told(EventKind.PLACED, EventKind.COLLAPSE, EventKind.REMOVED, EventKind.FELL_OFF) == []
    tracker = session.sensing.tracker
    assert tracker is not None
    assert [m.body.tracks for m in tracker.movers] == [(1,)]
    session.run(14.0)  # the last stone is taken away, and nothing is left that only a new start could end
    assert tracker.movers == []
    assert session.sensing.zeroed_us is not None


@pytest.mark.failure("E6")
def test_a_stone_that_is_raised_a_little_and_put_back_is_no_event(
    layout: TableLayout, frame: Callable[..., Any]
) -> None:
    session = begun(layout, frame)
    for _ in range(5):
        for up in [*np.linspace(0.0, 3.0, 10), *np.linspace(3.0, 0.0, 10)]:
            raised = OTHER[0].stepped(np.array([[0.0, 0.0, up, 0.0, 0.0, 0.0, 0.0]]))
            session.run(0.01, [raised], STONE_G - min(STONE_G, up))
        session.run(0.8, OTHER)
    assert {e.kind for e in session.told(*EventKind)} <= {EventKind.SETTLED}
    assert session.told(EventKind.SETTLED)[-1].count == 1
