"""Contacts: tracks posed as if they touched are doubted where nothing brought them there; rivals see the same."""

from collections.abc import Sequence

import numpy as np
import pytest

from companion.sensing.events.contacts import AGREE_FRAMES, CLOSES_MM, CONTACT_FRAMES, FAR_PAIRS, Contact, Contacts
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.rivals import cost_over, shared_rows
from companion.sensing.fields.solver import fit
from companion.sensing.fields.stacks import STACK_MM, ways
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.movers import Mover, Phase
from companion.sensing.tracks.tracker import Tracker

FRAME_US = 10_000
TRAIL = 30


def beside(track: int, at: tuple[float, float], layout: TableLayout, came_mm: float) -> Mover:
    """Lying at `at`, after a way of so much in its last frames; the reading shows it there."""
    place = np.array([*at, 3.4])
    m = Mover(Body((track,), magnet(tuple(place), (0.0, 0.0, 1.0), 0.29)), Phase.BOARD, 0, evidence=300.0)
    m.smooth, m.kept = place, FieldModel.of(layout).fields(m.body.stones).sum(0)
    for k in range(TRAIL):
        m.trail.append(place - [came_mm * (1.0 - k / (TRAIL - 1)), 0.0, 0.0])
    return m


def first(contacts: Contacts) -> Contact:
    for k in range(2 * CONTACT_FRAMES):
        found = contacts.step(k * FRAME_US)
        if found:
            return found[0]
    raise AssertionError("no contact")


@pytest.mark.failure("F3")
@pytest.mark.parametrize(("came_mm", "doubt"), [(0.5, "slow"), (CLOSES_MM / 2.0, "slow"), (30.0, "")])
def test_tracks_that_meet_without_having_closed_in_are_doubted(layout: TableLayout, came_mm: float, doubt: str) -> None:
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    tracker.sharp = tracker.weight = np.full(layout.count, 100.0)
    at = layout.triangles[0].mean(axis=0)
    a = beside(1, (float(at[0]), float(at[1])), layout, 0.0)
    b = beside(2, (float(at[0]) + 14.0, float(at[1])), layout, came_mm)
    b.kept = tracker.model.fields(b.body.shifted(np.array([8.0, 0.0, 0.0])).stones).sum(0)  # the tracks alone say so
    tracker.movers += [a, b]
    contact = first(Contacts(tracker))
    assert ({*contact.a.body.tracks, *contact.b.body.tracks}, contact.doubt) == ({1, 2}, doubt)


@pytest.mark.failure("F3")
@pytest.mark.parametrize(("height", "clear_us", "sticks"), [(12.0, 0, False), (12.0, 950_000, True), (25.0, 0, True)])
def test_what_is_hardly_seen_low_over_the_mats_touches_nothing(
    layout: TableLayout, height: float, clear_us: int, sticks: bool
) -> None:
    """A stone in a hand is clearly seen there, at least until a snap began."""
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    tracker.sharp = tracker.weight = np.full(layout.count, 100.0)
    at = layout.triangles[0].mean(axis=0)
    a = beside(1, (float(at[0]), float(at[1])), layout, 0.0)
    b = beside(2, (float(at[0]) + 5.0, float(at[1])), layout, 30.0)
    a.body = a.body.shifted(np.array([0.0, 0.0, height - 7.0 - 3.4]))
    b.body = b.body.shifted(np.array([0.0, 0.0, height - 3.4]))
    for m in (a, b):
        m.kept = tracker.model.fields(m.body.stones).sum(0)
    b.phase, b.frames, b.evidence, b.clear_us = Phase.HAND, TRAIL, 50.0, clear_us
    tracker.movers += [a, b]
    contacts = Contacts(tracker)
    found = [c for k in range(2 * CONTACT_FRAMES) for c in contacts.step(1_000_000 + k * FRAME_US)]
    assert bool(found) is sticks


