"""All nominal vignettes of a folder of recordings: every collapse and fall found, none invented."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.table import EventKind, TableEvent, TableReport

pytestmark = [pytest.mark.slow, pytest.mark.recordings]

FOLDER = Path(os.environ.get("COMPANION_RECORDINGS", "."))
VIGNETTES = sorted(p.parent for p in FOLDER.glob("nominal-*/recording.npz"))


def collapses(reports: list[TableReport]) -> list[TableEvent]:
    return [r for r in reports if isinstance(r, TableEvent) and r.kind is EventKind.COLLAPSE]


@pytest.mark.parametrize("kind", ["collapse", "fell_off"])
def test_nominal_vignettes(
    kind: str, played: Callable[[Path], list[TableReport]], truth_of: Callable[[Path], dict[str, Any]]
) -> None:
    """Within the windows of the scorer of the recordings. What has grown is more of a collapse that was told."""
    missed: list[str] = []
    invented: list[str] = []
    for folder in VIGNETTES:
        want = [e["t"] for e in truth_of(folder)["events"] if e["event"] == kind for _ in range(per(kind, e))]
        seen = [
            e.t_us / 1e6
            for e in played(folder)
            if isinstance(e, TableEvent) and e.kind == kind and not e.grown
            for _ in range(e.count if kind == "fell_off" else 1)
        ]
        for t in want:
            match = [s for s in seen if -0.4 <= s - t <= 2.0]
            if match:
                seen.remove(match[0])
            else:
                missed.append(f"{folder.name} {t}")
        invented += [f"{folder.name} {s}" for s in seen]
    assert VIGNETTES
    assert missed == []
    assert invented == []


def per(kind: str, event: dict[str, Any]) -> int:
    """fell_off is counted stone by stone."""
    return int(event["count"]) if kind == "fell_off" else 1


@pytest.mark.parametrize("kind", ["placed", "removed"])
def test_no_stone_is_missed(
    kind: str, played: Callable[[Path], list[TableReport]], truth_of: Callable[[Path], dict[str, Any]]
) -> None:
    missed = 0
    total = 0
    for folder in VIGNETTES:
        seen = [e for e in played(folder) if isinstance(e, TableEvent) and e.kind == kind]
        for t in truth_of(folder)["events"]:
            if t["event"] != kind or t.get("stacked"):
                continue
            total += 1
            missed += not any(-6.0 <= e.t_us / 1e6 - t["t"] <= 1.5 for e in seen)
    assert total > 50 if kind == "placed" else total > 5
    assert missed <= 0.03 * total
