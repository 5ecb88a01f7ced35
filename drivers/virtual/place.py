"""Where the mats and sensors of a table.json lie."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
_SEAM_MM2 = 3.0  # area beside an edge: table.json is rounded, and between two tiles there is no gap of a micrometre


@dataclass(frozen=True, eq=False)
class Place:
    """A table as a simulation needs it.

    corners (T, 3, 2): of the mats; sensors (S, 3), axes (S, 3): in the table frame; gain (S,) counts/mT, offset (S,)
    counts; load_gain counts/g, load_offset counts; below: from the mats' top to the table that the board stands on.
    """

    table_id: str
    corners: Floats
    sensors: Floats
    axes: Floats
    gain: Floats
    offset: Floats
    full_scale: int
    period_us: int
    scan_us: int
    load_gain: float
    load_offset: float
    load_period_us: int
    below: float

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> "Place":
        """From the object of a table.json. Raises KeyError, TypeError or ValueError where it is not one."""
        corners, sensors, axes, gain, offset = [], [], [], [], []
        for tile in table["tiles"]:
            turn = np.radians(float(tile["rot"]))
            spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
            origin = np.array([float(tile["x"]), float(tile["y"])])
            angles = np.radians([90.0, 210.0, 330.0])
            own = float(table["side"]) / np.sqrt(3.0) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
            corners.append(origin + own @ spin.T)
            for sensor in tile["sensors"]:
                x, y = origin + spin @ np.array([float(sensor["x"]), float(sensor["y"])])
                sensors.append([x, y, float(sensor["z"])])
                axis = np.array(sensor["axis"], dtype=np.float64)
                axes.append([*(spin @ axis[:2]), axis[2]])
                gain.append(float(sensor["gain"]))
                offset.append(float(sensor["offset"]))
        period_us = round(1e6 / float(table["frame_rate"]))
        load = table.get("load_cell") or {"gain": 0.0, "offset": 0.0, "rate": 80.0}
        return cls(
            table_id=str(table["table_id"]),
            corners=np.array(corners),
            sensors=np.array(sensors),
            axes=np.array(axes),
            gain=np.array(gain),
            offset=np.array(offset),
            full_scale=2 ** int(table["adc_bits"]) - 1,
            period_us=period_us,
            scan_us=round(period_us * float(table.get("scan_fraction", 1.0))),
            load_gain=float(load["gain"]),
            load_offset=float(load["offset"]),
            load_period_us=round(1e6 / float(load["rate"])),
            below=float(table["mat_top_above_table"]),
        )

    def over(self, points: Floats) -> NDArray[np.bool_]:
        """Which of points (N, 2) lie over a mat; (N,)."""
        edge = np.roll(self.corners, -1, axis=1) - self.corners
        to = points[:, None, None, :] - self.corners
        left = edge[..., 0] * to[..., 1] - edge[..., 1] * to[..., 0] >= -_SEAM_MM2
        found: NDArray[np.bool_] = np.any(np.all(left, axis=2), axis=1)
        return found

    def clear(self, x: float, y: float, margin: float) -> bool:
        """Whether everything within margin of a point lies over the mats."""
        angle = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
        ring = np.array([x, y]) + margin * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return bool(self.over(ring).all())

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The least x, y and the greatest x, y of the mats."""
        flat = self.corners.reshape(-1, 2)
        return (*map(float, flat.min(axis=0)), *map(float, flat.max(axis=0)))  # type: ignore[return-value]
