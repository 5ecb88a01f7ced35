"""The table of the tests: four tiles as the reference has them, or others of the same kind."""

from collections.abc import Sequence
from typing import Any

TILES = [
    ("A", 0.0, 0.0, 180.0),
    ("B", 75.0, -43.301, 0.0),
    ("C", -75.0, -43.301, 0.0),
    ("D", 0.0, 86.603, 0.0),
]


def table_json(tiles: Sequence[tuple[str, float, float, float]] = TILES) -> dict[str, Any]:
    """As table.json has it: 55 sensors a tile on a 15 mm lattice, 8 mm under the mats. tiles: name, x, y, rot."""
    lattice = [
        (15.0 * (i + j / 2) + 7.5 - 75.0, 12.990 * (j + 1 / 3) - 43.301) for j in range(10) for i in range(10 - j)
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
            for name, x, y, rot in tiles
        ],
    }
