"""Stones learned from being shown once, and refused with a reason; the load cell's grams; who is who afterwards."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.lying import Lying, kinds
from companion.sensing.fields.magnets import magnet
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.stones import LearnedStone, StoneSet
from companion.sensing.learning.showing import Showing, learn_stones
from companion.sensing.learning.still import CalibrationRefusedError
from companion.sensing.learning.weighing import KnownWeight, learn_load
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.tracks.identity import Identity
from drivers.sample import Sample

Make = Callable[..., Sample]
EMPTY, STILL = 230, 40  # frames
TRUE = [(0.25, (2.0, 2.2, 1.8), 6.2), (0.33, (2.0, 1.8, 4.3), 7.0), (0.42, (2.0, 2.8, 2.4), 7.6)]


def shown(layout: TableLayout, make: Make, change: float = 0.0) -> tuple[list[Sample], list[Showing]]:
    """Three stones over tile A in turn; change: mm that each moves while it should lie still."""
    rng = np.random.default_rng(3)
    model = FieldModel.of(layout)
    middle = layout.position[layout.tile == 0][:, :2].mean(axis=0)
    samples, showings = [make(n, 0.0, rng) for n in range(EMPTY)], []
    for k, (moment, shape, thickness) in enumerate(TRUE):
        x, y = middle + rng.uniform(-12.0, 12.0, 2)
        angle, first = rng.uniform(0.0, np.pi), EMPTY + STILL * k
        for n in range(STILL):
            at = (x + change * (n > STILL // 2), y, thickness / 2)
            stone = magnet(at, (0, 0, (-1) ** k), moment, shape, (np.cos(angle), np.sin(angle), 0))
            samples.append(make(first + n, model.fields(stone)[0], rng))
        showings.append(Showing(k, first * 10_000, (first + STILL - 1) * 10_000, x + 0.2, y - 0.2, (-1) ** k))
    return samples, showings


def test_stones_are_learned(layout: TableLayout, frame: Make) -> None:
    samples, showings = shown(layout, frame)
    found = learn_stones(layout, samples, showings, "box", np.full(layout.count, 0.005))
    assert [s.number for s in found.stones] == [0, 1, 2]
    for stone, (moment, shape, thickness) in zip(found.stones, TRUE, strict=True):
        assert stone.moment == pytest.approx(moment, rel=0.05)
        assert stone.thickness == pytest.approx(thickness, abs=0.7)
        assert stone.shape[1:] == pytest.approx(shape[1:], abs=0.6)
        assert stone.residual < 0.02
        assert stone.mass is None
    assert StoneSet.from_json(found.to_json()).to_json() == found.to_json()


@pytest.mark.parametrize(
    ("break_it", "why"),
    [
        (lambda layout, s, m: (s, [m[0], m[0]]), "shown twice"),
        (lambda layout, s, m: (s, []), "no stone was shown"),
        (lambda layout, s, m: (s, [moved(m[0], y=m[0].y + 30.0)]), "stone 0 is no stone's at the place told"),
        (lambda layout, s, m: (s, [moved(m[0], x=900.0)]), "stone 0 was not shown on a tile"),
        (lambda layout, s, m: (s, [moved(m[0], t0_us=10**9, t1_us=2 * 10**9)]), "too few frames of stone 0"),
        (lambda layout, s, m: (s, [moved(m[0], t0_us=2_050_000, t1_us=2_290_000)]), "nothing at the place of stone 0"),
        (lambda layout, s, m: (s[EMPTY:], m), "its beginning|at its beginning"),
    ],
)
def test_what_cannot_be_learned_from_is_refused_with_its_reason(
    layout: TableLayout, frame: Make, break_it: Any, why: str
) -> None:
    samples, showings = break_it(layout, *shown(layout, frame))
    with pytest.raises(CalibrationRefusedError, match=why):
        learn_stones(layout, samples, showings, "box", np.full(layout.count, 0.03))


def test_a_stone_that_moved_is_refused(layout: TableLayout, frame: Make) -> None:
    samples, showings = shown(layout, frame, change=2.0)
    with pytest.raises(CalibrationRefusedError, match="stone 0 did not lie still"):
        learn_stones(layout, samples, showings, "box", np.full(layout.count, 0.03))


def moved(showing: Showing, **changes: Any) -> Showing:
    values = {k: getattr(showing, k) for k in ("number", "t0_us", "t1_us", "x", "y", "pole_up")}
    return Showing(**(values | changes))


def weighings(frame: Make, grams: list[float], gain: float) -> tuple[list[Any], list[KnownWeight]]:
    """Half a second of each weight after half a second of nothing; counts/g as given, 84000 counts when empty."""
    rng = np.random.default_rng(8)
    samples, weights = [], []
    for n in range(EMPTY + 300 * len(grams)):
        k, part = divmod(n - EMPTY, 300)
        on = grams[k] if n >= EMPTY and part >= 150 else 0.0
        if n >= EMPTY and part == 150:
            weights.append(KnownWeight(n * 10_000, (n + 149) * 10_000, grams[k]))
        load = (SimpleNamespace(t_us=n * 10_000, counts=int(84000 + gain * on + rng.normal(0, 20)), error=""),)
        whole = frame(n, 0.0, rng)
        fields = {name: getattr(whole, name) for name in ("t_us", "sequence", "hall", "fresh", "lost", "unit", "scans")}
        samples.append(SimpleNamespace(**(fields | {"load": load})))
    return samples, weights


def test_counts_per_gram_are_learned_and_refused(layout: TableLayout, frame: Make) -> None:
    samples, weights = weighings(frame, [50.0, 100.0, 200.0], 400.0)
    found = learn_load(layout, samples, weights)
    assert found.gain == pytest.approx(400.0, rel=0.002)
    assert found.misfit < 0.01
    wrong = [*weights[:2], KnownWeight(weights[2].t0_us, weights[2].t1_us, 150.0)]
    with pytest.raises(CalibrationRefusedError, match="the weights disagree"):
        learn_load(layout, samples, wrong)
    with pytest.raises(CalibrationRefusedError, match="it has 1 weights, 2 are needed"):
        learn_load(layout, samples, weights[:1])


SET = StoneSet(
    "box",
    tuple(LearnedStone(k, m, 0.01, s, t, 3.0 + k, 0.01) for k, (m, s, t) in enumerate([*TRUE, (0.262, *TRUE[0][1:])])),
)


def test_a_stone_at_rest_is_told_by_its_field_and_by_its_weight(layout: TableLayout) -> None:
    rng = np.random.default_rng(4)
    assert [list(k) for k in kinds(SET.stones)] == [[0, 3], [2], [1]]
    lying, identity = Lying(layout, SET), Identity(SET)
    for track, number in enumerate([1, 2, 0]):
        own = SET.stones[number]
        stone = magnet((5, 10, own.thickness / 2), (0, 0, 1), own.moment, own.shape, (0.4, 0.9, 0))
        field = FieldModel.of(layout).fields(stone)[0] + rng.normal(0, 0.03, layout.count)
        weight = 1.0 / (0.03**2 + (0.01 * field) ** 2)
        start = Body((track,), magnet((6, 9, 4), (0.05, 0, 1), 0.3, SET.shape))
        prior = Prior(np.array([6, 9, 3.4]), np.array([4, 4, 0.4]), 0.5, np.log(0.3), 0.3)
        lain = lying.fit(start, prior, field, weight, 2.0, over=True)
        assert lain.likelihood is not None
        identity.seen(track, lain.likelihood)
        assert lain.found.bodies[0].centre == pytest.approx([5, 10, own.thickness / 2], abs=0.1)
    assert {t: identity.names[t][0] for t in (0, 1)} == {0: 1, 1: 2}
    assert identity.names[0][1] > 0.99
    before = identity.names[2]
    identity.weighed(2, 3.05)  # stone 3 weighs 6 g
    assert identity.names[2][0] == 0
    assert identity.names[2][1] > max(0.99, before[1] if before[0] == 0 else 0.0)
    identity.keep([0])
    assert set(identity.names) == {0}


def test_a_stone_is_in_one_place_only() -> None:
    identity = Identity(SET)
    identity.seen(1, np.array([0.0, -50.0, -50.0, -0.5]))
    assert identity.names[1] == (0, pytest.approx(0.62, abs=0.02))
    identity.seen(2, np.array([0.0, -50.0, -50.0, -20.0]))
    assert identity.names[1][0] == 3
    assert identity.names[2] == (0, pytest.approx(1.0, abs=0.01))


def test_without_a_set_nobody_is_named(layout: TableLayout) -> None:
    identity = Identity(None)
    identity.weighed(1, 4.0)
    assert identity.names == {}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"stones": []}, "needs 1 to"),
        ({"name": 3}, "needs a name"),
        ({"stones": [SET.to_json()["stones"][0]] * 2}, "two stones of one number"),
        ({"stones": [SET.to_json()["stones"][0] | {"moment": float("nan")}]}, "moment of stone 0 must be from"),
        ({"stones": [SET.to_json()["stones"][0] | {"shape": [1, 2]}]}, "three constants"),
        ({"stones": [SET.to_json()["stones"][0] | {"number": True}]}, "a number from 0"),
    ],
)
def test_a_set_that_is_none_says_why(change: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        StoneSet.from_json(SET.to_json() | change)
