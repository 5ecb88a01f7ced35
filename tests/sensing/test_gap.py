"""After a gap: stones that came in it are found, listed and asked about; and no event hangs on the frames' beat."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.process.common.recorded import recorded_game
from companion.process.referee.judge import Judge
from companion.sensing.pipeline import Sensing
from companion.table import Complete, EventKind, TableEvent, TableReport
from drivers.recording import read_recording

S = 1_000_000


def cut(frames: list[Any], start: float, end: float) -> list[Any]:
    """Without the frames between these seconds."""
    return [f for f in frames if not start * S < f.t_us < end * S]


def told(reports: list[TableReport], kind: EventKind) -> list[TableEvent]:
    return [r for r in reports if isinstance(r, TableEvent) and r.kind is kind]


@pytest.mark.rule("Y21")
@pytest.mark.failure("D11")
@pytest.mark.parametrize(("end", "seen"), [(8.0, 1), (9.0, 0)])
def test_a_stone_put_down_in_a_gap_is_found_listed_and_asked_about(
    end: float,
    seen: int,
    frames_of: Callable[[Path], list[Any]],
    sensing_for: Callable[[Path], Sensing],
    truth_of: Callable[[Path], dict[str, Any]],
    played: Callable[[Path], list[TableReport]],
    recordings: Path,
) -> None:
    """The first stone is placed at 6.1 s. The next one comes at 8.2 s, while the first is searched for; or both in the
    gap, and of neither it can be told who put it down.
    """
    folder = recordings / "nominal-near_place-a"
    sensing = sensing_for(folder)
    reports = [r for f in cut(frames_of(folder), 4.0, end) for r in sensing.feed(f)] + sensing.finish()
    assert len(told(reports, EventKind.UNSEEN)) == 1
    second = [e for e in truth_of(folder)["events"] if e["event"] == "placed"][1]
    placed = told(reports, EventKind.PLACED)
    assert len(placed) == seen
    assert all(abs(e.t_us / S - second["t"]) < 0.05 for e in placed)
    last, usual = told(reports, EventKind.SETTLED)[-1], told(played(folder), EventKind.SETTLED)[-1]
    assert last.count == 2
    for a, b in zip(last.rest, usual.rest, strict=True):
        assert (a.x - b.x) ** 2 + (a.y - b.y) ** 2 < 2.0**2
    judge = Judge(*recorded_game(read_recording(folder).game))
    later = Complete(reports[-1].t_us + 8 * S)
    rulings = [r for report in [*reports, later] for r in judge.take(report)]
    (mismatch,) = [r for r in rulings if r.kind == "mismatch"]
    assert (mismatch.data["seen"], mismatch.data["expected"]) == (2, seen)


@pytest.mark.failure("D11")
def test_stones_taken_in_a_gap_are_gone_and_did_not_fall(
    frames_of: Callable[[Path], list[Any]], sensing_for: Callable[[Path], Sensing], recordings: Path
) -> None:
    folder = recordings / "nominal-snap2_removed-a"
    sensing = sensing_for(folder)
    kept = [f for f in cut(frames_of(folder), 12.0, 16.5) if f.t_us < 19 * S]
    reports = [r for f in kept for r in sensing.feed(f)]
    assert [e.count for e in told(reports, EventKind.REMOVED)] == [2]
    assert told(reports, EventKind.FELL_OFF) == []
    assert told(reports, EventKind.SETTLED)[-1].count == 0


@pytest.mark.rule("Y23")
@pytest.mark.failure("D11")
@pytest.mark.parametrize(("start", "end", "kind"), [(9.9, 10.2, EventKind.COLLAPSE), (10.45, 10.55, EventKind.UNSURE)])
def test_a_snap_is_told_where_the_stones_were_seen_apart_and_asked_about_where_not(
    start: float,
    end: float,
    kind: EventKind,
    frames_of: Callable[[Path], list[Any]],
    sensing_for: Callable[[Path], Sensing],
    recordings: Path,
) -> None:
    """The stones touch at 10.53 s."""
    folder = recordings / "nominal-snap2-a"
    sensing = sensing_for(folder)
    kept = [f for f in cut(frames_of(folder), start, end) if f.t_us < 11.5 * S]
    reports = [r for f in kept for r in sensing.feed(f)]
    found = told(reports, EventKind.COLLAPSE) + told(reports, EventKind.UNSURE)
    assert [(e.kind, e.stones, e.count) for e in found] == [(kind, (1, 2), 2)]


def test_an_exact_beat_gives_the_same_events(
    frames_of: Callable[[Path], list[Any]],
    sensing_for: Callable[[Path], Sensing],
    played: Callable[[Path], list[TableReport]],
    recordings: Path,
) -> None:
    """The recordings' frames lie 10,000.4 us apart; windows of a whole number of frames must not care."""
    folder = recordings / "nominal-snap2-a"
    sensing, reports = sensing_for(folder), []
    for f in frames_of(folder):
        by = f.sequence * 10_000 - f.t_us
        load = tuple(replace(w, t_us=w.t_us + by) for w in f.load)
        reports += sensing.feed(replace(f, t_us=f.t_us + by, load=load))
    for kind in EventKind:
        before, after = told(played(folder), kind), told(reports, kind)
        assert [e.stones for e in before] == [e.stones for e in after]
        assert all(abs(a.t_us - b.t_us) <= 20_000 for a, b in zip(before, after, strict=True))
