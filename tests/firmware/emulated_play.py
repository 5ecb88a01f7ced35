"""A recording through the emulated board beside its plain replay: where samples, events and rulings differ.

    python -m tests.firmware.emulated_play FOLDER...

says so of each folder (a game takes some minutes): samples, events, rulings. A conversion is dated a few microseconds
otherwise there, so that an event may now and then be decided a frame later or earlier: that is told, with its numbers.
The exit code is 1 where samples or rulings differ.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import replace as changed
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from companion.clock import SystemClock
from companion.games.game import Ruling
from companion.process.common.lines import event_object, ruling_object
from companion.process.common.recorded import recorded_game, recorded_sensing
from companion.process.referee.judge import Judge
from companion.process.table.offline import replay
from companion.table import TableEvent
from drivers.links.emulated import EmulatedLink
from drivers.links.link import Link, LinkClosed, LinkStatus
from drivers.links.replay import ReplayLink
from drivers.recording import Recording, read_recording
from drivers.sample import LoadSample, Sample
from drivers.samples import samples_of

BEAT_US = 10_000
SCAN_US = 7_979  # the board's scan is over 21 us before a recording's: a conversion in between goes with the next one
LOAD_NEAR_US = 40  # the emulated cell's clock starts with the first scan, which waits a little after its beat
EVENT_NEAR_S = 0.001


class Kept:
    """A link's bytes, read to its end, to be read again as often as wanted."""

    status = LinkStatus()

    def __init__(self, link: Link) -> None:
        self.reads: list[tuple[bytes, int]] = []
        self._next = 0
        try:
            while True:
                data, now_us = link.read(1.0)
                if data:
                    self.reads.append((data, now_us))
        except LinkClosed:
            return
        finally:
            link.close()

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        if self._next == len(self.reads):
            raise LinkClosed("All has been read.")
        self._next += 1
        return self.reads[self._next - 1]

    def send(self, data: bytes) -> None:
        pass

    def close(self) -> None:
        self._next = 0


def on_the_boards_beat(recording: Recording) -> Recording:
    """The recording with its frames exactly 10 ms apart, as the emulated board's crystal has them, and without the
    conversions that are lost with its lost frames: nothing is sent twice."""
    beat = recording.t_us[0] + np.arange(len(recording.t_us), dtype=np.uint64) * np.uint64(BEAT_US)
    loads = np.interp(recording.load_t_us.astype(float), recording.t_us.astype(float), beat.astype(float)).round()
    ends = beat.astype(float) + float(recording.table["scan_fraction"]) * BEAT_US
    carried = np.minimum(np.searchsorted(ends, loads), len(ends) - 1)
    kept = ~recording.lost[carried]
    return changed(recording, t_us=beat, load_t_us=loads[kept].astype(np.uint64), load=recording.load[kept])


def told(recording: Recording, link: Link | None = None) -> list[dict[str, Any]]:
    """Events and rulings in the order in which they were decided."""
    game, settings = recorded_game(recording.game)
    out = []
    for item in replay(recording, recorded_sensing(recording), Judge(game, settings), link=link):
        if isinstance(item, Ruling):
            out.append(ruling_object(item))
        elif isinstance(item, TableEvent):
            out.append(event_object(item))
    return out


@dataclass(frozen=True, slots=True)
class Compared:
    """What differs, in words, and of how many."""

    samples: list[str]
    events: list[str]
    rulings: list[str]
    of_events: int
    of_rulings: int

    def __str__(self) -> str:
        kinds = (
            ("samples", self.samples, None), ("events", self.events, self.of_events),
            ("rulings", self.rulings, self.of_rulings),
        )  # fmt: skip
        return "; ".join(
            f"{name} {f'({of}) ' if of is not None else ''}"
            + (f"{len(found)} differ, first: {found[0]}" if found else "the same")
            for name, found, of in kinds
        )


def compared(folder: Path) -> Compared:
    """A recording through the emulated board beside its plain replay."""
    recording = read_recording(folder)
    plain, board = on_the_boards_beat(recording), Kept(EmulatedLink(folder, SystemClock()))
    got, wanted = list(samples_of(board, None)), list(samples_of(ReplayLink(plain), None))
    late_us = _late_us(wanted, got)
    scan = {**plain.table, "scan_fraction": SCAN_US / BEAT_US}
    plain = changed(plain, table=scan, load_t_us=plain.load_t_us + np.uint64(late_us))
    usual, here = told(recording, ReplayLink(plain)), told(recording, board)
    events, rulings = (
        [[each for each in all_ if key in each] for all_ in (usual, here)] for key in ("event", "ruling")
    )
    return Compared(
        list(_of_samples(wanted, got)),
        list(_of_told(*events)),
        list(_of_told(*rulings)),
        len(events[0]),
        len(rulings[0]),
    )


def _late_us(wanted: list[Sample], got: list[Sample]) -> int:
    """How long after its beat the first scan began, and the emulated cell's clock with it."""
    true = {load.counts: load.t_us for sample in wanted for load in sample.load}
    heard = [load for sample in got for load in sample.load]
    late = [load.t_us - true[load.counts] for load in heard if load.counts in true]
    return int(np.median([each for each in late if 0 <= each <= LOAD_NEAR_US]))


def _of_samples(wanted: list[Sample], got: list[Sample]) -> Iterator[str]:
    if [(s.t_us, s.lost, s.hall) for s in got] != [(s.t_us, s.lost, s.hall) for s in wanted]:
        yield "samples differ in time, loss or counts"
    true = [load for sample in wanted for load in sample.load]
    at = 0
    for load in [load for sample in got for load in sample.load]:
        while at < len(true) and not _same_load(load, true[at]):
            at += 1
        if at == len(true):
            near = min(true, key=lambda other: abs(other.t_us - load.t_us))
            yield f"conversion {load}: none such in the recording, next {near}"
            return
        at += 1
    heard = sum(len(sample.load) for sample in got)
    if heard < 0.99 * len(true):
        yield f"conversions: {heard} of {len(true)}"


def _same_load(a: LoadSample, b: LoadSample) -> bool:
    return a.counts == b.counts and abs(a.t_us - b.t_us) <= LOAD_NEAR_US


def _of_told(wanted: list[dict[str, Any]], got: list[dict[str, Any]]) -> Iterator[str]:
    for number, (a, b) in enumerate(zip_longest(wanted, got, fillvalue={})):
        keys = [key for key in {**a, **b} if not _same(a.get(key), b.get(key))]
        if keys:
            yield f"{number}: {a} != {b} in {keys}"


def _same(a: Any, b: Any) -> bool:
    """Numbers may differ by as much as a weighing 18 us earlier makes (s, mm)."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= EVENT_NEAR_S
    return bool(a == b)


if __name__ == "__main__":
    differing = False
    for name in sys.argv[1:]:
        found = compared(Path(name))
        differing |= bool(found.samples or found.rulings)
        print(f"{name}: {found}", flush=True)
    sys.exit(differing)
