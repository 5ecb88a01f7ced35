"""A standing stone that tips over by itself is told as toppled; one that is lifted and laid down is not."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.fields.magnets import DEFAULT_SHAPE, Magnets, magnet
from companion.sensing.sensors.layout import TableLayout
from companion.table import EventKind
from tests.sensing.session import STONE_G, Session, lain, stones, tracks

AT = (30.0, 10.0)
OTHER = (-45.0, 0.0, 3.4)


def tipped(degrees: float, up_mm: float = 0.0) -> Magnets:
    """A stone on edge, its moment level along x, after so much of a fall towards +x."""
    a = np.radians(degrees)
    height = 6.0 - 2.6 * np.sin(a) + up_mm
    return magnet((AT[0] + 5.0 * np.sin(a), AT[1], height), (np.cos(a), 0.0, np.sin(a)), 0.29, DEFAULT_SHAPE, (0, 1, 0))


def standing(layout: TableLayout, frame: Any) -> Session:
    """A session that has begun with the stone on edge, track 1, and another one."""
    memory = Session(layout, frame).run(6.0).sensing.memory()
    assert memory is not None
    other = stones([OTHER])
    session = Session(layout, frame, lain(memory, [tipped(0.0), *other]), seed=4)
    return session.run(2.0, [tipped(0.0), *other])


@pytest.mark.rule("Y27")
@pytest.mark.parametrize("frames", [3, 8, 15])
def test_a_stone_that_tips_over_is_told(layout: TableLayout, frame: Any, frames: int) -> None:
    session = standing(layout, frame)
    assert tracks(session.opening) == [1, 2]
    begun, before = session.n, len(session.told(*EventKind))
    for k in range(frames):
        session.run(0.01, [tipped(90.0 * (k + 1) / frames), *stones([OTHER])], 2 * STONE_G)
    session.run(2.0, [tipped(90.0), *stones([OTHER])])
    told = session.told(*EventKind)[before:]
    assert [e.kind for e in told] == [EventKind.TOPPLED, EventKind.SETTLED]
    assert told[0].stones == (1,)
    assert abs(told[0].t_us - (begun + frames) * 10_000) < 100_000
    assert told[0].t_report_us - told[0].t_us < 350_000
    assert told[1].t_us >= told[0].t_us
    assert [s.upright for s in told[1].rest if s.track == 1] == [False]


@pytest.mark.rule("Y14", "Y27")
def test_where_it_stood_says_nothing_of_a_push(layout: TableLayout, frame: Any) -> None:
    """It lies some mm from there, and nobody has pushed it."""
    session = standing(layout, frame)
    for k in range(40):
        session.run(0.01, [tipped(min(90.0, 10.0 * (k + 1))), *stones([OTHER])], 2 * STONE_G)
        if session.told(EventKind.TOPPLED):
            break
    tracker = session.sensing.tracker
    assert tracker is not None
    (m,) = [m for m in tracker.movers if m.body.tracks == (1,)]
    assert (m.awake, m.relaid) == (True, True)
    session.run(2.0, [tipped(90.0), *stones([OTHER])], 2 * STONE_G)
    assert (m.awake, m.relaid) == (False, False)


@pytest.mark.rule("Y27", "Y28")
def test_a_stone_that_is_lifted_and_laid_down_has_not_toppled(layout: TableLayout, frame: Any) -> None:
    session = standing(layout, frame)
    other = stones([OTHER])
    for up in [*np.linspace(0.0, 40.0, 40), *[40.0] * 30]:
        session.run(0.01, [tipped(0.0, up), *other], STONE_G)
    for k in range(40):
        session.run(0.01, [tipped(90.0 * k / 40, 40.0), *other], STONE_G)
    for up in np.linspace(40.0, 0.0, 40):
        session.run(0.01, [tipped(90.0, up), *other], STONE_G)
    session.run(2.5, [tipped(90.0), *other])
    assert session.told(EventKind.TOPPLED) == []
    assert session.told(EventKind.LIFTED) != []


def test_a_stone_that_stands_at_the_limit_does_not_topple_again_and_again(layout: TableLayout, frame: Any) -> None:
    """It leans on nothing that the sensors see, half way over."""
    session = standing(layout, frame)
    for k in range(60):
        session.run(0.1, [tipped(44.0 + 4.0 * (k % 2)), *stones([OTHER])], 2 * STONE_G)
    assert session.told(EventKind.TOPPLED) == []
