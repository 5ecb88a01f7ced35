"""What lies still is looked at again where a hand is near or too much is left over, if any sensor sees it."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.tracks.dark import SEEN_MM
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.sleepers import Sleepers


def lying(layout: Any, track: int, place: Any) -> Mover:
    body = Body((track,), magnet(place, (0.0, 0.0, 1.0), 0.29))
    m = Mover(body, Phase.BOARD, 0, born_at=body.centre, awake=False)
    m.kept = FieldModel.of(layout).fields(body.stones).sum(axis=0)
    return m


@pytest.mark.failure("B1")
@pytest.mark.parametrize("left_mt", [0.0, 1.0])
def test_a_stone_that_no_sensor_sees_any_more_stays_as_it_was_whatever_moves_near(layout: Any, left_mt: float) -> None:
    sleepers = Sleepers(layout)
    here, there = (layout.position[k, :2] for k in (20, 150))
    both = [lying(layout, track, (*at, 3.4)) for track, at in ((1, here), (2, there))]
    sleepers.see(both)
    left, weight = np.full(layout.count, left_mt), np.full(layout.count, 100.0)
    hands = [np.array((*at, 30.0)) for at in (here, there)]
    assert sleepers.stirred(left, weight, hands) == both
    away = np.hypot(*(layout.position[:, :2] - here).T)
    weight[away < SEEN_MM + 15.0] = 0.0  # as where its multiplexer is lost
    assert sleepers.stirred(left, weight, hands) == both[1:]
    weight[np.argsort(away)[1]] = 100.0  # the nearest but the one right under it, which may be at its end
    assert sleepers.stirred(left, weight, hands) == both


@pytest.mark.rule("Y35")
def test_beside_the_mats_a_stone_is_looked_at_again_though_no_sensor_was_ever_so_near(layout: Any) -> None:
    sleepers = Sleepers(layout)
    beside = layout.position[:, :2].mean(axis=0) - (0.0, np.ptp(layout.position[:, 1]) / 2.0 + SEEN_MM + 10.0)
    m = lying(layout, 1, (*beside, 3.4))
    sleepers.see([m])
    assert float(np.hypot(*(layout.position[:, :2] - beside).T).min()) > SEEN_MM
    weight = np.full(layout.count, 100.0)
    assert sleepers.stirred(np.zeros(layout.count), weight, [np.array((*beside, 30.0))]) == [m]
