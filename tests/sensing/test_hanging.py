"""A cluster that seems to hang still over the mats lies there, unless only in the air it explains what is shown."""

import numpy as np
import pytest

from companion.sensing.events.contacts import Contacts
from companion.sensing.events.life import Life
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body, joined
from companion.sensing.fields.columns import Columns
from companion.sensing.fields.magnets import DEFAULT_SHAPE, magnet
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.movers import Mover, Phase
from tests.sensing.test_tracker import MODEL, UP, World

TRUE = ((0.0, 0.0, 3.4), (0.5, 0.5, 10.2), (15.0, 2.0, 3.4))
AXES = (UP, UP, -UP)
MOMENTS = (0.25, 0.3, 0.28)


def cluster(places: tuple[tuple[float, float, float], ...], axes: tuple[np.ndarray, ...] = AXES) -> Body:
    made = zip(places, axes, MOMENTS, strict=True)
    alone = [Body((k,), magnet(p, u, m, DEFAULT_SHAPE)) for k, (p, u, m) in enumerate(made, 1)]
    return joined(joined(alone[0], alone[1]), alone[2])


def held(world: World, body: Body) -> tuple[Life, Mover]:
    """The life of a cluster that was lifted, its stones known from before."""
    life = Life(Scene(world.tracker, Weight()), Contacts(world.tracker))
    m = Mover(body, Phase.LIFTED, world.t, told=True, held=True, evidence=300.0)
    m.smooth = m.anchor = body.centre
    m.still_us, m.log_moment, m.log_sigma = world.t, body.log_moment, 0.08
    m.kept = MODEL.fields(body.stones).sum(0)
    world.tracker.movers.append(m)
    world.tracker.known.update({k: float(np.log(v)) for k, v in enumerate(MOMENTS, 1)})
    life.scene.lain |= {1, 2}
    return life, m


@pytest.mark.parametrize("seed", range(3))
def test_a_cluster_posed_in_the_air_that_lies_is_put_down(seed: int) -> None:
    world = World(seed)
    true = cluster(TRUE)
    melted = cluster(((3.0, 0.0, 10.0), (9.0, 4.0, 15.0), (14.0, -2.0, 12.0)), (UP, np.array([0.7, 0.0, 0.7]), -UP))
    life, m = held(world, melted)
    for _ in range(150):
        world.show([true.stones])
        life.step(world.t)
    assert m.phase is Phase.BOARD
    assert m.low_mm < 6.0
    assert [int(np.sign(u)) for u in m.body.stones.axis[:, 2]] == [1, 1, -1]


@pytest.mark.parametrize("height", [12.0, 20.0])
def test_a_cluster_that_a_hand_holds_still_in_the_air_stays_there(height: float) -> None:
    world = World(4)
    true = cluster(tuple((x, y, z + height) for x, y, z in TRUE))
    life, m = held(world, true)
    for _ in range(150):
        world.show([true.stones])
        life.step(world.t)
    assert m.phase is Phase.LIFTED
    assert abs(m.body.centre[2] - true.centre[2]) < 1.0


def test_stones_held_still_are_searched_for_ever_more_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each search takes longer than frames come."""
    asked: list[int] = []

    def lying(columns: Columns, body: Body) -> None:
        asked.append(world.t)

    monkeypatch.setattr(Columns, "lying", lying)
    world = World(4)
    true = cluster(tuple((x, y, z + 15.0) for x, y, z in TRUE))
    life, m = held(world, true)
    for _ in range(600):
        world.show([true.stones])
        life.step(world.t)
    assert m.phase is Phase.LIFTED
    assert 2 <= len(asked) <= 4  # after 0.3 s, then 0.6, 1.2 and 2.4 s later
    elsewhere = cluster(tuple((x + 12.0, y, z + 15.0) for x, y, z in TRUE))
    before = len(asked)
    for _ in range(60):  # another pose is asked about as soon as the first was
        world.show([elsewhere.stones])
        life.step(world.t)
    assert len(asked) == before + 1
