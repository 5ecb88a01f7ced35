"""The pipeline on small recordings: what it must see, and the promises that hold on any of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.sensing.pipeline import Sensing
from companion.table import Complete, EventKind, Health, Picture, TableEvent, TableReport

Play = Callable[[Path], list[TableReport]]
NAMES = [
    "nominal-snap2-a",
    "nominal-off_edge-a",
    "nominal-snap2_removed-a",
    "nominal-near_place-a",
    "nominal-hover_withdraw-a",
]


def of(reports: list[TableReport], *kinds: EventKind) -> list[TableEvent]:
    return [r for r in reports if isinstance(r, TableEvent) and r.kind in kinds]


def near(event: TableEvent, truth: dict[str, Any], early: float, late: float) -> bool:
    return -early <= event.t_us / 1e6 - truth["t"] <= late


def true(truth: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [e for e in truth["events"] if e["event"] == kind]


@pytest.mark.failure("F3")
@pytest.mark.parametrize("name", NAMES)
def test_no_collapse_is_missed_or_invented(
    name: str, played: Play, truth_of: Callable[[Path], dict[str, Any]], recordings: Path
) -> None:
    seen = of(played(recordings / name), EventKind.COLLAPSE)
    want = true(truth_of(recordings / name), "collapse")
    assert len(seen) == len(want)
    for event, t in zip(seen, want, strict=True):
        assert near(event, t, 0.2, 1.5)
        assert event.count == t["count"] == len(event.stones)
        assert len(event.new_stones) == len(t["new_ids"])
        assert event.chain is t["chain"]
        assert event.x is not None
        assert event.y is not None
        assert np.hypot(event.x - t["x"], event.y - t["y"]) < 25.0


@pytest.mark.parametrize("name", NAMES)
def test_stones_are_placed_and_let_go_where_and_when_they_were(
    name: str, played: Play, truth_of: Callable[[Path], dict[str, Any]], recordings: Path
) -> None:
    seen = of(played(recordings / name), EventKind.PLACED)
    want = [e for e in true(truth_of(recordings / name), "placed") if not e["stacked"]]
    on_mat = [e for e in seen if not e.stacked]
    for t in want:
        match = [e for e in on_mat if near(e, t, 0.02, 0.05)]
        assert len(match) == 1
        assert match[0].upright is t["upright"]
        assert match[0].pole_up == (0 if t["upright"] else t["pole_up"])
    assert len(of(played(recordings / name), EventKind.RELEASED)) == len(seen)


def test_a_stone_keeps_its_track_from_the_hand_to_its_removal(played: Play, recordings: Path) -> None:
    reports = played(recordings / "nominal-snap2_removed-a")
    first, second = of(reports, EventKind.APPROACH)
    collapse, removed = of(reports, EventKind.COLLAPSE)[0], of(reports, EventKind.REMOVED)
    assert set(collapse.stones) == {first.stones[0], second.stones[0]}
    assert len(removed) == 1
    assert set(removed[0].stones) == set(collapse.stones)
    assert removed[0].count == 2
    assert collapse.evidence is not None
    assert collapse.evidence.note == "in_hand"


def test_a_stone_pushed_over_the_edge_fell_off_and_is_no_removal(played: Play, recordings: Path) -> None:
    reports = played(recordings / "nominal-off_edge-a")
    assert [e.count for e in of(reports, EventKind.FELL_OFF)] == [1]
    assert of(reports, EventKind.REMOVED) == []
    assert of(reports, EventKind.SETTLED)[-1].count == 0


def test_a_stone_that_hovers_and_goes_is_no_placement(played: Play, recordings: Path) -> None:
    reports = played(recordings / "nominal-hover_withdraw-a")
    assert [e.kind for e in of(reports, *EventKind)] == [EventKind.APPROACH, EventKind.WITHDRAWN]


@pytest.mark.parametrize("name", ["nominal-near_place-a", "nominal-snap2-a"])
def test_rest_positions(name: str, played: Play, truth_of: Callable[[Path], dict[str, Any]], recordings: Path) -> None:
    truth = truth_of(recordings / name)
    first = of(played(recordings / name), EventKind.SETTLED)[0]
    released = true(truth, "released")[0]
    (stone,) = first.rest
    assert np.hypot(stone.x - released["x"], stone.y - released["y"]) < 2.0
    assert not stone.upright
    assert not stone.held


@pytest.mark.rule("Y21")
@pytest.mark.parametrize("name", NAMES)
def test_a_board_is_at_rest_after_what_changed_its_number_never_before(
    name: str, played: Play, recordings: Path
) -> None:
    changed = 0
    for event in of(played(recordings / name), *EventKind):  # in the order in which they are told
        if event.kind in (EventKind.RELEASED, EventKind.FELL_OFF, EventKind.REMOVED):
            changed = event.t_us
        elif event.kind is EventKind.SETTLED:
            assert event.t_us >= changed


@pytest.mark.parametrize("name", NAMES)
def test_complete_is_a_promise_and_keeps_up(
    name: str,
    frames_of: Callable[[Path], list[Any]],
    sensing_for: Callable[[Path], Sensing],
    recordings: Path,
) -> None:
    sensing, complete, newest = sensing_for(recordings / name), -1, 0
    for frame in frames_of(recordings / name):
        newest = frame.t_us
        for report in sensing.feed(frame):
            if isinstance(report, Complete):
                assert report.t_us > complete
                complete = report.t_us
            elif isinstance(report, TableEvent):
                assert complete < report.t_us <= newest
                assert report.t_report_us == newest
            else:
                assert isinstance(report, Health | Picture)
        assert newest - complete <= 400_000
    assert sensing.finish() == [Complete(newest)]
    assert sensing.finish() == []


@pytest.mark.parametrize("seconds", [7.3, 10.41])
def test_a_prefix_of_the_samples_gives_a_prefix_of_the_reports(
    seconds: float,
    frames_of: Callable[[Path], list[Any]],
    sensing_for: Callable[[Path], Sensing],
    played: Play,
    recordings: Path,
) -> None:
    folder = recordings / "nominal-snap2-a"
    sensing = sensing_for(folder)
    reports = [r for f in frames_of(folder) if f.t_us < seconds * 1e6 for r in sensing.feed(f)]
    assert reports == played(folder)[: len(reports)]
    assert len(of(reports, EventKind.PLACED)) == 1


def test_lost_frames_are_told_as_unseen_and_nothing_is_invented_in_them(
    frames_of: Callable[[Path], list[Any]], sensing_for: Callable[[Path], Sensing], recordings: Path
) -> None:
    folder = recordings / "nominal-snap2-a"
    sensing = sensing_for(folder)
    kept = [f for f in frames_of(folder) if not 7_500_000 < f.t_us < 8_000_000]
    reports = [r for f in kept for r in sensing.feed(f)]
    unseen = of(reports, EventKind.UNSEEN)
    assert len(unseen) == 1
    assert unseen[0].until_us is not None
    assert unseen[0].t_us <= 7_510_000
    assert unseen[0].until_us >= 8_000_000
    assert len(of(reports, EventKind.COLLAPSE)) == 1
    assert len(of(reports, EventKind.APPROACH)) == 2


def test_a_sample_of_another_table_is_refused(
    frames_of: Callable[[Path], list[Any]], sensing_for: Callable[[Path], Sensing], recordings: Path
) -> None:
    frame = frames_of(recordings / "nominal-snap2-a")[0]
    short = type(frame)(frame.t_us, frame.sequence, frame.hall[:-2])
    with pytest.raises(ValueError, match="219 sensors"):
        sensing_for(recordings / "nominal-snap2-a").feed(short)
