"""A set of stones that were learned: what each one is, and the population that they make."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np

from companion.sensing.fields.grams import USUAL_G
from companion.sensing.fields.magnets import DEFAULT_MOMENT, DEFAULT_MOMENT_SPREAD, DEFAULT_SHAPE

LARGEST_SET: Final = 200


@dataclass(frozen=True, slots=True)
class LearnedStone:
    """number: of the stone in its set. moment: A.m2, with the spread of its logarithm; shape: the constants of
    companion.sensing.fields.dipole; thickness: mm; mass: g, None where it was not weighed; residual: what the stone's
    constants leave of its field where it was learned, as a part of the field (both rms).
    """

    number: int
    moment: float
    log_spread: float
    shape: tuple[float, float, float]
    thickness: float
    mass: float | None
    residual: float


@dataclass(frozen=True)
class StoneSet:
    """A box of stones by its name, in the order of their numbers. unshown: how many of the box were not learned."""

    name: str
    stones: tuple[LearnedStone, ...]
    unshown: int = 0

    @cached_property
    def moment(self) -> tuple[float, float]:
        """Geometric mean of the moments (A.m2) and spread of their logarithm."""
        logs = np.log([s.moment for s in self.stones])
        return float(np.exp(logs.mean())), float(np.hypot(logs.std(), 0.05))

    @cached_property
    def shape(self) -> tuple[float, float, float]:
        """Mean of the shapes' constants."""
        mean = np.mean([s.shape for s in self.stones], axis=0)
        return float(mean[0]), float(mean[1]), float(mean[2])

    @property
    def grams(self) -> tuple[float, float]:
        """Mean and spread of the masses; those of unknown stones where fewer than three were weighed."""
        known = [s.mass for s in self.stones if s.mass is not None]
        return (float(np.mean(known)), float(np.std(known))) if len(known) > 2 else USUAL_G

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "name": self.name,
            "unshown": self.unshown,
            "stones": [
                {
                    "number": s.number,
                    "moment": round(s.moment, 5),
                    "log_spread": round(s.log_spread, 5),
                    "shape": [round(v, 3) for v in s.shape],
                    "thickness": round(s.thickness, 3),
                    "mass": None if s.mass is None else round(s.mass, 3),
                    "residual": round(s.residual, 4),
                }
                for s in self.stones
            ],
        }

    @classmethod
    def from_json(cls, obj: Any) -> "StoneSet":
        """Raises ValueError, naming what is wrong, where the object is no set of stones."""
        if not isinstance(obj, Mapping) or not isinstance(obj.get("name"), str):
            raise ValueError("a set of stones needs a name")
        items = obj.get("stones")
        if not isinstance(items, list) or not 1 <= len(items) <= LARGEST_SET:
            raise ValueError(f"a set of stones needs 1 to {LARGEST_SET} stones")
        stones = tuple(_stone(item) for item in items)
        if len({s.number for s in stones}) != len(stones):
            raise ValueError("a set of stones has two stones of one number")
        unshown = obj.get("unshown", 0)  # not told by files from before it was kept
        if isinstance(unshown, bool) or not isinstance(unshown, int) or not 0 <= unshown <= LARGEST_SET:
            raise ValueError(f"of a set of stones 0 to {LARGEST_SET} are unshown, not {unshown!r}")
        return cls(obj["name"], stones, unshown)


Population: TypeAlias = tuple[float, float, tuple[float, float, float]]
"""Moment (A.m2), spread of its logarithm, shape constants."""

POPULATION: Final[Population] = (DEFAULT_MOMENT, DEFAULT_MOMENT_SPREAD, DEFAULT_SHAPE)
"""Moment, spread of its logarithm and shape where no set is learned."""


def _stone(item: Any) -> LearnedStone:
    if not isinstance(item, Mapping):
        raise ValueError("a stone of a set must be an object")
    number = item.get("number")
    shape = item.get("shape")
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 10**6:
        raise ValueError("a stone of a set needs a number from 0")
    if not isinstance(shape, list) or len(shape) != 3:
        raise ValueError(f"stone {number} needs three constants of its shape")
    half, centre, elongation = (_within({"shape": v}, "shape", number, -1e3, 1e4) for v in shape)
    mass = item.get("mass")
    return LearnedStone(
        number,
        _within(item, "moment", number, 1e-3, 10.0),
        _within(item, "log_spread", number, 0.0, 2.0),
        (half, centre, elongation),
        _within(item, "thickness", number, 0.5, 60.0),
        None if mass is None else _within(item, "mass", number, 0.05, 500.0),
        _within(item, "residual", number, 0.0, 10.0),
    )


def _within(item: Mapping[str, Any], key: str, number: int, low: float, high: float) -> float:
    value = item.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise ValueError(f"{key} of stone {number} must be from {low:g} to {high:g}, not {value!r}")
    return float(value)
