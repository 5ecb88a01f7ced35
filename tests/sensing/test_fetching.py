"""A stone that fell too far beside the mats to be seen lying there: seen when a hand takes it up."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.layout import Floats
from companion.sensing.tracks.fetching import Fetching
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker

NOISE = 0.2  # mT, of a hard table
UP = (0.0, 0.0, 1.0)
FELL = (14.0, -112.0, -10.0)  # where it was last followed
LIES = (14.0, -124.0, -16.0)  # 32 mm beside the mats: worth 0.6 of chi squared a frame, where 4 can be watched
TAKEN = [*np.linspace(LIES, (14.0, -124.0, 40.0), 30), *np.linspace((14.0, -124.0, 40.0), (60.0, -170.0, 60.0), 40)]
HUM = 0.2  # mT


class Fallen:
    """A board with a stone at rest, beside which one fell."""

    def __init__(self, layout: Any, seed: int = 3) -> None:
        self.layout, self.model, self.t = layout, FieldModel.of(layout), 5_000_000
        self.fetching = Fetching(layout, np.full(layout.count, NOISE))
        self.rests = self.field((10.0, -60.0, 3.4))
        self.m = Mover(Body((4,), magnet(FELL, UP, 0.29)), Phase.TABLE, self.t, told=True, log_sigma=0.05)
        self.fetching.lost(self.m, self.t)
        self.rng = np.random.default_rng(seed)
        self.hum = self.rng.normal(0.0, HUM, layout.count)

    def field(self, at: Any) -> Floats:
        out: Floats = self.model.fields(magnet(at, UP, 0.29)).sum(axis=0)
        return out

    def show(self, stone: Any, movers: Any = ()) -> Mover | None:
        self.t += 10_000
        hum = self.hum * np.sin(self.t / 2e4)
        shown = self.rests + hum + self.rng.normal(0.0, NOISE, self.layout.count)
        shown += 0.0 if stone is None else self.field(stone)
        return self.fetching.see(movers, shown, np.ones(self.layout.count, dtype=np.bool_), self.t)

    def taken(self, way: Any, movers: Any = ()) -> list[Mover]:
        return [m for at in way if (m := self.show(at, movers)) is not None]


@pytest.mark.rule("Y35")
@pytest.mark.parametrize("seed", range(4))
def test_the_hand_that_takes_it_up_is_seen_once(layout: Any, seed: int) -> None:
    fallen = Fallen(layout, seed)
    assert fallen.taken([LIES] * 200) == []
    assert fallen.taken([*TAKEN, *[None] * 100]) == [fallen.m]
    assert float(np.linalg.norm(fallen.m.body.centre[:2] - LIES[:2])) < 40.0
    assert fallen.m.body.tracks == (4,)
    assert np.array_equal(fallen.m.smooth, fallen.m.body.centre)  # by that it is told how long it may come again


def test_nothing_takes_it_while_the_sensors_hum(layout: Any) -> None:
    assert Fallen(layout).taken([LIES] * 1900) == []


@pytest.mark.rule("Y14")
def test_the_next_players_stone_is_not_taken_for_it(layout: Any) -> None:
    """It comes high from behind, past where the one fell, and hovers over the mats."""
    fallen = Fallen(layout)
    fallen.rests = fallen.rests + fallen.field(LIES)
    way = [None] * 120 + [(14.0, -190.0 + 150.0 * k / 80, 75.0) for k in range(81)] + [(14.0, -40.0, 70.0)] * 100
    assert fallen.taken(way) == []


@pytest.mark.rule("Y14", "Y35")
@pytest.mark.parametrize("at", [(14.0, -75.0, 25.0), (110.0, -105.0, 20.0)])
def test_what_comes_over_the_mats_or_far_from_where_it_fell_is_another(layout: Any, at: Any) -> None:
    fallen = Fallen(layout)
    fallen.rests = fallen.rests + fallen.field(LIES)
    assert fallen.taken([*[None] * 120, *[at] * 150]) == []


@pytest.mark.rule("Y35")
@pytest.mark.parametrize("beside", [-15.0, 15.0, 45.0])
def test_of_two_that_fell_only_the_one_that_is_taken_up_is_told(layout: Any, beside: float) -> None:
    """What has changed while one was taken up is shown for half a second more."""
    fallen, by = Fallen(layout), np.array([beside, 0.0, 0.0])
    fallen.fetching.lost(Mover(Body((5,), magnet(FELL + by, UP, 0.29)), Phase.TABLE, fallen.t, told=True), fallen.t)
    fallen.rests = fallen.rests + fallen.field(LIES + by)
    assert fallen.taken([*[LIES] * 200, *TAKEN, *[None] * 100]) == [fallen.m]


@pytest.mark.rule("Y35")
def test_what_was_moved_in_a_gap_is_in_no_hand_after_it(layout: Any) -> None:
    fallen, tracker = Fallen(layout), Tracker(layout, np.full(layout.count, NOISE))
    tracker.fetching = fallen.fetching
    fallen.taken([LIES] * 200)
    tracker.blind(fallen.t + 3_000_000)
    assert fallen.taken([(14.0, -104.0, -16.0)] * 200) == []


@pytest.mark.rule("Y35")
def test_a_hand_that_is_known_explains_what_changes(layout: Any) -> None:
    fallen = Fallen(layout)
    hand = Mover(Body((5,), magnet((14.0, -60.0, 50.0), UP, 0.29)), Phase.HAND, fallen.t, told=True)
    assert fallen.taken([*[LIES] * 200, *TAKEN], [hand]) == []


def test_who_takes_it_later_changes_no_turn(layout: Any) -> None:
    """The ten seconds are over."""
    fallen = Fallen(layout)
    fallen.taken([LIES] * 2050)
    assert fallen.taken([*TAKEN, *[None] * 100]) == []
