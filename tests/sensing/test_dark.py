"""Where a multiplexer or a tile is lost: what lies there stays, of what comes or goes there people are asked."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from companion.sensing.events.leaving import end
from companion.sensing.events.scene import Scene
from companion.sensing.events.touching import place
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import Magnets, magnet
from companion.sensing.sensors.layout import TableLayout
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.dark import SEEN_MM, dark_at, dark_somewhere, half_blind, place_errors
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker
from companion.table import EventKind
from tests.sensing.session import PLACES, STONE_G, Session, lain, stones, tracks

LIES_MM = 3.4
FREE = (5.0, -35.0)  # mm; no stone lies near


def test_dark_is_where_all_sensors_near_are_lost_and_not_where_there_never_were_any(layout: TableLayout) -> None:
    sees = np.ones(layout.count, dtype=np.bool_)
    here = layout.position[30, :2]
    assert not dark_at(layout, here, sees)
    away = np.hypot(*(layout.position[:, :2] - here).T)
    sees[away < SEEN_MM] = False
    assert dark_at(layout, here, sees)
    assert dark_somewhere(layout, sees)
    assert not dark_at(layout, here + 500.0, sees)
    sees[np.argsort(away)[1]] = True
    assert not dark_at(layout, here, sees)
    assert not dark_somewhere(layout, sees)


@pytest.mark.parametrize(("lost_mm", "moment"), [(0.0, 0.3), (30.0, 0.3), (45.0, 0.3), (45.0, 0.9)])
def test_the_errors_of_a_place_are_those_of_fits_of_a_noisy_field(
    layout: TableLayout, lost_mm: float, moment: float
) -> None:
    """Beside it: least squares of place and moment over draws of the noise, linear about the truth."""
    place = np.array([*layout.position[30, :2], LIES_MM])
    model, body = FieldModel.of(layout), Body((1,), magnet(place, (0, 0, 1), moment))
    away = np.hypot(*(layout.position[:, :2] - place[:2]).T)
    weight = np.where(away < lost_mm, 0.0, 1.0 / 0.06**2)
    changes = [np.eye(3)[k] * 0.01 for k in range(3)]
    field = model.fields(body.stones).sum(0)
    rows = [(model.fields(body.shifted(by).stones).sum(0) - field) / 0.01 for by in changes] + [field]
    matrix = np.array([*(np.sqrt(weight) * row for row in rows), np.zeros(layout.count)]).T[:, :4]
    matrix = np.vstack([matrix, [0.0, 0.0, 0.0, 1.0 / 0.2]])  # what is known of moments
    rng = np.random.default_rng(5)
    found = np.linalg.lstsq(matrix, rng.normal(0.0, 1.0, (len(matrix), 4000)), rcond=None)[0]
    assert place_errors(model, body, weight) == pytest.approx(found[:3].std(axis=1), rel=0.06)


def moved(stone: Magnets, place: Any, high: float = 0.0) -> Magnets:
    """The stone so high over where it lies at this place."""
    return replace(stone, position=np.array([[place[0], place[1], LIES_MM + high]]))


class Dark:
    """A table that has lost every sensor within 30 mm of a place on it, mm: these give 0."""

    def __init__(self, layout: TableLayout, frame: Callable[..., Any], at: tuple[float, float]) -> None:
        near = np.hypot(*(layout.position[:, :2] - at).T) < SEEN_MM + 8.0
        lost: dict[int, float] = dict.fromkeys(np.flatnonzero(near).tolist(), 0.0)
        self.broken = False

        def spoilt(n: int, **more: Any) -> Any:
            return frame(n, **more, change=lost) if self.broken else frame(n, **more)

        memory = Session(layout, frame).run(6.0).sensing.memory()
        assert memory is not None
        lying = stones(PLACES)[:2]
        self.session = Session(layout, spoilt, lain(memory, lying), seed=9).run(1.5, lying)
        assert tracks(self.session.opening) == [1, 2]

    def carry(self, others: list[Magnets], stone: Magnets, start: Any, to: tuple[float, float]) -> None:
        """Lift it, carry it there 40 mm over the mats, and lay it down: 1.8 s."""
        for part in np.linspace(0.0, 1.0, 90):
            along = min(max(3.0 * part - 1.0, 0.0), 1.0)
            high = 40.0 * min(3.0 * part, 1.0, 3.0 - 3.0 * part)
            place = ((1 - along) * start[0] + along * to[0], (1 - along) * start[1] + along * to[1])
            self.session.run(0.02, [*others, moved(stone, place, high)], STONE_G * len(others))

    def told(self) -> list[tuple[EventKind, str]]:
        return [(e.kind, "" if e.evidence is None else e.evidence.note) for e in self.session.told(*EventKind)]


@pytest.mark.failure("B1", "E2")
@pytest.mark.rule("Y22")
@pytest.mark.parametrize("at", [FREE, (70.0, -20.0)])
@pytest.mark.parametrize("weighed", [True, False])
def test_a_stone_put_where_no_sensor_sees_is_let_go_or_asked_about_and_stays_there(
    layout: TableLayout, frame: Callable[..., Any], at: tuple[float, float], weighed: bool
) -> None:
    """Those farther off see it come; by them it trembles too much to be still. Nothing waits for it without end."""
    dark = Dark(layout, frame, at)
    lying, session = stones(PLACES)[:2], dark.session
    dark.broken = True
    session.weigh_every = 1 if weighed else 10**9
    session.run(2.0, lying)
    before = len(dark.told())
    for k in range(60):  # over the mats from the side, and down
        part = k / 59.0
        place = (at[0] + 70.0 * (1.0 - part), at[1], LIES_MM + 40.0 * (1.0 - part))
        session.run(0.02, [*lying, *stones([place])], 2 * STONE_G)
    there = [*lying, *stones([(*at, LIES_MM)])]
    session.run(8.0, there)
    told = dark.told()[before:]
    kinds = [kind for kind, _ in told]
    assert kinds.count(EventKind.RELEASED) == 1
    assert kinds.count(EventKind.UNSURE) <= 1
    tracker = session.sensing.tracker
    assert tracker is not None
    assert not tracker.handled
    assert not {EventKind.LIFTED, EventKind.REMOVED, EventKind.FELL_OFF, EventKind.WITHDRAWN} & set(kinds)
    assert kinds.count(EventKind.APPROACH) <= 1
    assert kinds.count(EventKind.PLACED) == 1


@pytest.mark.failure("B1", "E2")
@pytest.mark.rule("Y22")
@pytest.mark.parametrize("more", [-1, 1])
def test_weight_that_comes_or_goes_where_no_sensor_sees_is_asked_about(
    layout: TableLayout, frame: Callable[..., Any], more: int
) -> None:
    dark = Dark(layout, frame, PLACES[0][:2])
    lying, session = stones(PLACES)[:2], dark.session
    session.run(2.0, lying)
    dark.broken = True
    session.run(1.0, lying)
    before = len(dark.told())
    session.run(4.0, lying if more > 0 else lying[1:], (2 + more) * STONE_G)
    told = dark.told()[before:]
    assert (EventKind.UNSURE, "dark") in told
    # That its field has gone, sensors farther off see: as of a stone in a hand, which it may be.
    assert {kind for kind, _ in told} <= {EventKind.UNSURE} | ({EventKind.APPROACH} if more < 0 else set())
    (asked,) = session.told(EventKind.UNSURE)
    assert asked.count == 1
    assert asked.evidence is not None
    assert asked.evidence.weight_step_g == pytest.approx(more * STONE_G, abs=1.5)


@pytest.mark.failure("B1", "E2")
@pytest.mark.rule("Y14")
def test_a_stone_that_trembles_where_a_hand_has_put_it_in_the_dark_tells_of_no_hand(
    layout: TableLayout, frame: Callable[..., Any]
) -> None:
    """It was put there without being seen to rest; where it had rested before is elsewhere."""
    dark = Dark(layout, frame, FREE)
    lying, session = stones(PLACES)[:2], dark.session
    session.run(2.0, lying)
    dark.broken = True
    session.run(18.0, lying)
    before = len(dark.told())
    dark.carry(lying[:1], lying[1], PLACES[1], FREE)
    assert (EventKind.LIFTED, "") in dark.told()[before:]
    session.run(12.0, [lying[0], moved(lying[1], FREE)])
    assert EventKind.APPROACH not in [kind for kind, _ in dark.told()[before:]]


def brought(layout: TableLayout, phase: Phase, high: float, frames: int, lost: bool) -> tuple[Scene, Mover]:
    """A stone in a hand so high over a place, where every sensor near is lost or none."""
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight())
    near = np.hypot(*(layout.position[:, :2] - FREE).T) < SEEN_MM + 8.0
    scene.tracker.weight = np.where(near & lost, 0.0, 1.0)
    return scene, Mover(Body((1,), magnet((*FREE, high), (0, 0, 1), 0.29)), phase, 0, told=True, frames=frames)


@pytest.mark.rule("Y22", "Y28")
@pytest.mark.parametrize(
    ("high", "frames", "lost", "asked"),
    [(30.0, 30, True, True), (30.0, 0, True, False), (80.0, 30, True, False), (30.0, 30, False, False)],
)
@pytest.mark.parametrize(("phase", "kind"), [(Phase.HAND, EventKind.WITHDRAWN), (Phase.LIFTED, EventKind.REMOVED)])
def test_of_what_was_seen_to_go_low_into_the_dark_people_are_asked_and_no_hand_keeps_it(
    layout: TableLayout, high: float, frames: int, lost: bool, asked: bool, phase: Phase, kind: EventKind
) -> None:
    """A hand that is not told gone would have the referee wait for its stone until the end of the round."""
    scene, m = brought(layout, phase, high, frames, lost)
    end(scene, m, 5_000_000)
    assert [e.kind for e in scene.events] == [*([EventKind.UNSURE] if asked else []), kind]
    assert (scene.events[-1].p < 1.0) is (asked and phase is Phase.LIFTED)


@pytest.mark.rule("Y22")
@pytest.mark.parametrize(("lost_mm", "blurred"), [(60.0, True), (30.0, False)])
def test_a_stone_is_asked_about_and_stays_only_where_the_sensors_left_see_no_lift(
    layout: TableLayout, lost_mm: float, blurred: bool
) -> None:
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight())
    sees = np.hypot(*(layout.position[:, :2] - FREE).T) > lost_mm
    m = Mover(Body((1,), magnet((*FREE, LIES_MM), (0, 0, 1), 0.29)), Phase.BOARD, 0)
    m.smooth = m.anchor = m.body.centre
    scene.tracker.movers.append(m)
    field = FieldModel.of(layout).fields(m.body.stones).sum(0)
    for k in range(12):
        scene.tracker.step(10_000 * k, field, sees)
    assert m.awake is not blurred
    assert (m.rested is not None) is blurred
    place(scene, m, 10_000, 20_000)
    assert [e.kind for e in scene.events] == [EventKind.PLACED, *([EventKind.UNSURE] if blurred else [])]


@pytest.mark.failure("B1", "E2")
@pytest.mark.parametrize(("missing", "frozen"), [(1, False), (5, False), (13, True)])
def test_a_multiplexer_that_is_missing_for_some_frames_stops_no_stone_that_slides(
    layout: TableLayout, missing: int, frozen: bool
) -> None:
    """0.1 m/s, 1 mm a frame; where it is missing for longer the stone stays where it was when that began."""
    scene = Scene(Tracker(layout, np.full(layout.count, 0.1)), Weight())
    m = Mover(Body((1,), magnet((*FREE, LIES_MM), (0, 0, 1), 0.29)), Phase.BOARD, 0)
    m.smooth = m.anchor = m.body.centre
    scene.tracker.movers.append(m)
    sees, model = np.hypot(*(layout.position[:, :2] - FREE).T) > 60.0, FieldModel.of(layout)
    lost = range(6, 6 + missing)
    for k in range(6 + missing):
        where = np.array([FREE[0] + 1.0 * k, FREE[1], LIES_MM])
        field = model.fields(magnet(where, (0, 0, 1), 0.29)).sum(0)
        scene.tracker.step(10_000 * k, field, sees if k in lost else np.ones_like(sees))
    assert m.awake is not frozen
    stopped = FREE[0] + 1.0 * lost[0]
    assert abs(m.body.centre[0] - (stopped if frozen else where[0])) < 3.0


@pytest.mark.rule("Y13")
@pytest.mark.parametrize("lost", [True, False])
def test_a_place_that_trembles_because_sensors_are_lost_is_still_and_one_that_all_see_is_not(
    layout: TableLayout, lost: bool
) -> None:
    """The same way to and fro, 1.5 mm: it is a hand's, or the noise of what sees it."""
    tracker, model = Tracker(layout, np.full(layout.count, 0.3)), FieldModel.of(layout)
    sees, at = np.ones(layout.count, dtype=np.bool_), layout.position[30, :2]
    if lost:
        away = np.hypot(*(layout.position[:, :2] - at).T)
        sees[np.argsort(away)[:12]] = False
    assert half_blind(layout, at, sees) is lost
    m = Mover(Body((1,), magnet((*at, LIES_MM), (0, 0, 1), 0.29)), Phase.BOARD, 0)
    m.smooth = m.anchor = m.body.centre
    tracker.movers.append(m)
    tracker.handled.add(1)
    for k in range(120):
        where = np.array([at[0] + 1.5 * np.sin(k / 8.0), at[1], LIES_MM])
        tracker.step(10_000 * k, model.fields(magnet(where, (0, 0, 1), 0.29)).sum(0), sees)
    assert (m.still(1_200_000) > 0.4) is lost