@pytest.mark.failure("F3")
@pytest.mark.parametrize(("came_mm", "sticks"), [(0.5, False), (-20.0, False), (20.0, True)])
def test_a_hands_stone_and_one_that_lies_have_closed_in_before_they_touch(
    layout: TableLayout, came_mm: float, sticks: bool
) -> None:
    """One that is pushed away, by a stone that is found nearer to it than it is, has not."""
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    tracker.sharp = tracker.weight = np.full(layout.count, 100.0)
    at = layout.triangles[0].mean(axis=0)
    a = beside(1, (float(at[0]) + 14.0, float(at[1])), layout, -came_mm)
    b = beside(2, (float(at[0]), float(at[1])), layout, 0.0)
    b.phase, b.frames, b.clear_us = Phase.HAND, TRAIL, 1_000_000
    tracker.movers += [a, b]
    contacts = Contacts(tracker)
    found = [c for k in range(2 * CONTACT_FRAMES) for c in contacts.step(1_000_000 + k * FRAME_US)]
    assert bool(found) is sticks


@pytest.mark.failure("F3")
@pytest.mark.rule("Y10")
@pytest.mark.parametrize("shown", ["two", "one", "one weaker"])
def test_tracks_that_meet_stick_only_where_each_of_them_is_missed(layout: TableLayout, shown: str) -> None:
    """A hand's track that has lost its stone runs on to one that lies there, and the two share what that shows."""
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    tracker.sharp = tracker.weight = np.full(layout.count, 100.0)
    at = layout.triangles[0].mean(axis=0)
    a = beside(1, (float(at[0]) + 14.0, float(at[1])), layout, -20.0)
    b = beside(2, (float(at[0]), float(at[1])), layout, 0.0)
    b.phase, b.frames, b.clear_us = Phase.HAND, TRAIL, 1_000_000
    if shown != "two":
        b.kept = np.zeros(layout.count)
        a.kept = a.kept * (1.0 if shown == "one" else 0.9)
    tracker.movers += [a, b]
    contacts = Contacts(tracker)
    found = [c for k in range(2 * CONTACT_FRAMES) for c in contacts.step(1_000_000 + k * FRAME_US)]
    assert bool(found) is (shown == "two")


def carried(tracker: Tracker, field: Floats, lies: Body, way: Sequence[Floats]) -> list[Contact]:
    """What is told while a hand's track goes this way, beside a stone that lies there; field (S,) mT: the reading."""
    model, contacts = tracker.model, Contacts(tracker)
    a = Mover(lies, Phase.BOARD, 0, evidence=300.0, told=True, log_sigma=0.12)
    b = Mover(stone(2, way[0]), Phase.HAND, 0, evidence=13.0, told=True, weak_us=1, log_sigma=0.12, frames=TRAIL)
    tracker.movers += [a, b]
    for k, place in enumerate(way):
        b.body = stone(2, place)
        for m in (a, b):
            m.kept = model.fields(m.body.stones).sum(0)
        tracker.residual = field - a.kept - b.kept
        found = contacts.step(k * FRAME_US)
        if found:
            return found
    return []


def stone(track: int, place: Floats) -> Body:
    return Body((track,), magnet(tuple(place), (0.0, 0.0, 1.0), 0.29))


def table(layout: TableLayout) -> Tracker:
    tracker = Tracker(layout, np.full(layout.count, 0.1))
    tracker.sharp = tracker.weight = np.full(layout.count, 1.0 / 0.15**2)
    return tracker


@pytest.mark.failure("F3")
def test_a_hand_that_leaves_over_the_edge_has_taken_no_stone_that_still_shows(layout: TableLayout) -> None:
    # Near the edge a stack posed beside it has few sensors that could speak against it.
    rng = np.random.default_rng(0)
    left = 0
    while left < 60:
        at = rng.dirichlet([1.0, 1.0, 1.0]) @ layout.triangles[rng.integers(len(layout.triangles))]
        turn = rng.uniform(0.0, 2.0 * np.pi)
        goes = np.array([np.cos(turn), np.sin(turn)])
        if not 12.0 < float(layout.beside(at + 80.0 * goes)) < 28.0:
            continue
        tracker, lies = table(layout), stone(1, np.array([*at, 3.4]))
        field = tracker.model.fields(lies.stones).sum(0) + rng.normal(0.0, 0.1, layout.count)
        way = [np.array([*(at + (45.0 + 6.0 * k) * goes), 8.0 - 0.8 * k]) for k in range(12)]
        assert carried(tracker, field, lies, way) == [], (at, turn)
        left += 1


