"""Where the sensors of a table are and what they should read: table.json, turned into arrays.

Everything is in the table frame: mm, x and y along the table, z up from the mats' top. Sensors keep the
order in which table.json lists them, tile by tile; that is the order of Sample.hall.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, sqrt
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from companion.sensing.sensors.overlap import check_apart
from companion.sensing.sensors.table_json import (
    as_mapping,
    check_units,
    integer,
    mapping,
    nonzero,
    number,
    sequence,
    unit_vector,
)

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

GAIN_SPREAD: Final = 0.03
"""Of the relative gains before anything is learned (sensors of the same kind)."""


@dataclass(frozen=True, eq=False)
class TableLayout:
    """A table's geometry and nominal electronics (S sensors on n tiles).

    position (S, 3) mm; axis (S, 3) unit vectors; gain (S,) counts/mT; gain_spread (S,): standard deviation of what is
    believed of it, as a part; offset (S,) counts; tile (S,) index of
    the tile; delay_us (S,) after the frame's start; triangles (n, 3, 2) mm, corners of the mats; names (S,)
    such as "A17", the tile's id and the place in its list, from 0. adc_bits: counts run from 0 to full_scale.
    range_mt: beyond it a sensor saturates. load_gain: counts/g; load_offset: counts; both 0 without a load
    cell.
    table_below: mm from the mats' top down to the table that the board stands on. Gains and offsets are
    nominal until `calibrated` replaces them.
    """

    table_id: str
    position: Floats
    axis: Floats
    gain: Floats
    gain_spread: Floats
    offset: Floats
    tile: Ints
    delay_us: Floats
    triangles: Floats
    names: tuple[str, ...]
    adc_bits: int
    range_mt: float
    frame_rate: float
    load_gain: float
    load_offset: float
    load_rate: float
    table_below: float

    @property
    def count(self) -> int:
        """Number of sensors, S."""
        return len(self.gain)

    @property
    def full_scale(self) -> int:
        """The highest count that the converter gives."""
        return int(2**self.adc_bits - 1)

    @cached_property
    def columns(self) -> Floats:
        """Positions and axes as columns (6, S), as the C kernel takes them."""
        return np.ascontiguousarray(np.concatenate([self.position.T, self.axis.T]))

    @cached_property
    def neighbours(self) -> tuple[Ints, ...]:
        """For each sensor the sensors within 1.3 times the distance of its nearest one, nearest first."""
        flat = self.position[:, :2]
        out: list[Ints] = []
        for k in range(self.count):
            away = np.hypot(*(flat - flat[k]).T)
            away[k] = np.inf
            near = np.flatnonzero(away <= 1.3 * away.min())
            out.append(near[np.argsort(away[near], kind="stable")].astype(np.int64))
        return tuple(out)

    def beside(self, points: npt.ArrayLike) -> Floats:
        """Distance in mm of points (..., 2) from the mats, measured level; 0 over them. Returns shape
        (...).
        """
        xy = np.asarray(points, dtype=np.float64)
        if xy.ndim == 1:
            return np.asarray(self._one_beside(*xy.tolist()))
        x0, y0, ex, ey, square = self._edges
        dx = xy[..., 0].reshape(-1, 1, 1) - x0
        dy = xy[..., 1].reshape(-1, 1, 1) - y0
        turn = ex * dy - ey * dx
        over = ((turn >= 0).all(axis=-1) | (turn <= 0).all(axis=-1)).any(axis=-1)
        if over.all():
            return np.zeros(xy.shape[:-1])
        along = np.minimum(np.maximum((dx * ex + dy * ey) / square, 0.0), 1.0)
        dx -= along * ex
        dy -= along * ey
        away = np.sqrt((dx * dx + dy * dy).min(axis=(1, 2)))
        return np.where(over, 0.0, away).reshape(xy.shape[:-1])

    def _one_beside(self, x: float, y: float) -> float:
        """`beside` of one point, for which arrays take longer."""
        least = inf
        for mat in self._edge_by_edge:
            left = right = True
            for x0, y0, ex, ey, square in mat:
                dx, dy = x - x0, y - y0
                turn = ex * dy - ey * dx
                left, right = left and turn >= 0.0, right and turn <= 0.0
                along = min(max((dx * ex + dy * ey) / square, 0.0), 1.0)
                dx, dy = dx - along * ex, dy - along * ey
                least = min(least, dx * dx + dy * dy)
            if left or right:
                return 0.0
        return sqrt(least)

    @cached_property
    def _edge_by_edge(self) -> list[list[list[float]]]:
        """For each mat and edge the numbers of `_edges`."""
        edges: list[list[list[float]]] = np.concatenate(self._edges).transpose(1, 2, 0).tolist()
        return edges

    @cached_property
    def _edges(self) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Of the mats' edges: where they begin (x, y), how they run (x, y), their length squared; each (1, n, 3)."""
        edge = np.roll(self.triangles, -1, axis=1) - self.triangles
        x0, y0, ex, ey = (each[None] for each in (*self.triangles.transpose(2, 0, 1), *edge.transpose(2, 0, 1)))
        return x0, y0, ex, ey, ex * ex + ey * ey

    def calibrated(
        self, gain: npt.ArrayLike, gain_spread: npt.ArrayLike | None = None, load_gain: float | None = None
    ) -> "TableLayout":
        """The same table with learned gains (S,) counts/mT, their spread (S,), and counts/g of the load cell; None: as
        it is.

        Raises ValueError on a wrong shape.
        """
        return replace(
            self,
            gain=_vector(gain, self.count, "gain"),
            gain_spread=self.gain_spread if gain_spread is None else _vector(gain_spread, self.count, "gain_spread"),
            load_gain=self.load_gain if load_gain is None or not self.load_gain else load_gain,
        )

    @classmethod
    def from_json(cls, obj: Mapping[str, Any]) -> "TableLayout":
        """Read the object of a table.json (README of the recordings describes it).

        Raises ValueError, naming the field, where one is missing, of the wrong kind or out of range.
        """
        check_units(obj)
        bits = integer(obj, "adc_bits", 8, 24)
        rate = number(obj, "frame_rate", above=0.0)
        side = number(obj, "side", above=0.0)
        range_mt = number(mapping(obj, "sensor"), "range_mt", above=0.0, where="sensor.")
        fraction = number(obj, "scan_fraction", above=0.0)
        if fraction > 1.0:
            raise ValueError(f"table.json: scan_fraction must be at most 1, not {fraction}")
        table_id = obj.get("table_id", "")
        if not isinstance(table_id, str):
            raise ValueError("table.json: table_id must be a text")
        position: list[list[float]] = []
        axis: list[list[float]] = []
        gain: list[float] = []
        offset: list[float] = []
        tile: list[int] = []
        names: list[str] = []
        triangles: list[Floats] = []
        for n, item in enumerate(sequence(obj, "tiles")):
            where = f"tiles[{n}]."
            entry = as_mapping(item, where[:-1])
            name = str(entry.get("id", n))
            turn = np.deg2rad(number(entry, "rot", where=where))
            spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
            origin = np.array([number(entry, "x", where=where), number(entry, "y", where=where)])
            corners = side / np.sqrt(3.0) * np.array([[0.0, 1.0], [-np.sqrt(0.75), -0.5], [np.sqrt(0.75), -0.5]])
            triangles.append(origin + corners @ spin.T)
            for k, raw in enumerate(sequence(entry, "sensors", where)):
                here = f"{where}sensors[{k}]."
                sensor = as_mapping(raw, here[:-1])
                xy = origin + spin @ np.array([number(sensor, "x", where=here), number(sensor, "y", where=here)])
                position.append([xy[0], xy[1], number(sensor, "z", where=here)])
                direction = unit_vector(sensor, here)
                direction[:2] = spin @ direction[:2]
                axis.append(list(direction))
                gain.append(number(sensor, "gain", where=here))
                if gain[-1] == 0.0:
                    raise ValueError(f"table.json: {here}gain must not be 0")
                offset.append(number(sensor, "offset", where=here))
                tile.append(n)
                names.append(f"{name}{k}")
        count = len(gain)
        if len(set(names)) != count:
            raise ValueError("table.json: tiles need different values of id")
        check_apart(np.array(triangles))
        load = as_mapping(obj["load_cell"], "load_cell") if obj.get("load_cell") is not None else None
        return cls(
            table_id=table_id,
            position=np.array(position),
            axis=np.array(axis),
            gain=np.array(gain),
            gain_spread=np.full(count, GAIN_SPREAD),
            offset=np.array(offset),
            tile=np.array(tile, dtype=np.int64),
            delay_us=np.arange(count) / count * fraction * 1e6 / rate,
            triangles=np.array(triangles),
            names=tuple(names),
            adc_bits=bits,
            range_mt=range_mt,
            frame_rate=rate,
            load_gain=0.0 if load is None else nonzero(load, "gain", "load_cell."),
            load_offset=0.0 if load is None else number(load, "offset", where="load_cell."),
            load_rate=0.0 if load is None else number(load, "rate", above=0.0, where="load_cell."),
            table_below=number(obj, "mat_top_above_table", above=0.0),
        )


def _vector(value: npt.ArrayLike, count: int, name: str) -> Floats:
    out = np.array(value, dtype=np.float64)
    if out.shape != (count,) or not np.isfinite(out).all():
        raise ValueError(f"{name} must be {count} finite numbers, one for each sensor")
    if name == "gain" and not out.all():
        raise ValueError("gain must not be 0 for any sensor")
    return out
