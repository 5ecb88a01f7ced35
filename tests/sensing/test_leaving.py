"""A hand's stone that goes home, and one that is put down beside the mats."""

from typing import Any

import numpy as np
import pytest

from companion.sensing.events.contacts import Contacts
from companion.sensing.events.leaving import left, parked
from companion.sensing.events.life import Life
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body, joined
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import EventKind
from tests.sensing.board import Board

UP = (0.0, 0.0, 1.0)


@pytest.mark.rule("Y28")
@pytest.mark.parametrize("beside", [(-35.0, -106.0, -13.0), (35.0, -108.0, -14.0)])
def test_a_stone_put_down_beside_the_mats_is_in_no_hand_and_the_next_one_is_told(
    layout: Any, frame: Any, beside: Any
) -> None:
    """So faintly seen its track trembles all the time; it must not be what the next hand's stone is taken for."""
    board = Board(layout, frame, 9)
    board.drift = np.zeros(layout.count)
    model = FieldModel.of(layout)
    board.run(4.0)
    over = np.array([beside[0], -60.0, 20.0])
    for z in np.linspace(90.0, 20.0, 40):
        board.run(0.01, model.fields(magnet((over[0], over[1], z), UP, 0.25))[0])
    for way in np.linspace(0.0, 1.0, 40):
        board.run(0.01, model.fields(magnet(tuple(over + way * (np.array(beside) - over)), UP, 0.25))[0])
    lying = model.fields(magnet(beside, UP, 0.25))[0]
    board.run(3.0, lying)
    assert board.events == [EventKind.APPROACH, EventKind.WITHDRAWN]
    tracker = board.sensing.tracker
    assert tracker is not None
    assert [m.phase for m in tracker.movers] == [Phase.TABLE]
    for z in np.linspace(90.0, 20.0, 40):
        board.run(0.01, lying + model.fields(magnet((31.0, 30.0, z), UP, 0.25))[0])
    assert board.events[2:] == [EventKind.APPROACH]


@pytest.mark.rule("Y35")
@pytest.mark.parametrize(("y", "kinds"), [(-112.0, [EventKind.REMOVED]), (-30.0, [])])
def test_what_stays_faintly_beside_the_mats_is_a_leftover_of_stones_that_were_carried_off(
    layout: Any, y: float, kinds: list[EventKind]
) -> None:
    """Over the board a hand may hold them high; beside it they would be carried on."""
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight())
    at = (-35.0, y, 27.0)
    m = Mover(Body((1,), magnet(at, UP, 0.29)), Phase.LIFTED, 0, evidence=45.0, rested=np.array(at))
    m.smooth = np.array(at)
    scene.tracker.movers.append(m)
    for t_us in range(0, 3_000_000, 10_000):
        if left(scene, m, t_us):
            break
    assert [e.kind for e in scene.events] == kinds
    assert (m in scene.tracker.movers) is (kinds == [])


def scene_of(layout: Any, *movers: Mover) -> Scene:
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight())
    for m in movers:
        m.smooth = m.anchor = m.body.centre
        m.frames = 30
    scene.tracker.movers += movers
    return scene


def stack(layout: Any, at: Any, count: int, phase: Phase) -> Mover:
    """So many stones one on the other; the lowest at `at`."""
    body = Body((1,), magnet(at, UP, 0.29))
    for k in range(1, count):
        body = joined(body, Body((k + 1,), magnet((at[0], at[1], at[2] + 7.0 * k), UP, 0.29)))
    m = Mover(body, phase, 0, told=True, evidence=300.0, rested=np.array(at))
    m.kept = FieldModel.of(layout).fields(body.stones).sum(0)
    return m


@pytest.mark.rule("Y08")
@pytest.mark.parametrize(("frames", "kind"), [(30, EventKind.REMOVED), (10, EventKind.FELL_OFF)])
def test_what_hangs_beside_the_mats_for_longer_than_a_fall_takes_is_carried(
    layout: Any, frames: int, kind: EventKind
) -> None:
    m = stack(layout, (0.0, -135.0, 6.0), 2, Phase.LIFTED)
    scene = scene_of(layout, m)
    m.trail.extend(np.array([0.0, -80.0, 10.0]) for _ in range(30 - frames))
    m.trail.extend(np.array([0.0, -100.0 - y, 10.0]) for y in np.linspace(0.0, 35.0, frames))
    assert left(scene, m, 1_000_000)
    assert [e.kind for e in scene.events] == [kind]


