"""A start with stones on the board: what was remembered is found again, and what differs is told and doubted."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing.baseline.memory import Memory
from companion.sensing.baseline.zero import Zero
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import magnet
from companion.sensing.guided.sight import sight
from companion.sensing.learning.seams import moved
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import TableLayout
from companion.table import EventKind, TableEvent, TableReport
from tests.sensing.conftest import make_frame
from tests.sensing.session import PLACES, STONE_G, Session, lain, stones, stored, tracks


@pytest.fixture
def kept(layout: TableLayout, frame: Any) -> Memory:
    """An empty board, as the session before left it."""
    memory = Session(layout, frame).run(6.0).sensing.memory()
    assert memory is not None
    return stored(memory)


def test_what_lies_as_it_lay_keeps_its_tracks_and_nothing_is_asked(
    layout: TableLayout, frame: Any, kept: Memory
) -> None:
    lying = stones(PLACES)
    session = Session(layout, frame, stored(lain(kept, lying)), seed=2)
    session.drift = np.random.default_rng(3).normal(0.0, 0.06, layout.count)  # another day
    session.run(5.0, lying)
    assert tracks(session.opening) == [1, 2, 3, 4, 5]
    assert session.opening.p > 0.95
    assert session.opening.t_us < 1_000_000
    for stone in session.opening.rest:
        assert (stone.x, stone.y) == pytest.approx(PLACES[stone.track - 1][:2], abs=0.5)
    assert [e.kind for e in session.told(*EventKind)] == [EventKind.SETTLED]  # and no ghost after it
    again = session.sensing.memory()
    assert again is not None
    assert again.tracks == (1, 2, 3, 4, 5)


def test_what_is_gone_what_has_come_and_what_was_moved(layout: TableLayout, frame: Any, kept: Memory) -> None:
    lying = stones(PLACES)
    memory = lain(kept, lying)
    gone = Session(layout, frame, memory, seed=2).run(2.0, lying[1:])
    assert tracks(gone.opening) == [2, 3, 4, 5]
    come = Session(layout, frame, memory, seed=3).run(2.0, [*lying, *stones([(-75.0, -40.0, 3.4)])])
    assert tracks(come.opening)[:5] == [1, 2, 3, 4, 5]
    assert tracks(come.opening)[5] >= 5000
    assert come.opening.count == 6
    moved = Session(layout, frame, memory, seed=4).run(2.0, [*lying[1:], *stones([(-75.0, -40.0, 3.4)])])
    assert tracks(moved.opening) == [1, 2, 3, 4, 5]
    assert gone.opening.p > come.opening.p - 0.2
    for each in (gone, come, moved):
        assert each.opening.p < 0.96


@pytest.mark.failure("C1")
@pytest.mark.parametrize("off_g", [-60.0, 40.0])
def test_where_the_weight_disagrees_it_is_asked(layout: TableLayout, frame: Any, kept: Memory, off_g: float) -> None:
    """A load cell with another offset after the board was without power; or a stone that no sensor sees."""
    lying = stones(PLACES)
    session = Session(layout, frame, lain(kept, lying), seed=2).run(2.0, lying, STONE_G * 5 + off_g)
    unsure, settled = session.told(EventKind.UNSURE, EventKind.SETTLED)
    assert unsure.kind is EventKind.UNSURE
    assert unsure.evidence is not None
    assert unsure.evidence.note == "warm weight"
    assert unsure.evidence.weight_step_g == pytest.approx(off_g, abs=1.0)
    assert tracks(unsure) == tracks(settled) == [1, 2, 3, 4, 5]
    assert unsure.p == settled.p < 0.5


def test_what_no_stone_explains_is_asked_about(layout: TableLayout, frame: Any, kept: Memory) -> None:
    """A phone lies beside the stones."""
    lying = stones(PLACES)
    phone = magnet((50.0, 45.0, 4.0), (1.0, 0.3, 0.0), 1.6)
    session = Session(layout, frame, lain(kept, lying), seed=2).run(2.0, [*lying, phone], STONE_G * 5)
    (unsure,) = session.told(EventKind.UNSURE)
    assert unsure.p < 0.5
    assert {1, 2, 3, 4, 5} <= set(tracks(unsure))


@pytest.mark.failure("E5")
def test_a_cold_start_uses_the_zeros_that_were_kept_and_says_how_sure_it_is(
    layout: TableLayout, frame: Any, kept: Memory
) -> None:
    lying = stones(PLACES)
    cold = Session(layout, frame, kept, seed=2).run(2.0, lying)
    assert cold.opening.count == 5
    assert min(tracks(cold.opening)) >= 5000
    assert cold.opening.evidence is not None
    assert cold.opening.evidence.note.startswith("cold")
    warm = Session(layout, frame, lain(kept, lying), seed=2).run(2.0, lying)
    assert cold.opening.p < warm.opening.p
    assert "zero_refused" not in "".join(cold.sensing.faults)


@pytest.mark.failure("E5")
def test_zeros_that_were_kept_are_replaced_when_the_board_is_empty(
    layout: TableLayout, frame: Any, kept: Memory
) -> None:
    drift = np.random.default_rng(3).normal(0.0, 0.25, layout.count)
    session = Session(layout, frame, kept, seed=2)
    session.drift = drift
    session.run(5.0)
    assert session.told(*EventKind) == []
    assert session.sensing.zeroed_us is not None
    memory = session.sensing.memory()
    assert memory is not None
    shift = (memory.zero.counts - kept.zero.counts) / layout.gain
    assert np.abs(shift - drift).max() < 0.15


def test_a_board_that_was_cleared_meanwhile_is_told_empty(layout: TableLayout, frame: Any, kept: Memory) -> None:
    session = Session(layout, frame, lain(kept, stones(PLACES)), seed=2).run(6.0)
    assert session.opening.count == 0
    assert session.sensing.zeroed_us is not None
    assert len(session.told(*EventKind)) <= 2


def test_a_board_that_was_cleared_meanwhile_can_be_looked_at_in_every_frame(
    layout: TableLayout, frame: Any, kept: Memory
) -> None:
    """In the frame that opens the session the zeros are given up, to be learned anew: then there is no reading."""
    session = Session(layout, frame, lain(kept, stones(PLACES)), seed=2)
    seen = []
    for _ in range(600):
        session.run(0.01)
        seen.append(sight(session.sensing) is not None)
    assert session.opening.count == 0
    assert seen[-1]


def test_nothing_is_kept_while_a_stone_is_in_the_hand(
    frames_of: Callable[[Path], list[Any]], sensing_for: Callable[[Path], Sensing], recordings: Path
) -> None:
    folder = recordings / "nominal-hover_withdraw-a"
    sensing, seen = sensing_for(folder), 0
    for sample in frames_of(folder):
        sensing.feed(sample)
        tracker = sensing.tracker
        if tracker is not None and any(m.phase.value == "hand" and m.told for m in tracker.movers):
            seen += 1
            assert sensing.memory() is None
    assert seen > 20


def test_a_session_that_begins_again_goes_on_as_the_one_before(
    frames_of: Callable[[Path], list[Any]],
    sensing_for: Callable[[Path], Sensing],
    played: Callable[[Path], list[TableReport]],
    recordings: Path,
) -> None:
    """The first stone is placed at 6.1 s; the table process ends at 7.2 s; the second stone comes at 8.2 s."""
    folder = recordings / "nominal-near_place-a"
    before, after = sensing_for(folder), None
    events: list[TableEvent] = []
    for sample in frames_of(folder):
        if sample.t_us < 7_200_000:
            before.feed(sample)
            continue
        if after is None:
            memory = before.memory()
            assert memory is not None
            after = Sensing(before.layout, None, stored(memory), 5000)
        events += [r for r in after.feed(sample) if isinstance(r, TableEvent)]
    usual = [r for r in played(folder) if isinstance(r, TableEvent) and r.t_us > 7_200_000]
    assert events[0].kind is EventKind.SETTLED
    assert tracks(events[0]) == [1]
    told = [e for e in events[1:] if e.kind is not EventKind.SETTLED]
    assert [e.kind for e in told] == [e.kind for e in usual if e.kind is not EventKind.SETTLED]
    for mine, its in zip(told, [e for e in usual if e.kind is not EventKind.SETTLED], strict=True):
        assert abs(mine.t_us - its.t_us) < 60_000
    assert events[-1].count == 2


def test_a_memory_of_another_table_is_not_used(layout: TableLayout, frame: Any, kept: Memory) -> None:
    other = replace(lain(kept, stones(PLACES)), table_id="another")
    session = Session(layout, frame, other, seed=2).run(4.0)
    assert session.told(*EventKind) == []


def test_a_memory_of_tiles_that_lay_otherwise_is_not_used(table: dict[str, Any], kept: Memory) -> None:
    """Laid anew, and the program ended before it could keep the new zeros."""
    layout = TableLayout.from_json(table)
    memory = stored(lain(kept, stones(PLACES)))
    assert memory.fits(layout)
    nudged = moved(layout, np.full((len(layout.triangles), 2), 1.5), np.full(len(layout.triangles), 0.01))
    assert memory.fits(nudged)  # how they really lie was learned
    turned = json.loads(json.dumps(table))
    turned["tiles"][1]["rot"] += 120.0  # the same triangle, other sensors
    assert not memory.fits(TableLayout.from_json(turned))
    fewer = replace(memory, corners=layout.triangles[1:])
    assert not fewer.fits(layout)
    session = Session(TableLayout.from_json(turned), make_frame(TableLayout.from_json(turned)), memory, seed=2).run(4.0)
    assert session.told(*EventKind) == []
    before = Memory.from_json({key: value for key, value in memory.to_json().items() if key != "corners"})
    assert before.fits(TableLayout.from_json(turned))  # of a version that did not keep it


@given(
    st.dictionaries(
        st.sampled_from(["table_id", "t_us", "zero", "bodies", "level_g", "tare_g", "corners"]),
        st.integers() | st.just([[[0.0]]]),
    )
)
def test_a_memory_that_is_none_is_refused(changes: dict[str, Any]) -> None:
    one = np.ones(2)
    memory = Memory("t", 5, Zero(one, one, one), (Body((1,), stones(PLACES[:1])[0]),), 3.5, None, np.ones((4, 3, 2)))
    good = json.loads(json.dumps(memory.to_json()))
    assert Memory.from_json(good).to_json() == memory.to_json()
    changed = {**good, **changes}
    number = all(isinstance(value, int) for value in changes.values())
    small = number and all(abs(changes.get(key, 0)) < 1e6 for key in ("level_g", "tare_g"))
    if set(changes) <= {"t_us", "level_g", "tare_g"} and small:
        Memory.from_json(changed)
    else:
        with pytest.raises(ValueError, match=r"memory|zero"):
            Memory.from_json(changed)


@pytest.mark.parametrize(
    ("key", "value"),
    [("tracks", [1, 1]), ("tracks", []), ("axis", [[0, 0, 2]]), ("position", [[0, 0]]), ("log_moment", ["x"])],
)
def test_a_body_that_is_none_is_refused(key: str, value: Any) -> None:
    one = np.ones(2)
    obj = Memory("t", 5, Zero(one, one, one), (Body((1,), stones(PLACES[:1])[0]),)).to_json()
    obj["bodies"][0][key] = value
    with pytest.raises(ValueError, match="memory"):
        Memory.from_json(obj)
