"""A stone of which nothing is known: what it can gain is bounded by what is left over, and that decides the search."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sensing.fields.births import Births, Candidate
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import DEFAULT_SHAPE, magnet
from companion.sensing.fields.stones import POPULATION
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.newborn import Newborn
from companion.sensing.tracks.strangers import AVERAGE, Strangers
from tests.sensing.tables import table_json

LAYOUT = TableLayout.from_json(table_json())
SIGMA = np.full(LAYOUT.count, 0.1)
WEIGHT = SIGMA**-2
HARDLY = 120.0  # evidence of a carried stone that may be elsewhere


def field(at: Sequence[float]) -> Floats:
    return FieldModel.of(LAYOUT).fields(magnet(at, (0.1, 0.0, 1.0), 0.3, DEFAULT_SHAPE)).sum(0)


@settings(max_examples=20)
@given(st.floats(-60, 60), st.floats(-40, 40), st.floats(10, 50), st.integers(0, 99))
def test_no_stone_gains_more_than_all_that_is_left_over(x: float, y: float, z: float, seed: int) -> None:
    noise = np.random.default_rng(seed).normal(0.0, 0.1 / np.sqrt(AVERAGE), LAYOUT.count)
    strangers = Strangers(LAYOUT, SIGMA, POPULATION)
    left = strangers.left(field((x, y, z)) + noise, WEIGHT)
    found = strangers.found(Candidate(np.array([x, y, z]), np.array([0.0, 0.0, 0.3]), 0.0), 1, [], left)
    assert found is None or found[1] <= left.most


def carried(evidence: float) -> Mover:
    body = Body((1,), magnet((-60.0, 0.0, 30.0), (0, 0, 1), 0.3, DEFAULT_SHAPE))
    return Mover(body, Phase.HAND, 0, kept=field((-60.0, 0.0, 30.0)), evidence=evidence)


@pytest.mark.parametrize(
    ("elsewhere", "evidence", "table", "searched"),
    [
        (False, HARDLY, False, False),
        (False, HARDLY, True, True),  # one that lies on the table may be seen higher, by less
        (True, HARDLY, False, True),
        (True, 300.0, False, False),  # it is seen as well as one can be
    ],
)
def test_the_carried_stone_is_looked_for_only_where_enough_is_left_over(
    monkeypatch: pytest.MonkeyPatch, elsewhere: bool, evidence: float, table: bool, searched: bool
) -> None:
    asked = list[int]()
    search = Births.search

    def counted(*args: object, **more: object) -> list[Candidate]:
        asked.append(1)
        return search(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Births, "search", counted)
    newborn, rng = Newborn(LAYOUT, SIGMA, POPULATION), np.random.default_rng(3)
    newborn.next_track = 2
    hand = carried(evidence)
    fell = Mover(Body((3,), magnet((150.0, 0.0, -17.0), (0, 0, 1), 0.3, DEFAULT_SHAPE)), Phase.TABLE, 0, awake=False)
    for _ in range(AVERAGE):
        newborn.see(rng.normal(0.0, 0.1, LAYOUT.count) + (field((60.0, 10.0, 20.0)) if elsewhere else 0.0))
    found = newborn.find([hand, fell] if table else [hand], False, WEIGHT, 10_000)
    assert bool(asked) is searched
    assert (found is hand) is (elsewhere and searched)
    if found is hand:
        assert np.hypot(*(hand.body.centre[:2] - (60.0, 10.0))) < 3.0
