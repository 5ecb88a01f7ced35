"""The reference table with samples made for it, and recordings as the pipeline's input; truth is only read by the
tests that compare with it.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import TableLayout
from companion.table import TableReport
from drivers.sample import LoadSample, Sample
from tests.once import Once
from tests.sensing.tables import table_json

RECORDINGS = Path(__file__).parent.parent / "data" / "recordings"


@dataclass(frozen=True)
class Load:
    """A conversion as drivers.sample.LoadSample has it."""

    t_us: int
    counts: int | None
    error: str = ""


@dataclass(frozen=True)
class Frame:
    """A frame as drivers.sample.Sample has it."""

    t_us: int
    sequence: int
    hall: bytes
    load: tuple[Load, ...] = ()
    lost: int = 0
    fresh: bytes | None = None
    arrived_us: int = 0
    unit: int = 1
    scans: int = 1
    step: int = 1


def frames(folder: Path) -> Iterator[Frame]:
    """The samples of a recording, lost frames left out."""
    with np.load(folder / "recording.npz") as z:
        start = int(z["t_us"][0])
        t, hall, lost = z["t_us"].astype(np.int64) - start, z["hall"].astype("<u2"), z["lost"]
        load_t, load = z["load_t_us"].astype(np.int64) - start, z["load"]
    at, missing = 0, 0
    for k in range(len(t)):
        if lost[k]:
            missing += 1
            continue
        upto = int(np.searchsorted(load_t, t[k] + 10_000, side="right"))
        weighed = tuple(
            Load(int(load_t[i]), None, "read_error") if load[i] == 0x7FFFFF else Load(int(load_t[i]), int(load[i]))
            for i in range(at, upto)
        )
        yield Frame(int(t[k]), k, hall[k].tobytes(), weighed, missing)
        at, missing = upto, 0


@pytest.fixture(scope="session")
def frames_of() -> Callable[[Path], list[Frame]]:
    """Frames of a recording's folder."""
    return lambda folder: list(frames(folder))


@pytest.fixture(scope="session")
def sensing_for() -> Callable[[Path], Sensing]:
    """A new pipeline for a recording's table."""
    return lambda folder: Sensing(TableLayout.from_json(json.loads((folder / "table.json").read_text())))


@pytest.fixture(scope="session")
def played(sensing_for: Callable[[Path], Sensing], once: Once) -> Callable[[Path], list[TableReport]]:
    """All reports of a recording; each recording is played once a run."""

    def play(folder: Path) -> list[TableReport]:
        sensing = sensing_for(folder)
        return [r for f in frames(folder) for r in sensing.feed(f)] + sensing.finish()

    return lambda folder: once(lambda: play(folder), "reports", folder)


@pytest.fixture(scope="session")
def truth_of() -> Callable[[Path], dict[str, Any]]:
    """truth.json of a recording."""
    return lambda folder: json.loads((folder / "truth.json").read_text())


@pytest.fixture
def recordings() -> Path:
    """The folder of the small recordings."""
    return RECORDINGS


@pytest.fixture
def table() -> dict[str, Any]:
    return table_json()


@pytest.fixture(scope="session")
def layout() -> TableLayout:
    return TableLayout.from_json(table_json())


def make_frame(layout: TableLayout) -> Callable[..., Sample]:
    """The n-th sample of a field (S,) mT with noise in counts, rounded and clipped."""
    raw_offset = np.random.default_rng(7).normal(512.0, 4.0, layout.count)

    def make(
        n: int,
        field: Any = 0.0,
        rng: np.random.Generator | None = None,
        noise: float = 0.4,
        load: tuple[LoadSample, ...] | None = None,
        change: dict[int, float] | None = None,
    ) -> Sample:
        counts = raw_offset + layout.gain * field
        if rng is not None:
            counts = counts + rng.normal(0.0, noise, layout.count)
        for k, value in (change or {}).items():
            counts[k] = value
        hall = np.clip(np.rint(counts), 0, layout.full_scale).astype("<u2").tobytes()
        weighed = (LoadSample(n * 10_000, 84_000),) if load is None else load
        return Sample(n * 10_000, n, hall, load=weighed)

    return make


@pytest.fixture(scope="session")
def frame(layout: TableLayout) -> Callable[..., Sample]:
    """The n-th sample of a field (S,) mT with noise in counts, rounded and clipped."""
    return make_frame(layout)