@pytest.mark.rule("Y08")
@pytest.mark.parametrize(
    ("jumped", "kinds"), [(0, [EventKind.FELL_OFF]), (9, [EventKind.FELL_OFF]), (10, []), (40, [])]
)
def test_a_track_that_jumped_over_the_edge_shows_no_fall(layout: Any, jumped: int, kinds: list[EventKind]) -> None:
    """No stone is so fast: it has lost its stone, which is looked for. jumped: so many frames ago. Ten ago it went over
    the edge; what jumped later was the track of a stone that had.
    """
    m = stack(layout, (0.0, -110.0, 5.0), 1, Phase.LIFTED)
    scene = scene_of(layout, m)
    m.trail.extend(np.array([0.0, -40.0, 20.0]) for _ in range(10))
    m.trail.extend(np.array([0.0, -100.0, 5.0]) for _ in range(10))
    m.rested = np.array([0.0, 0.0, 3.4])
    m.jumped, m.weak_us, m.high_us = jumped, 900_000, 500_000
    assert left(scene, m, 1_000_000)
    assert [e.kind for e in scene.events] == kinds
    assert [o for _, o in scene.tracker.newborn.parked] == ([] if kinds else [m])


@pytest.mark.rule("Y08")
@pytest.mark.parametrize(
    ("edge_z", "count", "kind"),
    [
        (9.0, 2, EventKind.FELL_OFF),  # slid over the edge, and flew
        (25.0, 2, EventKind.REMOVED),
        (16.0, 2, EventKind.FELL_OFF),  # a pair that tumbles
        (16.0, 1, EventKind.REMOVED),
    ],
)
def test_what_went_over_the_edge_low_has_fallen_however_high_it_flew_then(
    layout: Any, edge_z: float, count: int, kind: EventKind
) -> None:
    m = stack(layout, (0.0, -135.0, 24.0), count, Phase.LIFTED)
    scene = scene_of(layout, m)
    m.trail.extend(np.array([0.0, -80.0, 9.0]) for _ in range(18))
    m.trail.extend(np.array([0.0, y, edge_z]) for y in np.linspace(-96.0, -103.0, 6))
    m.trail.extend(np.array([0.0, y, 24.0]) for y in np.linspace(-110.0, -135.0, 6))
    assert left(scene, m, 1_000_000)
    assert [e.kind for e in scene.events] == [kind]


@pytest.mark.rule("Y08")
@pytest.mark.parametrize(("down", "kind"), [(-9.0, EventKind.FELL_OFF), (8.0, EventKind.REMOVED)])
def test_a_stone_in_a_hand_that_sinks_below_the_mats_has_fallen_out_of_it(
    layout: Any, down: float, kind: EventKind
) -> None:
    m = stack(layout, (0.0, -135.0, down), 2, Phase.LIFTED)
    scene = scene_of(layout, m)
    m.held, m.high_us = True, 500_000
    m.trail.extend(np.array([0.0, -100.0, 20.0]) for _ in range(20))
    m.trail.extend(np.array([0.0, -125.0 - k, z]) for k, z in enumerate(np.linspace(20.0, down, 10)))
    assert left(scene, m, 1_000_000)
    assert [e.kind for e in scene.events] == [kind]


@pytest.mark.rule("Y28")
def test_a_hand_whose_stone_was_put_down_has_just_left(layout: Any) -> None:
    """So what was learned of it while it lingered is not taken for the next one."""
    m = stack(layout, (0.0, -125.0, -13.0), 1, Phase.HAND)
    scene = scene_of(layout, m)
    m.held, m.told, m.frames, m.still_us = True, True, 50, 0
    m.smooth = m.body.centre
    m.trail.extend(m.body.centre for _ in range(30))
    assert left(scene, m, 1_000_000)
    assert [e.kind for e in scene.events] == [EventKind.WITHDRAWN]
    assert m.phase is Phase.TABLE
    assert scene.left_us == 1_000_000


@pytest.mark.rule("Y08")
@pytest.mark.parametrize(("jumped", "kinds"), [(12, [EventKind.FELL_OFF]), (0, [])])
def test_what_a_lost_track_shows_is_no_hands_lift(layout: Any, jumped: int, kinds: list[EventKind]) -> None:
    """Put down, it went over the edge low; that the track rose after it had jumped is no hand."""
    m = stack(layout, (0.0, -125.0, 25.0), 1, Phase.LIFTED)
    scene = scene_of(layout, m)
    m.held, m.placed_us, m.rested = True, 100_000, np.array([0.0, 0.0, 3.4])
    m.trail.extend(np.array([0.0, -100.0, 5.0]) for _ in range(18))
    m.trail.extend(np.array([0.0, -125.0, 40.0]) for _ in range(12))
    m.jumped, m.weak_us, m.high_us = jumped, 900_000, 500_000
    assert left(scene, m, 1_000_000)
    assert [e.kind for e in scene.events] == kinds


