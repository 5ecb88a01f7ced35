"""What is told beside a calibration recording: where the stone lay and when, read and checked.

calibration.json has "points" and "weights", guided.json "steps"; times are seconds of the recording, places mm.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from companion.disk import why_unread
from companion.sensing.learning.calibration import KnownPoint
from companion.sensing.learning.seams import Slide
from companion.sensing.learning.showing import Showing
from companion.sensing.learning.weighing import KnownWeight

T = TypeVar("T")

_LONGEST_S = 1e5
_FARTHEST_MM = 2000.0
_HEAVIEST_G = 2e4


class CalibrationError(Exception):
    """A calibration recording cannot be used; one sentence with what to do."""


def told_object(path: Path, says: str) -> dict[str, Any]:
    try:
        obj = json.loads(path.read_bytes())
        if not isinstance(obj, dict):
            raise ValueError("not an object")
        return obj
    except (OSError, ValueError, RecursionError) as error:
        raise _unsaid(path, says, error) from error


def told_list(path: Path, key: str, read: Callable[[Any], T], says: str) -> list[T]:
    try:
        return [read(item) for item in told_object(path, says)[key]]
    except (KeyError, TypeError, ValueError) as error:
        raise _unsaid(path, says, error) from error


def _unsaid(path: Path, says: str, error: Exception) -> CalibrationError:
    cause = f"no {error}" if isinstance(error, KeyError) else why_unread(error)
    return CalibrationError(f"{path} does not say {says} ({cause}): copy the recording again.")


def _span(item: Any) -> tuple[int, int]:
    start, end = (_number(item, key, _LONGEST_S) for key in ("t0", "t1"))
    if not 0 <= start < end:
        raise ValueError("it needs t0 before t1, from 0 on")
    return round(start * 1e6), round(end * 1e6)


def _pole(item: Any) -> int:
    if item["pole_up"] not in (1, -1):
        raise ValueError("a point needs pole_up 1 or -1")
    return int(item["pole_up"])


def point(item: Any) -> KnownPoint:
    x, y, z = (_number(item, key, _FARTHEST_MM) for key in ("x", "y", "z_centre_above_mat"))
    if z <= 0:
        raise ValueError("a point needs a height above 0")
    return KnownPoint(*_span(item), x, y, z, _pole(item))


def weight(item: Any) -> KnownWeight:
    grams = _number(item, "grams", _HEAVIEST_G)
    if grams <= 0:
        raise ValueError("a weight needs grams above 0")
    return KnownWeight(*_span(item), grams)


def showing(item: Any) -> Showing:
    x, y = (_number(item, key, _FARTHEST_MM) for key in ("x", "y"))
    number = item["stone"]
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 10**6:
        raise ValueError("stone must be a number from 0")
    return Showing(number, *_span(item), x, y, _pole(item))


def slide(item: Any) -> Slide:
    first, second = item["tiles"]
    if not all(isinstance(t, int) and not isinstance(t, bool) and 0 <= t < 100 for t in (first, second)):
        raise ValueError("tiles must be two numbers from 0")
    return Slide(_span(item), (first, second))


def _number(item: Any, key: str, most: float) -> float:
    value = float(item[key])
    if not abs(value) <= most:
        raise ValueError(f"{key} is {value:g}")
    return value
