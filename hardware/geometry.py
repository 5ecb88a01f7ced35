"""From geometry.toml: table.json of an arrangement of tiles, and the channel map of the multiplexers.

    python -m hardware.geometry --layout row > table.json
    python -m hardware.geometry --poses "0,0,0 37.9,-8.9,106 132.5,-149.4,21.9 -50,147.7,125.7" --table-id home
    python -m hardware.geometry --channels

A tile's frame has its origin at the centroid of the triangle, on the mat's top, with corner 0 at +y; sensors are
listed tile by tile, row by row from the lower left corner.
"""

import argparse
import json
import math
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GEOMETRY: Mapping[str, Any] = tomllib.loads((Path(__file__).parent / "geometry.toml").read_text(encoding="utf-8"))
LAYOUTS: tuple[str, ...] = tuple(GEOMETRY["layouts"])
MOST_TILES = 9
"""A frame on the wire carries at most 512 sensors, 55 a tile."""
_LETTERS = "ABCDEFGHI"
_ROOT3 = math.sqrt(3)


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a tile's centroid lies in the table frame (mm) and how it is turned (degrees, counter-clockwise)."""

    x: float
    y: float
    rot: float


@dataclass(frozen=True, slots=True)
class Channel:
    """One address of one multiplexer. sensor: index in the table's order, None where it reads something else."""

    multiplexer: int
    address: int
    name: str
    sensor: int | None = None


def layout(name: str) -> list[Pose]:
    """The poses of a named arrangement. Raises KeyError."""
    half = GEOMETRY["tile"]["side"] / 2
    return [Pose(x * half, y * half / _ROOT3, rot) for x, y, rot in GEOMETRY["layouts"][name]]


def sensors() -> list[tuple[float, float, float]]:
    """(x, y, z) of one tile's sensors in its frame, mm."""
    tile = GEOMETRY["tile"]
    rows, pitch, side = tile["rows"], tile["pitch"], tile["side"]
    height = pitch * _ROOT3 / 2
    return [
        (
            pitch * (i + j / 2 + 0.5) - side / 2,
            height * (j + 1 / 3) - side / _ROOT3 / 2,
            tile["sensor_z"],
        )
        for j in range(rows)
        for i in range(rows - j)
    ]


def table(poses: Sequence[Pose], table_id: str) -> dict[str, Any]:
    """The content of table.json: geometry, nominal electronics, tiles and sensors in the order of the wire.

    Raises ValueError where there is no tile, or more than MOST_TILES.
    """
    if not 1 <= len(poses) <= MOST_TILES:
        raise ValueError(f"{len(poses)} tiles were given: a table has 1 to {MOST_TILES}")
    tile, sensor, converter = GEOMETRY["tile"], GEOMETRY["sensor"], GEOMETRY["converter"]
    counts = 2 ** converter["adc_bits"]
    listed = [
        {
            "x": round(x, 3),
            "y": round(y, 3),
            "z": z,
            "axis": [0, 0, 1],
            "gain": sensor["mv_per_mt"] / sensor["vcc_mv"] * counts,
            "offset": counts // 2,
        }
        for x, y, z in sensors()
    ]
    return {
        "units": {
            "length": "mm",
            "angle": "deg",
            "field": "mT",
            "gain": "counts/mT",
            "load_gain": "counts/g",
        },
        "side": tile["side"],
        "mat_thickness": tile["mat_thickness"],
        "mat_top_above_table": tile["mat_top_above_table"],
        "frame_rate": converter["frame_rate"],
        "scan_fraction": converter["scan_fraction"],
        "scan_order": "as listed, evenly over scan_fraction of the frame period, from t_us on",
        "adc_bits": converter["adc_bits"],
        "sensor": dict(sensor),
        "full_scale": converter["full_scale"],
        "load_cell": dict(GEOMETRY["load_cell"]),
        "tiles": [
            {
                "id": _LETTERS[k],
                "x": round(pose.x, 3),
                "y": round(pose.y, 3),
                "rot": pose.rot,
                "sensors": listed,
            }
            for k, pose in enumerate(poses)
        ],
        "table_id": table_id,
    }


def channels(tiles: int = 4) -> list[Channel]:
    """Every address of every multiplexer, with what is connected to it."""
    out: list[Channel] = []
    sensor = 0
    for tile in range(tiles):
        letter = _LETTERS[tile]
        first = sensor
        for k, multiplexer in enumerate(GEOMETRY["multiplexer"]):
            number = tile * len(GEOMETRY["multiplexer"]) + k
            for address in range(multiplexer["sensors"]):
                out.append(Channel(number, address, f"{letter}{sensor - first}", sensor))
                sensor += 1
            for address, name in enumerate(multiplexer["spare"], start=multiplexer["sensors"]):
                out.append(Channel(number, address, f"{letter}_{name}"))
    return out


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the table.json of an arrangement of tiles.")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--layout", choices=LAYOUTS)
    what.add_argument("--poses", help='"x,y,rot x,y,rot ..." of the tiles\' centroids, mm and degrees')
    what.add_argument("--channels", action="store_true", help="the multiplexers' map instead")
    parser.add_argument("--table-id", default="reference")
    options = parser.parse_args(arguments)
    if options.channels:
        for channel in channels():
            print(f"{channel.multiplexer:2} {channel.address:2} {channel.name}")
        return 0
    if options.layout:
        poses = layout(options.layout)
    else:
        try:
            poses = [Pose(*map(float, pose.split(","))) for pose in options.poses.split()]
        except (ValueError, TypeError):
            parser.error('--poses wants "x,y,rot" for each tile, with spaces between the tiles')
    try:
        made = table(poses, options.table_id)
    except ValueError as error:
        parser.error(str(error))
    json.dump(made, sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
