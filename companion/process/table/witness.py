"""The table process' evidence: the samples of the last two minutes, and clips of them around what may be doubted.

A clip is a folder in the recordings' format (docs/recordings.md): recording.npz and table.json here; the referee adds
game.json and the pictures that pages play (companion/process/common/clips.py), and throws old clips away.
"""

import json
import logging
import os
import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from companion.disk import Writing
from companion.process.common.clips import CLIPS
from companion.table import SECOND, BoardTime, EventKind, Evidence, TableEvent, TableReport
from drivers.rows import arrays_of
from drivers.sample import Sample

RING_US = 120 * SECOND
BEFORE_US, AFTER_US = 5 * SECOND, 3 * SECOND
NEAR_US = 2 * SECOND
"""Events nearer to each other than this share a clip."""

WITNESSED = frozenset({EventKind.COLLAPSE, EventKind.FELL_OFF, EventKind.UNSURE})
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Clip:
    name: str
    t_us: BoardTime


class Witness:
    """Called with every sample and what it gave; one thread. label: wall time, for the names of clips."""

    def __init__(self, folder: Path, table: Mapping[str, Any], label: Callable[[], str]) -> None:
        self._folder, self._table, self._label = folder, table, label
        self._period_us = round(1e6 / float(table["frame_rate"]))
        self._ring: deque[Sample] = deque()
        self._open: list[_Clip] = []
        self._writing = Writing(_LOG, "A clip's samples cannot be kept")

    def __call__(self, sample: Sample, reports: Sequence[TableReport]) -> list[TableReport]:
        """The reports, each event that will have a clip with its name in the evidence."""
        self._ring.append(sample)
        while self._ring[0].t_us < sample.t_us - RING_US:
            self._ring.popleft()
        told = [self._named(report) if isinstance(report, TableEvent) else report for report in reports]
        while self._open and sample.t_us >= self._open[0].t_us + AFTER_US:
            self._write(self._open.pop(0))
        return told

    def relaid(self, table: Mapping[str, Any]) -> None:
        """The tiles lie otherwise from now on."""
        self._table = table

    def close(self) -> None:
        """No more samples: what is open is written as far as it goes."""
        while self._open:
            self._write(self._open.pop(0))

    def _named(self, event: TableEvent) -> TableEvent:
        if event.kind not in WITNESSED:
            return event
        clip = next((clip for clip in self._open if abs(clip.t_us - event.t_us) < NEAR_US), None)
        if clip is None:
            digits = re.sub(r"[^0-9A-Za-z]", "", self._label())
            clip = _Clip(f"{digits}-{event.t_us // 1000}", event.t_us)
            self._open.append(clip)
            self._open.sort(key=lambda each: each.t_us)
        return replace(event, evidence=replace(event.evidence or Evidence(), clip=clip.name))

    def _write(self, clip: _Clip) -> None:
        """A clip that cannot be written is only missed: the game goes on."""
        samples = [s for s in self._ring if clip.t_us - BEFORE_US <= s.t_us <= clip.t_us + AFTER_US]
        if not samples:
            return
        folder = self._folder / clip.name
        with self._writing.to(folder):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "table.json").write_text(json.dumps(self._table), "utf-8")
            arrays: Any = arrays_of(samples, self._period_us)
            with open(folder / "recording.npz.part", "wb") as file:
                np.savez(file, **arrays)
            os.replace(folder / "recording.npz.part", folder / "recording.npz")


def witness_in(data: Path | None, table: Mapping[str, Any], label: Callable[[], str]) -> Witness | None:
    """A witness whose clips go to the data folder; None without one."""
    return None if data is None else Witness(data / CLIPS, table, label)
