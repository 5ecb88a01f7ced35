"""Stones that have fallen to the table beside the mats: found, watched, and known again when a hand takes them."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.events.contacts import Contacts
from companion.sensing.events.life import Life
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import DEFAULT_SHAPE, magnet
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import EventKind, TableEvent

UP = np.array([0.0, 0.0, 1.0])
SIGMA = 0.08


class Table:
    """A tracker with the rules about tracks, and one stone that was on the board and slides over its edge."""

    def __init__(self, layout: Any, lies: Any, seed: int = 5) -> None:
        self.layout, self.model = layout, FieldModel.of(layout)
        self.scene = Scene(Tracker(layout, np.full(layout.count, SIGMA)), Weight())
        self.life = Life(self.scene, Contacts(self.scene.tracker))
        self.t, self.events = 2_000_000, list[TableEvent]()
        self._rng = np.random.default_rng(seed)
        self.lies = np.array(lies)
        edge = self.lies + np.array([0.0, 30.0, 18.0])
        self.stone = Mover(
            Body((1,), magnet(edge, UP, 0.29, DEFAULT_SHAPE)), Phase.BOARD, self.t, told=True, log_sigma=0.05
        )
        self.stone.smooth = self.stone.anchor = edge
        self.stone.kept = self.field(edge)
        self.scene.tracker.movers.append(self.stone)
        self.scene.tracker.newborn.next_track = 2
        self.scene.lain.add(1)
        for way in np.linspace(0.0, 1.0, 8):
            self.show(edge + way * (self.lies - edge))

    def field(self, at: Any) -> Any:
        return self.model.fields(magnet(at, UP, 0.29, DEFAULT_SHAPE)).sum(0)

    def show(self, *stones: Any) -> None:
        """A frame with a stone at each place."""
        shown = self._rng.normal(0.0, SIGMA, self.layout.count) + sum(map(self.field, stones), np.zeros(1))
        self.t += 10_000
        self.scene.tracker.step(self.t, shown, np.ones(self.layout.count, dtype=np.bool_))
        self.events += self.life.step(self.t)

    @property
    def told(self) -> list[EventKind]:
        return [e.kind for e in self.events]

    @property
    def phases(self) -> list[Phase]:
        return [m.phase for m in self.scene.tracker.movers]


BESIDE = (14.0, -106.0, -16.0)


@pytest.mark.rule("Y08")
def test_a_fallen_stone_is_found_where_it_lies_and_stays_there(layout: Any) -> None:
    table = Table(layout, BESIDE)
    for _ in range(400):
        table.show(BESIDE)
    assert table.told.count(EventKind.FELL_OFF) == 1
    assert EventKind.LIFTED not in table.told
    assert table.phases == [Phase.TABLE]
    assert float(np.linalg.norm(table.stone.body.centre - BESIDE)) < 4.0
    assert not table.stone.awake


@pytest.mark.rule("Y35")
def test_the_hand_that_fetches_it_brings_no_stone_to_the_board(layout: Any) -> None:
    """It is told as lifted, and as withdrawn when it has gone; what rises from there has its number."""
    table = Table(layout, BESIDE)
    for _ in range(150):
        table.show(BESIDE)
    for z in np.linspace(-16.0, 90.0, 40):
        table.show((14.0, -106.0, z))
    for _ in range(250):
        table.show()
    assert [k for k in table.told if k in (EventKind.LIFTED, EventKind.APPROACH, EventKind.WITHDRAWN)] == [
        EventKind.LIFTED,
        EventKind.WITHDRAWN,
    ]
    assert table.phases == []


@pytest.mark.rule("Y08", "Y14")
def test_a_fallen_stone_that_was_held_where_it_explains_nothing_is_held_anew(layout: Any) -> None:
    """A hand's stone near by was in the frame that it was held by. What such a pose has too much would be found as the
    next player's stone, and stay.
    """
    table = Table(layout, BESIDE)
    for _ in range(4):
        table.show(BESIDE)
    wrong = np.array([-14.0, -96.0, -12.0])
    table.stone.body = Body((1,), magnet(wrong, UP, 0.5, DEFAULT_SHAPE))
    table.stone.kept, table.stone.awake = table.model.fields(table.stone.body.stones).sum(0), False
    for _ in range(2):
        table.show(BESIDE)
    assert float(np.mean((table.scene.tracker.residual / SIGMA) ** 2)) < 8.0


@pytest.mark.rule("Y35")
def test_a_hands_track_that_runs_to_a_fallen_stone_is_not_that_one(layout: Any) -> None:
    """The hand that has pushed it over goes up and is lost; who takes the fallen one is told, with its own number."""
    table = Table(layout, BESIDE)
    for _ in range(8):
        table.show(BESIDE)
    at = np.array(BESIDE) + np.array([4.0, 4.0, 6.0])
    hand = Mover(Body((2,), magnet(at, UP, 0.29, DEFAULT_SHAPE)), Phase.HAND, table.t, told=True, held=True)
    hand.smooth = hand.anchor = hand.born_at = at
    hand.kept = table.field(at)
    table.scene.tracker.movers.append(hand)
    for _ in range(250):
        table.show(BESIDE)
    assert {m.body.tracks[0]: m.phase for m in table.scene.tracker.movers} == {1: Phase.TABLE}
    assert table.told.count(EventKind.WITHDRAWN) == 1
    for z in np.linspace(-16.0, 90.0, 40):
        table.show((14.0, -106.0, z))
    assert table.told.count(EventKind.LIFTED) == 1


@pytest.mark.rule("Y35")
@pytest.mark.parametrize("seed", range(3))
def test_a_hands_track_that_goes_to_what_is_missed_of_a_fallen_stone_is_none(layout: Any, seed: int) -> None:
    """What is missed of a stone that was taken looks like one with its poles turned: both would lie there for ever."""
    table = Table(layout, BESIDE, seed)
    for _ in range(150):
        table.show(BESIDE)
    at = np.array(BESIDE) + np.array([9.0, 7.0, 3.0])
    hand = Mover(Body((2,), magnet(at, -UP, 0.29, DEFAULT_SHAPE)), Phase.HAND, table.t, told=True, held=True)
    hand.smooth = hand.anchor = hand.born_at = at
    hand.kept = -table.field(at)
    table.scene.tracker.movers.append(hand)
    for _ in range(250):
        table.show()
    assert [e.stones for e in table.events if e.kind is EventKind.LIFTED] == [(1,)]
    assert table.phases == []


@pytest.mark.rule("Y14")
def test_the_next_players_stone_has_its_own_number_while_one_lies_beside_the_mats(layout: Any) -> None:
    table = Table(layout, BESIDE)
    for _ in range(150):
        table.show(BESIDE)
    for z in np.linspace(90.0, 25.0, 40):
        table.show(BESIDE, (0.0, 10.0, z))
    assert table.told.count(EventKind.APPROACH) == 1
    assert EventKind.LIFTED not in table.told
    assert {m.body.tracks[0]: m.phase for m in table.scene.tracker.movers} == {1: Phase.TABLE, 2: Phase.HAND}


@pytest.mark.rule("Y35")
def test_a_fetched_stone_that_is_put_down_again_is_like_any_other(layout: Any) -> None:
    """From then on it is known again also farther off than a hand takes it from the table to where it is seen."""
    table = Table(layout, BESIDE)
    for _ in range(150):
        table.show(BESIDE)
    up, over, board = np.array([14.0, -100.0, 30.0]), np.array([14.0, -20.0, 40.0]), np.array([14.0, -20.0, 3.4])
    for a, b in ((np.array(BESIDE), up), (up, over), (over, board)):
        for way in np.linspace(0.0, 1.0, 40):
            table.show(a + way * (b - a))
    assert table.told.count(EventKind.LIFTED) == 1
    for _ in range(100):
        table.show(board)
    assert EventKind.PLACED in table.told
    (mover,) = table.scene.tracker.movers
    assert mover.body.tracks == (1,)
    assert mover.phase is Phase.BOARD
    assert not mover.fetched


@pytest.mark.rule("Y35")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("beside", "speed"), [(14.0, 2.0), (14.0, 4.0), (18.0, 3.0)])
def test_where_it_has_been_taken_away_no_stone_is_born_of_what_is_missed(
    layout: Any, beside: float, speed: float, seed: int
) -> None:
    """A quick hand drags it off level. What its track has too much looks like a stone with the poles turned: together
    they would explain for ever that nothing is there; and learned as drift it would hide that the stone has gone.
    """
    lies = np.array([14.0, -86.6 - beside, -16.0])
    table = Table(layout, lies, seed)
    for _ in range(150):
        table.show(lies)
    before = len(table.events)
    for way in np.arange(0.0, 90.0, speed):
        table.show(lies - np.array([0.0, way, 0.0]))
    for _ in range(200):
        table.show()
    of_it = [e.kind for e in table.events[before:] if e.stones == (1,)]  # a hand had pushed it, and goes home as well
    assert of_it == [EventKind.LIFTED, EventKind.WITHDRAWN]
    assert table.phases == []


@pytest.mark.rule("Y35")
@pytest.mark.parametrize(("beside", "doubted"), [(12.0, True), (34.0, False)])
def test_only_of_a_stone_that_is_clearly_seen_a_doubt_keeps_drift_from_being_learned(
    layout: Any, beside: float, doubted: bool
) -> None:
    """Of one that is hardly seen it may last: what is left over all that time would be taken for a hand's stone."""
    table = Table(layout, BESIDE)
    at = np.array([14.0, -86.6 - beside, -16.0])
    table.lies, table.stone.phase = at, Phase.TABLE
    table.stone.set(Body((1,), magnet(at, UP, 0.29, DEFAULT_SHAPE)), table.t)
    for _ in range(60):
        table.show(at)
    fallen = table.scene.tracker.fallen
    assert not table.stone.awake
    assert not fallen.falls(table.stone)
    table.stone.weak_us = table.t
    assert fallen.falls(table.stone) is doubted
