"""What sensing keeps of a board at rest, so that the next start need not begin from nothing.

The zeros (with what has been learned as drift since), the bodies that lie there, what the load cell showed, and the
board time. Only what was at rest is kept: what a hand holds cannot be found again where it was.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from companion.sensing.baseline.emptiness import Emptiness
from companion.sensing.baseline.reading import Reader
from companion.sensing.baseline.zero import Zero
from companion.sensing.events.scene import Scene
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import Magnets
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.sensors.weight import Scale
from companion.sensing.tracks.movers import Phase
from companion.table import BoardTime

MOST_BODIES: Final = 100
RESTS_S: Final = 0.4
MOVED_MM: Final = 8.0
"""Tiles that lie further from where they lay were laid anew; what is learned of how they lie moves them by less."""
_MOST_TILES: Final = 64
_LARGEST_TRACK: Final = 2**52


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """zero: of each sensor of the table; bodies: on the board, at rest; level_g, tare_g: what the load cell showed
    then and with the board empty (grams over its nominal offset), None where not known; t_us: board time of the
    session that kept it; corners: of the tiles as they lay then, (n, 3, 2) mm, None in a memory of a version that did
    not keep them.
    """

    table_id: str
    t_us: BoardTime
    zero: Zero
    bodies: tuple[Body, ...] = ()
    level_g: float | None = None
    tare_g: float | None = None
    corners: Floats | None = None

    def fits(self, layout: TableLayout) -> bool:
        """Whether it is of this table, of as many sensors, and its tiles lie as they lay (taken for granted where it
        does not know how).
        """
        if self.table_id != layout.table_id or len(self.zero.counts) != layout.count:
            return False
        if self.corners is None:
            return True
        same = self.corners.shape == layout.triangles.shape
        return same and float(np.abs(self.corners - layout.triangles).max(initial=0.0)) < MOVED_MM

    @property
    def tracks(self) -> tuple[int, ...]:
        """Of all stones, body by body."""
        return tuple(k for b in self.bodies for k in b.tracks)

    def to_json(self) -> dict[str, Any]:
        """JSON values; some 10 kB for four tiles."""
        zero = {
            "counts": _rounded(self.zero.counts, 3),
            "noise": _rounded(self.zero.noise, 4),
            "error": _rounded(self.zero.error, 4),
        }
        return {
            "table_id": self.table_id,
            "t_us": self.t_us,
            "zero": zero,
            "bodies": [_body_json(b) for b in self.bodies],
            "level_g": self.level_g,
            "tare_g": self.tare_g,
            "corners": None if self.corners is None else self.corners.round(1).tolist(),
        }

    @classmethod
    def from_json(cls, obj: Any) -> "Memory":
        """Raises ValueError, naming what is wrong."""
        if not isinstance(obj, Mapping):
            raise ValueError("a memory must be an object")
        table_id, t_us, bodies = obj.get("table_id"), obj.get("t_us"), obj.get("bodies")
        if not isinstance(table_id, str) or isinstance(t_us, bool) or not isinstance(t_us, int):
            raise ValueError("a memory needs its table_id and t_us")
        if not isinstance(bodies, list) or len(bodies) > MOST_BODIES or not isinstance(obj.get("zero"), Mapping):
            raise ValueError(f"a memory needs its zero and at most {MOST_BODIES} bodies")
        found = tuple(_body(item) for item in bodies)
        tracks = [k for b in found for k in b.tracks]
        if len(set(tracks)) != len(tracks):
            raise ValueError("a memory has two stones of one track")
        return cls(
            table_id,
            t_us,
            Zero.from_json(obj["zero"]),
            found,
            _grams(obj, "level_g"),
            _grams(obj, "tare_g"),
            _corners(obj.get("corners")),
        )


def remembered(
    layout: TableLayout, scene: Scene, reader: Reader, emptiness: Emptiness, t_us: BoardTime
) -> Memory | None:
    """What to keep now; None while something moves, is held or is not decided."""
    tracker, zero = scene.tracker, reader.zero
    if zero is None or scene.placed or scene.disturbed or scene.collapses.open or tracker.newborn.parked:
        return None
    if scene.weight.tell(t_us) is Scale.DISTURBED:
        return None
    for m in tracker.movers:
        if m.carried and (m.told or m.phase is not Phase.HAND):
            return None
        if m.phase is Phase.BOARD and m.awake and m.still(t_us) < RESTS_S:
            return None
    drift = layout.gain * (tracker.leftovers.bare + tracker.leftovers.background)
    known = Zero(zero.counts + drift, zero.noise, zero.error)
    bodies = tuple(m.body for m in tracker.movers if m.phase is Phase.BOARD)
    level = scene.weight.level if scene.weight.tell(t_us) is Scale.QUIET else None
    return Memory(layout.table_id, t_us, known, bodies, level, emptiness.tare_g, layout.triangles)


def _rounded(values: Floats, digits: int) -> list[float]:
    out: list[float] = np.round(values, digits).tolist()
    return out


def _body_json(body: Body) -> dict[str, Any]:
    s = body.stones
    return {
        "tracks": list(body.tracks),
        "position": s.position.round(3).tolist(),
        "axis": s.axis.round(5).tolist(),
        "log_moment": s.log_moment.round(5).tolist(),
        "shape": s.shape.round(4).tolist(),
        "side": s.side.round(5).tolist(),
    }


def _body(item: Any) -> Body:
    if not isinstance(item, Mapping) or not isinstance(item.get("tracks"), list) or not item["tracks"]:
        raise ValueError("a body of a memory needs its tracks")
    tracks = item["tracks"]
    if any(isinstance(k, bool) or not isinstance(k, int) or not 0 <= k < _LARGEST_TRACK for k in tracks):
        raise ValueError("a track of a memory must be a whole number from 0")
    n = len(tracks)
    axis, side = _array(item, "axis", (n, 3)), _array(item, "side", (n, 3))
    for name, vectors in (("axis", axis), ("side", side)):
        length = np.linalg.norm(vectors, axis=1, keepdims=True)
        if float(np.abs(length - 1.0).max()) > 0.01:
            raise ValueError(f"{name} of a body of a memory must be of unit length")
        vectors /= length
    return Body(
        tuple(tracks),
        Magnets(
            _array(item, "position", (n, 3)),
            axis,
            _array(item, "log_moment", (n,)),
            _array(item, "shape", (n, 3)),
            side,
        ),
    )


def _corners(value: Any) -> Floats | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) > _MOST_TILES:
        raise ValueError(f"corners of a memory must be of at most {_MOST_TILES} tiles")
    try:
        out = np.array(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError("corners of a memory must be numbers") from error
    if out.shape != (len(value), 3, 2) or not np.isfinite(out).all():
        raise ValueError("corners of a memory must be three points of each tile")
    return out


def _array(item: Mapping[str, Any], key: str, shape: tuple[int, ...]) -> Floats:
    try:
        out = np.array(item.get(key), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{key} of a body of a memory must be numbers") from error
    if out.shape != shape or not np.isfinite(out).all() or float(np.abs(out).max()) > 1e4:
        raise ValueError(f"{key} of a body of a memory must be {shape} finite numbers")
    return out


def _grams(obj: Mapping[str, Any], key: str) -> float | None:
    value = obj.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e6:
        raise ValueError(f"{key} of a memory must be grams or null")
    return float(value)