@pytest.mark.rule("Y12")
@pytest.mark.parametrize(("z", "kind"), [(95.0, EventKind.REMOVED), (5.0, EventKind.FELL_OFF)])
def test_a_stone_lost_above_its_place_while_a_cluster_was_on_its_way_has_gone_with_it(
    layout: Any, z: float, kind: EventKind
) -> None:
    alone = stack(layout, (0.0, 0.0, 60.0), 1, Phase.LIFTED)
    alone.body = Body((9,), alone.body.stones)
    cluster = stack(layout, (0.0, -135.0, z), 3, Phase.LIFTED)
    cluster.rested = np.array([20.0, 40.0, 3.4])
    scene = scene_of(layout, cluster)
    cluster.smooth = np.array([0.0, -135.0, z])
    scene.tracker.newborn.parked.append((900_000, alone))
    assert left(scene, cluster, 1_000_000)
    parked(scene, 3_000_000)
    assert [(e.kind, e.stones, e.t_us) for e in scene.events] == [
        (kind, (1, 2, 3), 1_000_000),
        (kind, (9,), 1_000_000),
    ]


@pytest.mark.rule("Y08", "Y34")
def test_a_stone_that_a_second_hand_took_far_from_a_falling_cluster_has_not_fallen(layout: Any) -> None:
    alone = stack(layout, (0.0, 60.0, 60.0), 1, Phase.LIFTED)
    alone.body = Body((9,), alone.body.stones)
    cluster = stack(layout, (0.0, -135.0, 5.0), 3, Phase.LIFTED)
    cluster.rested = np.array([0.0, -70.0, 3.4])
    scene = scene_of(layout, cluster)
    cluster.smooth = np.array([0.0, -135.0, 5.0])
    scene.tracker.newborn.parked.append((900_000, alone))
    assert left(scene, cluster, 1_000_000)
    parked(scene, 3_000_000)
    assert [(e.kind, e.stones) for e in scene.events] == [
        (EventKind.FELL_OFF, (1, 2, 3)),
        (EventKind.REMOVED, (9,)),
    ]


@pytest.mark.rule("Y12")
@pytest.mark.parametrize("gap", [False, True])
@pytest.mark.parametrize("first", [0, 1])
def test_a_cluster_and_a_stone_that_it_drew_up_may_both_be_lost_from_sight(layout: Any, first: int, gap: bool) -> None:
    """In either order each is told as gone once."""
    alone, cluster = stack(layout, (0.0, 0.0, 60.0), 1, Phase.LIFTED), stack(layout, (0.0, 0.0, 70.0), 3, Phase.LIFTED)
    alone.body = Body((9,), alone.body.stones)
    scene = scene_of(layout)
    if gap:
        scene.tracker.blind(800_000)
    both = [(900_000, cluster), (900_000, alone)]
    scene.tracker.newborn.parked += [both[first], both[1 - first]]
    parked(scene, 3_000_000)
    assert sorted((e.kind, e.stones, e.t_us) for e in scene.events) == [
        (EventKind.REMOVED, (1, 2, 3), 900_000),
        (EventKind.REMOVED, (9,), 900_000),
    ]
    assert scene.tracker.newborn.parked == []


@pytest.mark.rule("Y28")
@pytest.mark.parametrize("scar", [0.0, 0.09])
def test_a_cluster_carried_off_is_not_the_next_players_stone(layout: Any, scar: float) -> None:
    """Of twelve stones in one more is seen 110 mm over the mats than of one at 60 mm. scar: mT2, of where they lay."""
    cluster = stack(layout, (0.0, 0.0, 60.0), 12, Phase.LIFTED)
    scene = scene_of(layout, cluster)
    scene.tracker.leftovers.scar[:] = scar
    scene.tracker.newborn.next_track = 13
    life, rng, told = Life(scene, Contacts(scene.tracker)), np.random.default_rng(1), list[EventKind]()
    model, whole, t_us = FieldModel.of(layout), cluster.body, 2_000_000
    for k in range(250):
        field = rng.normal(0.0, 0.1, layout.count)
        if k < 90:  # up, and away over the side
            at = np.array([0.0, -3.0 * max(0, k - 40), 88.0 + min(k, 20)])
            field += model.fields(whole.shifted(at - whole.centre * (0.0, 0.0, 1.0)).stones).sum(0)
        t_us += 10_000
        scene.tracker.step(t_us, field, np.ones(layout.count, dtype=np.bool_))
        told += [e.kind for e in life.step(t_us)]
    assert [kind for kind in told if kind is not EventKind.SETTLED] == [EventKind.REMOVED]
    assert scene.tracker.movers == []
    assert scene.left_us > scene.changed_us + 500_000  # it is seen for longer than it was told


