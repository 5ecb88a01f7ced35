"""Where the sensors of a table are and what they should read: table.json, turned into arrays.

Everything is in the table frame: mm, x and y along the table, z up from the mats' top. Sensors keep the
order in which table.json lists them, tile by tile; that is the order of Sample.hall.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

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
        _units(obj)
        bits = _integer(obj, "adc_bits", 8, 24)
        rate = _number(obj, "frame_rate", above=0.0)
        side = _number(obj, "side", above=0.0)
        range_mt = _number(_mapping(obj, "sensor"), "range_mt", above=0.0, where="sensor.")
        fraction = _number(obj, "scan_fraction", above=0.0)
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
        for n, item in enumerate(_sequence(obj, "tiles")):
            where = f"tiles[{n}]."
            entry = _as_mapping(item, where[:-1])
            name = str(entry.get("id", n))
            turn = np.deg2rad(_number(entry, "rot", where=where))
            spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
            origin = np.array([_number(entry, "x", where=where), _number(entry, "y", where=where)])
            corners = side / np.sqrt(3.0) * np.array([[0.0, 1.0], [-np.sqrt(0.75), -0.5], [np.sqrt(0.75), -0.5]])
            triangles.append(origin + corners @ spin.T)
            for k, raw in enumerate(_sequence(entry, "sensors", where)):
                here = f"{where}sensors[{k}]."
                sensor = _as_mapping(raw, here[:-1])
                xy = origin + spin @ np.array([_number(sensor, "x", where=here), _number(sensor, "y", where=here)])
                position.append([xy[0], xy[1], _number(sensor, "z", where=here)])
                direction = _axis(sensor, here)
                direction[:2] = spin @ direction[:2]
                axis.append(list(direction))
                gain.append(_number(sensor, "gain", where=here))
                if gain[-1] == 0.0:
                    raise ValueError(f"table.json: {here}gain must not be 0")
                offset.append(_number(sensor, "offset", where=here))
                tile.append(n)
                names.append(f"{name}{k}")
        count = len(gain)
        if len(set(names)) != count:
            raise ValueError("table.json: tiles need different values of id")
        load = _as_mapping(obj["load_cell"], "load_cell") if obj.get("load_cell") is not None else None
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
            load_gain=0.0 if load is None else _nonzero(load, "gain", "load_cell."),
            load_offset=0.0 if load is None else _number(load, "offset", where="load_cell."),
            load_rate=0.0 if load is None else _number(load, "rate", above=0.0, where="load_cell."),
            table_below=_number(obj, "mat_top_above_table", above=0.0),
        )


def _units(obj: Mapping[str, Any]) -> None:
    expected = {"length": "mm", "angle": "deg", "field": "mT", "gain": "counts/mT", "load_gain": "counts/g"}
    units = obj.get("units", expected)
    if not isinstance(units, Mapping):
        raise ValueError("table.json: units must be an object")
    for key, unit in expected.items():
        if units.get(key, unit) != unit:
            raise ValueError(f"table.json: units.{key} must be {unit!r}, not {units[key]!r}")


def _get(obj: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in obj:
        raise ValueError(f"table.json: {where}{key} is missing")
    return obj[key]


def _number(obj: Mapping[str, Any], key: str, above: float | None = None, where: str = "") -> float:
    value = _get(obj, key, where)
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise ValueError(f"table.json: {where}{key} must be a number, not {value!r}")
    if above is not None and value <= above:
        raise ValueError(f"table.json: {where}{key} must be above {above:g}, not {value!r}")
    return float(value)


def _nonzero(obj: Mapping[str, Any], key: str, where: str) -> float:
    value = _number(obj, key, where=where)
    if value == 0.0:
        raise ValueError(f"table.json: {where}{key} must not be 0")
    return value


def _integer(obj: Mapping[str, Any], key: str, low: int, high: int) -> int:
    value = _get(obj, key, "")
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"table.json: {key} must be a whole number from {low} to {high}, not {value!r}")
    return value


def _as_mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"table.json: {where} must be an object")
    return value


def _mapping(obj: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    return _as_mapping(_get(obj, key, ""), key)


def _sequence(obj: Mapping[str, Any], key: str, where: str = "") -> Sequence[Any]:
    value = _get(obj, key, where)
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"table.json: {where}{key} must be a list with at least one entry")
    return value


def _axis(obj: Mapping[str, Any], where: str) -> Floats:
    try:
        value = np.array(_get(obj, "axis", where), dtype=np.float64)
    except (TypeError, ValueError):
        value = np.zeros(0)
    length = float(np.linalg.norm(value)) if value.shape == (3,) else 0.0
    if not np.isfinite(length) or length < 1e-6:
        raise ValueError(f"table.json: {where}axis must be three numbers, not all 0")
    return value / length


def _vector(value: npt.ArrayLike, count: int, name: str) -> Floats:
    out = np.array(value, dtype=np.float64)
    if out.shape != (count,) or not np.isfinite(out).all():
        raise ValueError(f"{name} must be {count} finite numbers, one for each sensor")
    if name == "gain" and not out.all():
        raise ValueError("gain must not be 0 for any sensor")
    return out
