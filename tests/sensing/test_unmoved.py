"""What is followed as a pair is asked whether a stone of it lies alone where it lay: then they have not touched."""

import numpy as np
import pytest

from companion.sensing.events.pair_looks import AGREE, EVERY
from companion.sensing.events.unmoved import MOMENT_SIGMA, STOOD_FRAMES, Unmoved
from companion.sensing.fields.bodies import Body, joined
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.fields.stacks import STACK_MM
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import EventKind
from tests.sensing.pairs import LATER_US, stone, taken_for_a_pair

LOOKS = EVERY * AGREE


class Pair:
    """Stone 1 lay on the board; 2, which came in a hand, is taken to stick to it. shown: the field is of these."""

    def __init__(
        self, layout: TableLayout, posed: Floats, shown: list[Body], told: bool = True, pushed: float | None = None
    ) -> None:
        self.at = np.array([*layout.triangles[0].mean(axis=0), 3.4])
        self.unmoved = Unmoved()
        lay = Mover(stone(1, self.at), Phase.BOARD, 0, rested=self.at, smooth=self.at)
        if pushed is not None:
            lay.rested = self.at + np.array([20.0, 0.0, 0.0])
            went = np.linspace(pushed, 0.0, STOOD_FRAMES)
            lay.trail.extend(self.at + np.array([mm, 0.0, 0.0]) for mm in went)
        self.unmoved.touch(lay)
        self.unmoved.touch(Mover(stone(2, self.at + posed), Phase.HAND, 0))
        there = self.at + posed
        body = joined(stone(1, there), stone(2, there + np.array([0.0, 0.0, STACK_MM])))
        self.scene, _ = taken_for_a_pair(layout, body, [b.shifted(self.at) for b in shown], told)

    def look(self, frames: int = LOOKS) -> None:
        for k in range(frames):
            self.unmoved.step(self.scene, LATER_US + 10_000 * k)


ALONE = [stone(1, np.zeros(3))]
STACKED = [stone(1, np.zeros(3)), stone(2, np.array([0.0, 0.0, STACK_MM]))]
ELSEWHERE = [b.shifted(np.array([50.0, 0.0, 0.0])) for b in STACKED]
HERE, THERE = np.zeros(3), np.array([50.0, 0.0, 0.0])


@pytest.mark.rule("Y10", "Y22")
@pytest.mark.failure("F3")
@pytest.mark.parametrize("posed", [HERE, THERE])
def test_a_stone_that_lies_alone_where_it_lay_was_in_no_collapse(layout: TableLayout, posed: Floats) -> None:
    pair = Pair(layout, posed, ALONE)
    pair.look(LOOKS - 1)
    assert pair.scene.events == []
    pair.look()
    (event,) = pair.scene.events
    assert (event.kind, event.stones, [s.track for s in event.rest]) == (EventKind.REFUTED, (1, 2), [1])
    (m,) = pair.scene.tracker.movers
    assert (m.body.tracks, m.phase) == ((1,), Phase.BOARD)
    assert np.linalg.norm(m.body.centre - pair.at) < 1.0
    ((_, gone),) = pair.scene.tracker.newborn.parked  # seen again it is the same hand's stone
    assert (gone.body.tracks, gone.phase) == ((2,), Phase.HAND)
    assert not pair.scene.collapses.caught


def test_before_it_is_told_it_is_never_told(layout: TableLayout) -> None:
    pair = Pair(layout, THERE, ALONE, told=False)
    pair.look()
    assert pair.scene.events == []
    assert not pair.scene.collapses.open
    assert pair.scene.collapses.due(LATER_US) == []


def test_over_a_thin_link_each_part_is_one_look(layout: TableLayout) -> None:
    pair = Pair(layout, HERE, ALONE)
    for k in range(4 * AGREE - 1):
        pair.unmoved.step(pair.scene, LATER_US + 10_000 * k, measured=k % 4 == 3)
    assert pair.scene.events == []
    pair.unmoved.step(pair.scene, LATER_US + 40_000 * AGREE, measured=True)
    assert [event.kind for event in pair.scene.events] == [EventKind.REFUTED]


@pytest.mark.parametrize(("posed", "shown"), [(HERE, STACKED), (THERE, ELSEWHERE), (HERE, ELSEWHERE), (HERE, [])])
def test_a_pair_that_is_there_or_gone_stays_one(layout: TableLayout, posed: Floats, shown: list[Body]) -> None:
    pair = Pair(layout, posed, shown)
    pair.look(5 * LOOKS)
    assert pair.scene.events == []
    assert [m.body.tracks for m in pair.scene.tracker.movers] == [(1, 2)]


@pytest.mark.parametrize("phase", [Phase.TABLE, Phase.AWAY])
def test_of_a_pair_that_is_told_as_gone_no_stone_lies_on_the_board(layout: TableLayout, phase: Phase) -> None:
    pair = Pair(layout, HERE, ALONE)
    (m,) = pair.scene.tracker.movers
    m.phase = phase
    pair.look(5 * LOOKS)
    assert pair.scene.events == []
    assert [(o.body.tracks, o.phase) for o in pair.scene.tracker.movers] == [((1, 2), phase)]


@pytest.mark.failure("F3")
@pytest.mark.parametrize(("pushed", "found"), [(0.5, True), (12.0, False)])
def test_a_stone_that_was_pushed_lies_where_it_has_stood_since(layout: TableLayout, pushed: float, found: bool) -> None:
    """A hand has pushed it 20 mm, and its own stone has gone; while it still moves nobody knows where it lies."""
    pair = Pair(layout, THERE, ALONE, pushed=pushed)
    pair.look()
    assert [event.kind for event in pair.scene.events] == ([EventKind.REFUTED] if found else [])


@pytest.mark.rule("Y10", "Y22")
@pytest.mark.failure("F3")
def test_a_pair_posed_so_that_it_gives_the_same_field_is_not_believed_for_that(layout: TableLayout) -> None:
    """A hand has gone up, and its track has come to the stone that it left: two stones have six unknowns more."""
    pair = Pair(layout, HERE, ALONE)
    (m,) = pair.scene.tracker.movers
    tracker = pair.scene.tracker
    tracker.weight = np.full(layout.count, 1.0 / 0.6**2)
    shown = tracker.residual + m.kept
    for _ in range(6):
        prior = Prior(m.body.centre, np.full(3, 12.0), 0.7, m.log_moment, MOMENT_SIGMA)
        m.body = fit(layout, [m.body], [prior], shown, tracker.weight, limit=20).bodies[0]
    m.kept = tracker.model.fields(m.body.stones).sum(0)
    tracker.residual = shown - m.kept
    pair.look()
    assert [event.kind for event in pair.scene.events] == [EventKind.REFUTED]