@pytest.mark.rule("Y28")
@pytest.mark.parametrize("told", [True, False])
def test_what_was_no_stone_has_not_been_carried_off(layout: Any, told: bool) -> None:
    m = stack(layout, (0.0, -135.0, 60.0), 1, Phase.HAND)
    m.told = told
    scene = scene_of(layout, m)
    assert left(scene, m, 1_000_000)
    assert (scene.left_us == 1_000_000) is told


@pytest.mark.rule("Y08", "Y10")
@pytest.mark.parametrize(("hand", "kinds"), [(False, [EventKind.FELL_OFF]), (True, [])])
def test_a_stone_that_hangs_on_a_hands_stone_beside_the_mats_has_not_fallen(
    layout: Any, hand: bool, kinds: list[EventKind]
) -> None:
    """Nothing else would hold it there."""
    m = stack(layout, (0.0, -100.0, 1.0), 1, Phase.BOARD)
    other = stack(layout, (10.0, -110.0, 20.0), 1, Phase.HAND)
    other.body = Body((2,), other.body.stones)
    scene = scene_of(layout, m, *((other,) if hand else ()))
    m.still_us = 800_000
    Life(scene, Contacts(scene.tracker))._board(m, 1_000_000)
    assert [e.kind for e in scene.events] == kinds
    assert m.held is hand


@pytest.mark.rule("Y11")
def test_a_stone_that_falls_before_it_was_let_go_is_in_no_hand(layout: Any) -> None:
    """While one is held on the board no other hand's stone is looked for: it would be so to the end of the round."""
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight(), lain={1}, placed={1: 0})
    at = np.array([-35.0, -112.0, -8.0])
    m = Mover(Body((1,), magnet(tuple(at), UP, 0.29)), Phase.BOARD, 0)
    m.smooth = at
    scene.tracker.movers.append(m)
    Life(scene, Contacts(scene.tracker)).step(5_000_000, solved=False)
    assert [e.kind for e in scene.events if e.kind is not EventKind.SETTLED] == [EventKind.FELL_OFF]
    assert not scene.tracker.handled


@pytest.mark.rule("Y08")
@pytest.mark.parametrize(
    ("y", "weak_us", "kinds"),
    [(-110.0, 900_000, [EventKind.FELL_OFF]), (-110.0, 970_000, []), (-110.0, None, []), (-60.0, 900_000, [])],
)
def test_a_stone_whose_track_is_lost_beside_the_mats_has_fallen(
    layout: Any, y: float, weak_us: int | None, kinds: list[EventKind]
) -> None:
    """On the table it is hardly seen; its track, already 18 mm up, would be found again in the next hand's stone."""
    m = stack(layout, (0.0, y, 18.0), 1, Phase.BOARD)
    scene = scene_of(layout, m)
    m.weak_us, m.still_us, m.high_us, m.jumped = weak_us, 1_000_000, 980_000, 12
    m.rested = np.array([0.0, -85.0, 3.4])
    Life(scene, Contacts(scene.tracker))._board(m, 1_000_000)
    assert [e.kind for e in scene.events] == kinds
    assert m.phase is (Phase.TABLE if kinds else Phase.BOARD)


@pytest.mark.rule("Y10")
@pytest.mark.parametrize(
    ("away_mm", "lifted_us", "still_us", "drawn"),
    [(45.0, 100_000, 0, True), (100.0, 100_000, 0, False), (45.0, 900_000, 0, False), (45.0, 100_000, 900_000, False)],
)
def test_a_stone_that_leaps_up_and_is_lost_beside_a_cluster_in_motion_is_in_it(
    layout: Any, away_mm: float, lifted_us: int, still_us: int, drawn: bool
) -> None:
    """Within 40 ms it goes farther than its track can follow; no hand that lifts a stone is away so soon."""
    t_us = 2_000_000
    (x, y), far = layout.triangles[0].mean(axis=0), layout.triangles[-1].mean(axis=0)
    along = away_mm * (far - (x, y)) / np.linalg.norm(far - (x, y))
    cluster = stack(layout, (x, y, 14.0), 2, Phase.LIFTED)
    at = (x + along[0], y + along[1], 16.0)
    m = Mover(Body((7,), magnet(at, UP, 0.29)), Phase.LIFTED, 0, told=True, evidence=12.0, rested=np.array(at))
    m.kept = np.zeros(layout.count)
    scene = scene_of(layout, cluster, m)
    scene.lain |= {1, 2, 7}
    cluster.still_us, m.still_us = t_us - still_us, t_us
    m.high_us, m.weak_us = t_us - lifted_us, t_us - 70_000
    assert left(scene, m, t_us)
    assert any({1, 2, 7} == {*o.body.tracks} for o in scene.tracker.movers) is drawn
    assert (7 in scene.collapses.caught) is drawn
    assert [o.body.tracks for _, o in scene.tracker.newborn.parked] == ([] if drawn else [(7,)])
