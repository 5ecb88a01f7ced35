"""A hand's stone takes the place, and the track, of one that it drives over the edge."""

import numpy as np
import pytest

from companion.sensing.bodies import Body
from companion.sensing.dipole import FieldModel
from companion.sensing.layout import Floats, TableLayout
from companion.sensing.magnets import DEFAULT_SHAPE, Magnets, magnet
from companion.sensing.movers import Mover, Phase
from companion.sensing.newborn import Newborn
from companion.sensing.solver import fit
from companion.sensing.stones import POPULATION
from companion.sensing.strangers import AVERAGE
from tests.sensing.tables import table_json

LAYOUT = TableLayout.from_json(table_json())
MODEL = FieldModel.of(LAYOUT)
SIGMA = np.full(LAYOUT.count, 0.1)
OUTWARD = np.array([0.0, -1.0, 0.0])
"""The lower side of the tile is its base."""
BASE = np.array([float(LAYOUT.triangles[0][:, 0].mean()), float(LAYOUT.triangles[0][:, 1].min()), 0.0])


def stone(out_mm: float, along_mm: float, height: float) -> Magnets:
    """So far over the edge, along it, and over the mats, its pole up."""
    return magnet(BASE + out_mm * OUTWARD + (along_mm, 0.0, height), (0.0, 0.2, 1.0), 0.3, DEFAULT_SHAPE)


def shown(stones: list[Magnets]) -> Floats:
    return np.sum([MODEL.fields(s).sum(0) for s in stones], axis=0)


def followed(reading: Floats, phase: Phase) -> Mover:
    """The track of a stone that lay at the edge, as it explains this reading by one stone over that place."""
    lay = stone(-8.0, 0.0, 3.4)
    begun = Mover(Body((7,), lay), phase, 0, rested=lay.position[0], told=True, log_moment=float(np.log(0.3)))
    begun.body = begun.body.shifted(np.array([0.0, 0.0, 10.0]))
    found = fit(LAYOUT, [begun.body], [begun.prior()], reading, SIGMA**-2 / 10.0, limit=12)
    begun.body, begun.misfit, begun.evidence = found.bodies[0], 14.0, 300.0
    begun.kept = MODEL.fields(begun.body.stones).sum(0)
    return begun


def searched(m: Mover, reading: Floats) -> tuple[Newborn, Mover | None]:
    newborn, rng = Newborn(LAYOUT, SIGMA, POPULATION), np.random.default_rng(1)
    newborn.next_track = 30
    for _ in range(AVERAGE):
        newborn.see(reading - m.kept + rng.normal(0.0, 0.1, LAYOUT.count))
    return newborn, newborn.find([m], False, SIGMA**-2, 1_000_000)


@pytest.mark.parametrize("phase", [Phase.BOARD, Phase.LIFTED])
def test_the_stone_that_fell_is_followed_and_the_hands_gets_a_track(phase: Phase) -> None:
    there = [stone(-4.0, 5.0, 9.0), stone(9.0, 34.0, 3.4 - LAYOUT.table_below)]
    reading = shown(there)
    m = followed(reading, phase)
    _, hand = searched(m, reading)
    assert hand is not None
    assert hand is not m
    assert (hand.phase, hand.body.tracks, hand.told) == (Phase.HAND, (30,), False)
    assert np.linalg.norm(hand.body.centre - there[0].position[0]) < 3.0
    assert np.linalg.norm(m.body.centre - there[1].position[0]) < 6.0
    assert (m.body.tracks, m.phase) == ((7,), phase)


def test_a_stone_that_is_pushed_along_the_board_keeps_its_track() -> None:
    """What is found there may as well be the hand's."""
    reading = shown([stone(-4.0, 5.0, 9.0), stone(-10.0, 40.0, 3.4)])
    m = followed(reading, Phase.BOARD)
    before = m.body.centre
    _, born = searched(m, reading)
    assert born is None
    assert np.allclose(m.body.centre, before)


def test_a_track_that_explains_what_is_there_stays() -> None:
    there = [stone(-4.0, 5.0, 9.0), stone(9.0, 34.0, 3.4 - LAYOUT.table_below)]
    reading = shown(there)
    m = followed(reading, Phase.BOARD)
    m.misfit = 1.2
    before = m.body.centre
    searched(m, reading)
    assert np.allclose(m.body.centre, before)
