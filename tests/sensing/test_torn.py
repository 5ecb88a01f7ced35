"""What is followed as a pair, and shows two stones far from each other, has not touched."""

import numpy as np
import pytest

from companion.sensing.events.pair_looks import AGREE, EVERY
from companion.sensing.events.torn import Torn
from companion.sensing.fields.bodies import joined
from companion.sensing.fields.stacks import STACK_MM
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.tracks.movers import ODD, Mover, Phase
from companion.table import EventKind
from tests.sensing.pairs import LATER_US, stone, taken_for_a_pair

LOOKS = EVERY * AGREE
LAY, HAND = (-5.0, -90.0, 3.4), (8.0, -76.0, 25.0)  # of stones 1 and 2 before they touched
TABLE, OVER = (-20.0, -108.0, -14.0), (10.0, -74.0, 9.0)  # where they are seen
STACKED = [(8.0, -76.0, 3.4), (8.0, -76.0, 3.4 + STACK_MM)]


class Pair:
    """Stones 1 and 2 are taken to stick together over the mats; shown: where stones are seen."""

    def __init__(self, layout: TableLayout, shown: list[tuple[float, ...]]) -> None:
        self.torn = Torn()
        self.torn.touch(Mover(stone(1, LAY), Phase.BOARD, 0))
        self.torn.touch(Mover(stone(2, HAND), Phase.HAND, 0))
        body = joined(stone(1, STACKED[0]), stone(2, STACKED[1]))
        self.scene, self.m = taken_for_a_pair(layout, body, [stone(0, at) for at in shown])
        self.m.misfit = 2.0 * ODD
        self.scene.tracker.known.update({1: float(np.log(0.29)), 2: float(np.log(0.29))})

    def look(self, frames: int = LOOKS) -> None:
        for k in range(frames):
            self.torn.step(self.scene, LATER_US + 10_000 * k)


@pytest.mark.rule("Y08", "Y10", "Y22")
@pytest.mark.failure("F3")
def test_two_stones_seen_apart_were_in_no_collapse(layout: TableLayout) -> None:
    """One has been driven over the edge, the other is in the hand; each keeps its number."""
    pair = Pair(layout, [TABLE, OVER])
    pair.look(LOOKS - 1)
    assert pair.scene.events == []
    pair.look()
    (event,) = pair.scene.events
    assert (event.kind, event.stones) == (EventKind.REFUTED, (1, 2))
    assert event.evidence is not None
    assert event.evidence.note == "torn"
    found = {m.body.tracks[0]: m for m in pair.scene.tracker.movers}
    assert {k: m.phase for k, m in found.items()} == {1: Phase.BOARD, 2: Phase.HAND}
    assert float(np.linalg.norm(found[1].body.centre - TABLE)) < 10.0
    assert float(np.linalg.norm(found[2].body.centre - OVER)) < 3.0
    assert found[2].told


@pytest.mark.rule("Y10")
@pytest.mark.parametrize("shown", [STACKED, [OVER], [STACKED[0], STACKED[1], TABLE]])
def test_what_sticks_together_or_is_no_two_stones_stays_a_pair(
    layout: TableLayout, shown: list[tuple[float, ...]]
) -> None:
    """Nor with a third one beside it that nobody knows: each of the two would have to be twice as strong."""
    pair = Pair(layout, shown)
    pair.look(5 * LOOKS)
    assert pair.scene.events == []
    assert [m.body.tracks for m in pair.scene.tracker.movers] == [(1, 2)]


def test_a_pair_that_explains_the_reading_is_not_asked(layout: TableLayout) -> None:
    pair = Pair(layout, [TABLE, OVER])
    pair.m.misfit = 0.9 * ODD
    pair.look(5 * LOOKS)
    assert pair.scene.events == []
