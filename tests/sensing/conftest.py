"""The reference table of four tiles, made by the rule of the sensor lattice, and samples for it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from companion.sensing.layout import TableLayout
from drivers.sample import LoadSample, Sample

TILES = [
    ("A", 0.0, 0.0, 180.0),
    ("B", 75.0, -43.301, 0.0),
    ("C", -75.0, -43.301, 0.0),
    ("D", 0.0, 86.603, 0.0),
]


def table_json() -> dict[str, Any]:
    """As table.json has it: 55 sensors a tile on a 15 mm lattice, 8 mm under the mats."""
    lattice = [
        (15.0 * (i + j / 2) + 7.5 - 75.0, 12.990 * (j + 1 / 3) - 43.301)
        for j in range(10)
        for i in range(10 - j)
    ]
    sensor = {"z": -8.0, "axis": [0.0, 0.0, 1.0], "gain": 5.12, "offset": 512}
    return {
        "table_id": "test",
        "side": 150.0,
        "mat_top_above_table": 20.0,
        "frame_rate": 100.0,
        "scan_fraction": 0.8,
        "adc_bits": 10,
        "sensor": {"range_mt": 85.0},
        "load_cell": {"rate": 80.0, "gain": 420.0, "offset": 84000},
        "tiles": [
            {
                "id": name,
                "x": x,
                "y": y,
                "rot": rot,
                "sensors": [{"x": a, "y": b, **sensor} for a, b in lattice],
            }
            for name, x, y, rot in TILES
        ],
    }


@pytest.fixture
def table() -> dict[str, Any]:
    return table_json()


@pytest.fixture(scope="session")
def layout() -> TableLayout:
    return TableLayout.from_json(table_json())


@pytest.fixture(scope="session")
def frame(layout: TableLayout) -> Callable[..., Sample]:
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