def test_a_stack_is_found_where_the_tracks_have_not_followed(layout: TableLayout) -> None:
    rng = np.random.default_rng(1)
    at = layout.triangles[0].mean(axis=0)
    tracker, lies = table(layout), stone(1, np.array([*at, 3.4]))
    upon = stone(2, np.array([*at, 3.4 + STACK_MM]))
    field = sum(tracker.model.fields(b.stones).sum(0) for b in (lies, upon)) + rng.normal(0.0, 0.1, layout.count)
    (contact,) = carried(tracker, field, lies, [np.array([at[0] + 28.0, at[1], 10.0])] * 4)
    assert {*contact.a.body.tracks, *contact.b.body.tracks} == {1, 2}
    assert not contact.doubt


@pytest.mark.parametrize("drawn", [None, 0, 3, 6])
def test_a_track_that_fades_in_a_crowd_is_tried_with_a_few_at_a_time_and_soon_with_each(
    layout: TableLayout, monkeypatch: pytest.MonkeyPatch, drawn: int | None
) -> None:
    """It may have lost its stone to any of those that lie there; drawn: to which, by how near they are."""
    tried: list[int] = []

    def counted(a: Body, b: Body) -> list[Body]:
        tried.append(a.tracks[0])
        return ways(a, b)

    monkeypatch.setattr("companion.sensing.events.as_one.ways", counted)
    tracker = table(layout)
    at = np.array([*layout.position[:, :2].mean(axis=0), 3.4])
    round_it = [(30.0 + k) * np.array([np.cos(0.9 * k), np.sin(0.9 * k), 0.0]) for k in range(7)]
    crowd = [Mover(stone(k, at + away), Phase.BOARD, 0) for k, away in enumerate(round_it, 1)]
    fades = Mover(stone(99, at), Phase.HAND, 0, evidence=13.0, told=True, weak_us=1, log_sigma=0.12, frames=TRAIL)
    bodies = [m.body for m in crowd]
    if drawn is not None:
        place = bodies[drawn].stones.position[0] + [0.0, 0.0, STACK_MM]
        bodies.append(stone(99, place))
    field = sum((tracker.model.fields(b.stones).sum(0) for b in bodies), np.zeros(layout.count))
    field = field + np.random.default_rng(2).normal(0.0, 0.1, layout.count)
    for m in (*crowd, fades):
        m.kept = tracker.model.fields(m.body.stones).sum(0)
    tracker.movers += [*crowd, fades]
    tracker.residual = field - sum((m.kept for m in tracker.movers), np.zeros(layout.count))
    contacts = Contacts(tracker)
    rounds = -(-len(crowd) // FAR_PAIRS)
    for k in range(rounds + AGREE_FRAMES - 1):
        before = len(tried)
        found = contacts.step((k + 1) * FRAME_US)
        assert len(tried) - before <= FAR_PAIRS
        if found:
            assert drawn is not None
            assert found[0].a is crowd[drawn]
            return
        if k < rounds:
            assert len(set(tried)) == min(len(crowd), (k + 1) * FAR_PAIRS)
    assert drawn is None


@pytest.mark.failure("F3")
@pytest.mark.parametrize(
    ("lay_mm", "hand_mm", "hand_frames", "touched"),
    [(20.0, 3.0, 30, True), (1.0, 20.0, 30, True), (1.0, 8.0, 30, False), (20.0, 20.0, 3, False)],
)
def test_a_hand_holds_its_stone_so_the_other_one_comes_when_they_snap(
    layout: TableLayout, lay_mm: float, hand_mm: float, hand_frames: int, touched: bool
) -> None:
    """Or the hand lets go, and its own comes as fast. Two stones so near give nearly the field of one body, and where
    nothing else is known either may be: so it does not become one where neither has come, nor where the hand's has
    only just been found.
    """
    rng = np.random.default_rng(2)
    at = layout.triangles[0].mean(axis=0)
    tracker, held = table(layout), np.array([at[0] + 16.0, at[1], 6.0])
    a = Mover(stone(1, np.array([*at, 3.4])), Phase.BOARD, 0, evidence=300.0, told=True, log_sigma=0.12)
    b = Mover(stone(2, held), Phase.HAND, 0, evidence=60.0, told=True, log_sigma=0.12, frames=hand_frames)
    for m, mm in ((a, lay_mm), (b, hand_mm)):
        m.kept = tracker.model.fields(m.body.stones).sum(0)
        m.trail.extend(m.body.centre + np.array([0.0, mm * (1.0 - k / 9.0), 0.0]) for k in range(10))
    tracker.movers += [a, b]
    tracker.residual = rng.normal(0.0, 0.1, layout.count)
    contacts = Contacts(tracker)
    assert any(contacts.step(k * FRAME_US) for k in range(AGREE_FRAMES)) is touched


@pytest.mark.parametrize(("there", "touched"), [(True, True), (False, False)])
def test_a_track_that_ran_has_snapped_only_where_its_stone_is_missed(
    layout: TableLayout, there: bool, touched: bool
) -> None:
    """As a hand's stone is found its track may jump to it, and beside what it sticks to it is never clear by itself. A
    track that has run on to another stone jumps as well, and is not missed.
    """
    rng = np.random.default_rng(3)
    at = layout.triangles[0].mean(axis=0)
    tracker, lies = table(layout), stone(1, np.array([*at, 12.0]))
    upon = stone(2, np.array([*at, 12.0 + STACK_MM]))
    shown = (lies, upon) if there else (lies,)
    field = sum(tracker.model.fields(b.stones).sum(0) for b in shown) + rng.normal(0.0, 0.1, layout.count)
    a = Mover(lies, Phase.BOARD, 0, evidence=160.0, told=True, log_sigma=0.12)
    b = Mover(stone(2, np.array([at[0] + 3.0, at[1], 14.0 + STACK_MM])), Phase.HAND, 0, evidence=60.0, told=True)
    b.frames, b.jumped, b.log_sigma = TRAIL, 12, 0.12
    for m in (a, b):
        m.kept = tracker.model.fields(m.body.stones).sum(0)
        m.trail.extend(m.body.centre - np.array([0.0, 0.0, 8.0 * (1.0 - k / 9.0)]) for k in range(10))
    tracker.movers += [a, b]
    tracker.residual = field - a.kept - b.kept
    contacts = Contacts(tracker)
    assert any(contacts.step(k * FRAME_US) for k in range(2 * CONTACT_FRAMES)) is touched


def test_what_is_filled_in_between_two_parts_is_no_look_of_its_own(layout: TableLayout) -> None:
    at = layout.triangles[0].mean(axis=0)
    tracker, lies = table(layout), stone(1, np.array([*at, 3.4]))
    field = sum(tracker.model.fields(b.stones).sum(0) for b in (lies, stone(2, np.array([*at, 3.4 + STACK_MM]))))
    movers = [
        Mover(lies, Phase.BOARD, 0, evidence=300.0, told=True, log_sigma=0.12),
        Mover(stone(2, np.array([at[0] + 28.0, at[1], 10.0])), Phase.HAND, 0, evidence=13.0, told=True, weak_us=1),
    ]
    movers[1].frames = TRAIL
    for m in movers:
        m.kept = tracker.model.fields(m.body.stones).sum(0)
    tracker.movers += movers
    tracker.residual = field - movers[0].kept - movers[1].kept
    contacts = Contacts(tracker)
    told = [k for k in range(12) if contacts.step(k * FRAME_US, measured=k % 4 == 3)]
    assert told == [4 * AGREE_FRAMES - 1, 11]


def test_fits_are_compared_over_the_same_sensors(layout: TableLayout) -> None:
    # Two of one reading, begun far apart: each by itself leaves out what the other one has to explain.
    tracker = table(layout)
    places = [np.array([*layout.triangles[k].mean(axis=0), 3.4]) for k in (0, 1)]
    bodies = [stone(1, place) for place in places]
    field = tracker.model.fields(bodies[0].stones).sum(0)
    priors = [Prior(b.centre, np.full(3, 1.0), 0.1, float(np.log(0.29)), 0.05) for b in bodies]
    here, there = (fit(layout, [b], [p], field, tracker.sharp) for b, p in zip(bodies, priors, strict=True))
    rows = shared_rows([here, there])
    assert set(rows) == {*here.rows, *there.rows}
    assert cost_over(here.rows, here, tracker.model, field, tracker.sharp) == here.cost
    right, wrong = (cost_over(rows, found, tracker.model, field, tracker.sharp) for found in (here, there))
    assert right < 1.0 < 1000.0 < wrong
    everything = np.arange(layout.count)
    whole = fit(layout, [bodies[1]], [priors[1]], field, tracker.sharp, window=10_000.0, limit=1)
    begun = fit(layout, [bodies[1]], [priors[1]], field, tracker.sharp, limit=1)
    assert cost_over(everything, begun, tracker.model, field, tracker.sharp) == pytest.approx(whole.cost, rel=1e-9)
