"""Stones of a cluster are taken away in thought, one by one, until one is not missed: each is a fit of the others."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.events import recheck
from companion.sensing.events.collapses import ASK_BELOW
from companion.sensing.events.recheck import MARGIN, Doubt, doubted, gain_of, likely
from companion.sensing.fields.bodies import Body, joined
from companion.sensing.fields.magnets import magnet
from companion.sensing.fields.stacks import STACK_MM
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker

STONES = (1, 2, 3, 4)


def tracked(layout: TableLayout, shown: tuple[int, ...]) -> tuple[Tracker, Mover]:
    """Two stacks side by side are followed as one body; only some of the stones are there."""
    at = np.array([*layout.triangles[0].mean(axis=0), 3.4])
    places = [at + np.array([15.5 * (k // 2), 0.0, STACK_MM * (k % 2)]) for k in range(4)]
    stones = [
        Body((k,), magnet(tuple(p), (0.0, 0.0, 1.0 if k < 3 else -1.0), 0.29))
        for k, p in zip(STONES, places, strict=True)
    ]
    body = stones[0]
    for other in stones[1:]:
        body = joined(body, other)
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    tracker.weight = np.full(layout.count, 100.0)
    m = Mover(body, Phase.BOARD, 0, told=True)
    m.kept = tracker.model.fields(body.stones).sum(0)
    noise = np.random.default_rng(2).normal(0.0, 0.1, layout.count)
    field = sum((tracker.model.fields(s.stones).sum(0) for s in stones if s.tracks[0] in shown), noise)
    tracker.residual = field - m.kept
    return tracker, m


@pytest.mark.parametrize("ghost", STONES)
def test_one_that_is_not_missed_ends_the_asking(
    monkeypatch: pytest.MonkeyPatch, layout: TableLayout, ghost: int
) -> None:
    fits = list[int]()
    fit = recheck.fit

    def counted(*args: Any, **more: Any) -> Any:
        fits.append(len(args[1]))
        return fit(*args, **more)

    monkeypatch.setattr(recheck, "fit", counted)
    tracker, m = tracked(layout, tuple(k for k in STONES if k != ghost))
    least = doubted(tracker, m, STONES)
    assert least is not None
    assert least.track == ghost
    assert len(fits) == 1 + len(STONES)
    fits.clear()
    again = doubted(tracker, m, STONES, least.gain - 0.1, ghost)
    assert again is not None
    assert (again.track, again.gain) == (least.track, least.gain)
    assert fits == [4, 3]


def test_where_all_are_missed_all_are_asked_for_and_the_least_is_named(layout: TableLayout) -> None:
    tracker, m = tracked(layout, STONES)
    least = doubted(tracker, m, STONES)
    again = doubted(tracker, m, STONES, gain_of(ASK_BELOW, MARGIN), 3)
    assert least is not None
    assert again is not None
    assert least.gain < 0.0
    assert (again.track, again.gain) == (least.track, least.gain)


@pytest.mark.parametrize("margin", [MARGIN, 60.0])
def test_the_gain_of_a_probability_is_where_a_stone_is_that_likely(margin: float) -> None:
    def at(gain: float) -> float:
        return likely(Doubt(1, Body((1,), magnet((0, 0, 3), (0, 0, 1))), gain), margin)

    assert at(gain_of(ASK_BELOW, margin)) == pytest.approx(ASK_BELOW)
    assert at(gain_of(ASK_BELOW, margin) + 0.1) < ASK_BELOW < at(gain_of(ASK_BELOW, margin) - 0.1)
