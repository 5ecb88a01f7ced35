"""Behind the board: fewer frames are solved, every one is looked at, and the events stay right."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from companion.process.table.feed import STALE_US, Feed
from companion.sensing.pace import LASTING_US, PAUSE_US, STEPS_US, TOLD_US, Pace
from companion.sensing.sensors.layout import TableLayout
from companion.table import EventKind, Health
from drivers.wire.framing import seal
from drivers.wire.messages import DEFINITION, PROTOCOL, Frame, Hello
from tests.drivers.handed import Handed
from tests.sensing.session import STONE_G, Session
from tests.sensing.test_sliding import OTHER, begun, stone


def test_the_farther_behind_the_fewer_are_solved_and_lag_that_is_over_is_forgotten() -> None:
    pace = Pace()
    assert [pace.solves(n, False) for n in range(5)] == [True] * 5
    for lag_us, every in zip((*STEPS_US, 10**9), (2, 3, 4, 4), strict=True):
        pace.lag_us = lag_us
        solved = [pace.solves(n, False) for n in range(120)]
        assert sum(solved) == 120 // every
        assert "".join("x" if s else "." for s in solved).find("." * every) < 0
    assert pace.solves(200, True)
    pace.lag_us = 0
    assert [pace.solves(n, False) for n in range(5)] == [True] * 5


def test_that_it_is_behind_is_told_when_it_lasts_and_until_it_has_long_been_over() -> None:
    """What is told at 100 frames a second while left out now and then, by board time."""
    pace = Pace(STEPS_US[0])
    frame_us = 10_000

    def busy(from_us: int, for_us: int) -> list[bool]:
        told = []
        for t_us in range(from_us, from_us + for_us, frame_us):
            pace.solves(t_us, False)
            told.append(pace.behind(t_us))
        return told

    assert not any(busy(0, LASTING_US - frame_us))  # a moment
    assert not any(busy(LASTING_US + PAUSE_US, LASTING_US - frame_us))  # another one
    at_us = 10 * LASTING_US
    told = busy(at_us, 3 * LASTING_US)
    assert (told[0], told[-1]) == (False, True)
    assert told == sorted(told)  # it comes once
    at_us += 4 * LASTING_US  # nothing moved for a while: still told
    assert pace.behind(at_us)
    assert all(busy(at_us, 2 * frame_us))
    last_us = pace._last_us
    assert last_us is not None
    assert pace.behind(last_us + TOLD_US - 1)
    assert not pace.behind(last_us + TOLD_US)
    assert not any(busy(last_us + TOLD_US, LASTING_US - frame_us))


@pytest.mark.parametrize("lag_us", STEPS_US)
def test_a_stone_is_placed_and_let_go_at_the_same_times(
    lag_us: int, layout: TableLayout, frame: Callable[..., Any]
) -> None:
    times = []
    for behind in (0, lag_us):
        session = begun(layout, frame)
        session.sensing.pace.lag_us = behind
        for height in np.linspace(75.0, 0.0, 90):
            session.run(0.01, [*OTHER, stone((20.0, 30.0), height)], STONE_G)
        session.run(0.3, [*OTHER, stone((20.0, 30.0), 0.0)], 2 * STONE_G + 40.0)
        session.run(2.0, [*OTHER, stone((20.0, 30.0), 0.0)])
        kinds = (EventKind.APPROACH, EventKind.PLACED, EventKind.RELEASED)
        assert [e.kind for e in session.told(*EventKind) if e.kind is not EventKind.SETTLED] == list(kinds)
        assert session.told(EventKind.SETTLED)[-1].count == 2
        times.append([session.told(kind)[0].t_us for kind in kinds])
    assert np.abs(np.array(times[0]) - times[1]).max() < 120_000


def test_a_frame_in_which_something_at_rest_moves_is_solved(layout: TableLayout, frame: Callable[..., Any]) -> None:
    """A hand is busy far away, so that frames are left out; a stone that is pulled over there is seen at once."""
    session = begun(layout, frame)
    session.sensing.pace.lag_us = STEPS_US[-1]
    for k in range(100):
        session.run(0.01, [*OTHER, stone((30.0 + 10.0 * np.sin(0.1 * k), 110.0), 45.0)], STONE_G)
    tracker = session.sensing.tracker
    assert tracker is not None
    (lying,) = [m for m in tracker.movers if m.body.tracks == (1,)]
    assert not lying.awake
    pulled = OTHER[0].stepped(np.array([[5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]]))
    session.run(0.01, [pulled, stone((30.0, 110.0), 45.0)], STONE_G)
    assert lying.awake


class SlowClock:
    """A clock on which each look at it takes so long."""

    def __init__(self, us: int) -> None:
        self.us, self._now_us = us, 0

    def now_us(self) -> int:
        self._now_us += self.us
        return self._now_us


@pytest.mark.parametrize(("us", "speed"), [(50_000, 1.0), (400_000, 1.0), (400_000, 10.0)])
def test_the_lag_that_the_loop_measures_sets_the_pace(layout: TableLayout, us: int, speed: float) -> None:
    pace, link, clock = Pace(), Handed(), SlowClock(us)
    session = Session(layout, None)
    feed = Feed(link, session.sensing, sensors=layout.count, clock=clock, pace=pace, stale_us=round(STALE_US * speed))
    hall = np.full(layout.count, 512, dtype="<u2").tobytes()
    told: list[Health] = []
    for n in range(3):
        hello = seal(Hello(PROTOCOL, DEFINITION, 1, layout.count, 10_000, layout.table_id).encode())
        link.data = hello + seal(Frame(1, n, n * 10_000, (), hall).encode())
        link.now_us = clock._now_us
        told += [r for r in feed.step() if isinstance(r, Health)]
    assert pace.lag_us == us / speed
    assert pace.every == (4 if us / speed > STEPS_US[-1] else 1)
    assert told[-1].lag_ms == us / 1000
