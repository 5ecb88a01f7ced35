"""What is left over is learned, but never so much that a stone is hidden by it or left as a ghost."""

import numpy as np
import pytest

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.tracks.leftovers import BARE_LIMIT_MT, Leftovers
from companion.sensing.tracks.movers import Mover, Phase


def resting(layout: TableLayout) -> Mover:
    body = Body((1,), magnet([0.0, 0.0, 3.4], [0.0, 0.0, 1.0]))
    m = Mover(body, Phase.BOARD, 0, awake=False, kept=FieldModel.of(layout).fields(body.stones).sum(0))
    m.rested = body.centre
    return m


@pytest.mark.failure("E5", "F3")
def test_a_stone_that_no_track_explains_is_not_learned_away(layout: TableLayout) -> None:
    left = Leftovers(layout)
    stone = FieldModel.of(layout).fields(magnet([20.0, 10.0, 14.0], [0.3, 0.0, 1.0]))[0]
    for _ in range(2000):
        left.quiet(stone - left.bare - left.extra, settled=True)
    assert np.abs(left.bare).max() <= BARE_LIMIT_MT
    assert np.abs(stone - left.bare).max() > 0.8 * np.abs(stone).max()


@pytest.mark.failure("E7")
def test_what_a_shape_leaves_over_under_a_resting_stone_is_its_own_and_goes_with_it(layout: TableLayout) -> None:
    left, m = Leftovers(layout), resting(layout)
    left.own([m])
    under = int(np.argmax(np.abs(m.kept)))
    shape = np.where(np.arange(layout.count) == under, 0.25 * m.kept, 0.0)
    left.rest(m, shape, np.ones(layout.count, dtype=bool))
    assert left.extra[under] == pytest.approx(shape[under])
    left.forget(m)
    left.own([])
    assert not left.extra.any()
    assert left.scar[under] > 0.0


def test_a_second_stone_on_a_resting_one_is_too_much_to_be_its_leftover(layout: TableLayout) -> None:
    left, m = Leftovers(layout), resting(layout)
    left.own([m])
    second = FieldModel.of(layout).fields(magnet([14.0, 0.0, 3.4], [0.0, 0.0, -1.0]))[0]
    left.rest(m, second, np.ones(layout.count, dtype=bool))
    assert ((second - left.extra) ** 2).sum() > 0.2 * (second**2).sum()
