"""A hand's stone and one of the board's that are followed as one body: told where all looks miss each of them."""

import numpy as np
import pytest

from companion.sensing.events.collapses import EARLY_US, HOLD_US, LAST_US
from companion.sensing.events.recheck import Doubt
from companion.sensing.events.scene import Scene
from companion.sensing.events.sticking import LOOKS, MISSED, confirm
from companion.sensing.fields.bodies import Body, joined
from companion.sensing.fields.magnets import magnet
from companion.sensing.fields.stacks import STACK_MM
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import EventKind, TableEvent

TOUCHED_US, FRAME_US = 1_000_000, 10_000
UP = (0.0, 0.0, 1.0)


class Looks:
    """The pair of stone 1, which lay, and 2, a hand's; gains: what each look gives without the one missed least."""

    def __init__(self, layout: TableLayout, monkeypatch: pytest.MonkeyPatch, gains: list[float]) -> None:
        self.scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight(), lain={1})
        at = np.array([*layout.triangles[0].mean(axis=0), 3.4])
        lies = Body((1,), magnet(tuple(at), UP, 0.29))
        both = joined(lies, Body((2,), magnet((at[0], at[1], at[2] + STACK_MM), UP, 0.29)))
        self.scene.tracker.movers.append(Mover(both, Phase.LIFTED, 0, told=True))
        self.scene.collapses.touch(TOUCHED_US, {1, 2}, at, True)
        self.gains = iter(gains)

        def doubted(_tracker: Tracker, m: Mover, _tracks: object, *_: object) -> Doubt:
            return Doubt(2, lies, next(self.gains))

        monkeypatch.setattr("companion.sensing.events.sticking.doubted", doubted)

    def played(self) -> list[TableEvent]:
        out: list[TableEvent] = []
        for t_us in range(TOUCHED_US, TOUCHED_US + LAST_US + FRAME_US, FRAME_US):
            confirm(self.scene, t_us)
            out += self.scene.collapses.due(t_us)
        return out


@pytest.mark.rule("Y10")
def test_a_pair_whose_stones_are_missed_a_little_in_each_look_is_told_in_time(
    layout: TableLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    (event,) = Looks(layout, monkeypatch, [-8.0, -12.0, -9.5] * 20).played()
    assert (event.kind, event.stones) == (EventKind.COLLAPSE, (1, 2))
    assert event.t_report_us - TOUCHED_US <= HOLD_US + LOOKS * FRAME_US


@pytest.mark.rule("Y10")
@pytest.mark.failure("F3")
def test_one_that_the_looks_do_not_miss_has_not_touched_though_the_last_one_does(
    layout: TableLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand's track that ran to a stone when the hand went up explains with it what that stone alone does."""
    looks = Looks(layout, monkeypatch, [-22.0, -18.0, *[-2.4, 2.0, -0.4, -6.0, -2.0, -1.0] * 20])
    assert looks.played() == []
    (m,) = looks.scene.tracker.movers
    assert m.body.tracks == (1,)
    ((_, gone),) = looks.scene.tracker.newborn.parked  # what is born next is the hand's
    assert (gone.body.tracks, gone.phase) == ((2,), Phase.HAND)


@pytest.mark.failure("F3")
def test_one_that_the_looks_hardly_miss_is_asked_about(layout: TableLayout, monkeypatch: pytest.MonkeyPatch) -> None:
    (event,) = Looks(layout, monkeypatch, [-MISSED] * 100).played()
    assert event.kind is EventKind.UNSURE


@pytest.mark.rule("Y10")
def test_one_that_is_clearly_missed_is_told_early_but_not_by_a_single_look(
    layout: TableLayout, monkeypatch: pytest.MonkeyPatch
) -> None:
    (event,) = Looks(layout, monkeypatch, [-20.0, -40.0] * 30).played()
    assert (event.kind, event.t_report_us) == (EventKind.COLLAPSE, TOUCHED_US + EARLY_US + (LOOKS - 1) * FRAME_US)
    assert Looks(layout, monkeypatch, [-40.0, *[0.0] * 60]).played() == []
