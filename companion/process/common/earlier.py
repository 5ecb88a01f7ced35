"""How the tiles of a table.json lay before, kept beside it: table.before.json, oldest first.

Programs up to this list kept the file before in its place, as table.last.json: read as the one earlier laying that it
is, until there is a list.
"""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from drivers.recording import RecordingError, read_table

MOST: Final = 20
"""Earlier layings that are kept."""
LAST: Final = "table.last.json"

Poses: TypeAlias = tuple[tuple[float, float, float], ...]
"""x, y (mm) and degrees of each tile."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """How the tiles lay until a time, as a person reads it ("" where it is not known); whether they were weighed."""

    until: str
    poses: Poses
    weighed: bool


def beside(file: Path) -> Path:
    """Where the earlier layings of a table.json are kept."""
    return file.with_name(f"{file.stem}.before.json")


def earlier_layings(file: Path) -> list[Earlier]:
    """How the tiles of a table.json lay before, oldest first; without what cannot be read."""
    try:
        items = json.loads(beside(file).read_bytes())
    except FileNotFoundError:
        return _last(file)
    except (OSError, ValueError, RecursionError):
        return []
    read = (_earlier(item) for item in items) if isinstance(items, list) else ()
    return [each for each in read if each is not None]


def listed(earlier: Iterable[Earlier]) -> bytes:
    """The text of the file that keeps them: the newest MOST."""
    return json.dumps(
        [{"until": e.until, "tiles": e.poses, "weighed": e.weighed} for e in list(earlier)[-MOST:]]
    ).encode()


def earlier_of(table: Mapping[str, Any], until: str) -> Earlier:
    """How the tiles of a table.json's object lie, kept as an earlier laying. Raises TypeError or ValueError where its
    poses are no numbers.
    """
    poses = tuple((float(tile["x"]), float(tile["y"]), float(tile["rot"])) for tile in table["tiles"])
    return Earlier(until, poses, bool(table.get("load_cell")))


def _earlier(item: Any) -> Earlier | None:
    """One entry, from a file that anyone may have written; None where it is none."""
    if not isinstance(item, Mapping):
        return None
    until, tiles, weighed = item.get("until"), item.get("tiles"), item.get("weighed")
    if not isinstance(until, str) or not isinstance(tiles, list) or not isinstance(weighed, bool):
        return None
    poses = []
    for tile in tiles:
        if not isinstance(tile, list) or len(tile) != 3 or not all(_finite(value) for value in tile):
            return None
        poses.append((float(tile[0]), float(tile[1]), float(tile[2])))
    return Earlier(until, tuple(poses), weighed)


def _finite(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number beyond any float
        return False


def _last(file: Path) -> list[Earlier]:
    """The one that lay before by an older program; none where the file is of another table (two of a folder had one
    such file).
    """
    last = file.with_name(LAST)
    if not last.is_file():
        return []
    try:
        before = read_table(last)
        if before["table_id"] != read_table(file)["table_id"]:
            return []
        earlier = earlier_of(before, "")
    except (RecordingError, ValueError, TypeError):
        return []
    return [earlier] if all(math.isfinite(value) for pose in earlier.poses for value in pose) else []
