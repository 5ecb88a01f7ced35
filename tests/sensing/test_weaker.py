"""A cluster that is carried and has less moment than its stones: its track has lost it."""

import numpy as np
import pytest

from companion.sensing.events.contacts import Contacts
from companion.sensing.events.life import Life
from companion.sensing.events.scene import Scene
from companion.sensing.events.weaker import Weaker
from companion.sensing.fields.bodies import Body, joined
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.movers import Mover, Phase
from companion.table import EventKind
from tests.sensing.test_tracker import UP, World

FRAMES = 60
MOMENT, SIGMA = 0.3, 0.08


def pair(strength: float = 1.0, mm: float = 25.0) -> Body:
    """Two stones side by side with opposite poles, so high over the mats."""
    made = [Body((k,), magnet((14.0 * k, 0.0, mm), UP * (-1) ** k, strength * MOMENT)) for k in (0, 1)]
    return joined(*made)


def carried(strength: float, evidence: float, calm: int, mm: float = 25.0) -> Mover:
    m = Mover(pair(strength, mm), Phase.LIFTED, 0, told=True, held=True, evidence=evidence, frames=90, calm=calm)
    m.log_moment, m.log_sigma = float(np.log(2.0 * MOMENT)), SIGMA
    return m


def lost(m: Mover, frames: int = FRAMES) -> bool:
    weaker = Weaker()
    return any(weaker.lost(m, [m]) for _ in range(frames))


@pytest.mark.parametrize(
    ("strength", "evidence", "calm", "is_lost"),
    [
        (0.7, 170.0, 40, True),
        (0.85, 170.0, 40, False),  # two spreads: as far off as stones that are hardly seen
        (1.4, 170.0, 40, False),  # one more stone may stick to them
        (0.7, 290.0, 40, False),  # it is seen as well as can be: there is something
        (0.7, 170.0, 90, False),  # its track has followed it all the way
    ],
)
def test_a_track_that_was_outrun_and_is_weaker_than_its_stones_has_lost_them(
    strength: float, evidence: float, calm: int, is_lost: bool
) -> None:
    assert lost(carried(strength, evidence, calm)) is is_lost


def test_high_up_nothing_is_known_of_its_moment() -> None:
    assert not lost(carried(0.7, 170.0, 40, mm=60.0))


def test_for_a_frame_or_two_any_pose_may_seem_weaker() -> None:
    assert not lost(carried(0.6, 170.0, 40), 4)


def test_a_single_stone_is_judged_otherwise() -> None:
    m = carried(0.7, 170.0, 40)
    m.body = Body((1,), magnet((0.0, 0.0, 25.0), UP, 0.7 * MOMENT))
    assert not lost(m)


@pytest.mark.rule("Y35")
def test_what_its_track_has_lost_is_told_as_taken_away() -> None:
    """Else its ghost hangs over the board: the turn never ends, and the next player's stone is drawn to it."""
    world = World(3)
    life = Life(Scene(world.tracker, Weight()), Contacts(world.tracker))
    m = carried(1.0, 170.0, 40)
    world.tracker.movers.append(m)
    life.scene.lain |= set(m.body.tracks)
    events = []
    for _ in range(120):
        if m in world.tracker.movers:  # what is left over holds the track in the air
            m.body, m.evidence, m.weak_us = pair(0.7), 170.0, None
            m.calm = 40
        world.t += 10_000
        events += life.step(world.t, solved=False)
    assert m not in world.tracker.movers
    assert [(e.kind, e.count) for e in events if e.kind is EventKind.REMOVED] == [(EventKind.REMOVED, 2)]
