"""Values of a table.json, checked one by one.

Each function raises ValueError, naming the field, where it is missing, of the wrong kind or out of range. where: what
stands before the field's name in the message.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def check_units(obj: Mapping[str, Any]) -> None:
    """That the file is in the units of this program, where it names any."""
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


def number(obj: Mapping[str, Any], key: str, above: float | None = None, where: str = "") -> float:
    """A finite number."""
    value = _get(obj, key, where)
    if isinstance(value, bool) or not isinstance(value, int | float) or not _finite(value):
        raise ValueError(f"table.json: {where}{key} must be a number, not {value!r}")
    if above is not None and value <= above:
        raise ValueError(f"table.json: {where}{key} must be above {above:g}, not {value!r}")
    return float(value)


def _finite(value: float) -> bool:
    """JSON knows whole numbers of any length; those of more than 308 digits are no finite numbers here."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def nonzero(obj: Mapping[str, Any], key: str, where: str) -> float:
    """A finite number that is not 0."""
    value = number(obj, key, where=where)
    if value == 0.0:
        raise ValueError(f"table.json: {where}{key} must not be 0")
    return value


def integer(obj: Mapping[str, Any], key: str, low: int, high: int) -> int:
    """A whole number from low to high."""
    value = _get(obj, key, "")
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"table.json: {key} must be a whole number from {low} to {high}, not {value!r}")
    return value


def as_mapping(value: Any, where: str) -> Mapping[str, Any]:
    """The value, which must be an object."""
    if not isinstance(value, Mapping):
        raise ValueError(f"table.json: {where} must be an object")
    return value


def mapping(obj: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """An object."""
    return as_mapping(_get(obj, key, ""), key)


def sequence(obj: Mapping[str, Any], key: str, where: str = "") -> Sequence[Any]:
    """A list that is not empty."""
    value = _get(obj, key, where)
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"table.json: {where}{key} must be a list with at least one entry")
    return value


def unit_vector(obj: Mapping[str, Any], where: str) -> npt.NDArray[np.float64]:
    """The field `axis`, (3,), as a vector of length 1."""
    try:
        value = np.array(_get(obj, "axis", where), dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        value = np.zeros(0)
    length = float(np.linalg.norm(value)) if value.shape == (3,) else 0.0
    if not np.isfinite(length) or length < 1e-6:
        raise ValueError(f"table.json: {where}axis must be three numbers, not all 0")
    return value / length
