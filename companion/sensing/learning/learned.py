"""All that was learned of one table: gains, grams, stones, how the tiles lie; each part by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from companion.sensing.fields.stones import StoneSet
from companion.sensing.learning.calibration import Calibration
from companion.sensing.learning.seams import Laid, moved
from companion.sensing.learning.weighing import LoadGain
from companion.sensing.sensors.layout import Floats, TableLayout

PARTS: Final = ("gains", "load", "stones", "laid")

SINCE: Final = 0.015
"""By how much a gain may have changed since it was learned, as a part of it: the sensors' sensitivity changes by 0.12 %
a degree, and between a cool room and tiles that have warmed up lie twelve.
"""


@dataclass(frozen=True, eq=False)
class Learned:
    """table_id, sensors: whose it is (the sensors' names in their order). Parts that were not learned are None.

    laid holds only until the tiles are laid anew; middles (n, 2), mm: where the tiles were believed to lie then.
    """

    table_id: str
    sensors: tuple[str, ...]
    gains: Calibration | None = None
    load: LoadGain | None = None
    stones: StoneSet | None = None
    laid: Laid | None = None
    middles: Floats | None = None

    def applied(self, layout: TableLayout, as_laid: bool = False) -> TableLayout:
        """The layout with what was learned; as_laid: the tiles lie as they did when `laid` was learned.

        Raises ValueError where its sensors are others.
        """
        if layout.names != self.sensors:
            raise ValueError("the table's sensors are others than those that were calibrated")
        gain, spread = layout.gain, None
        if self.gains is not None:
            gain, spread = self.gains.gain, np.hypot(self.gains.spread, SINCE)
        layout = layout.calibrated(gain, spread, None if self.load is None else self.load.gain)
        if not as_laid or self.laid is None or self.middles is None:
            return layout
        if not np.allclose(layout.triangles.mean(axis=1), self.middles, atol=0.5):
            return layout  # another picture was laid since
        return moved(layout, self.laid.shift, self.laid.turn)

    def to_json(self) -> dict[str, Any]:
        """JSON values; parts that were not learned are left out."""
        out: dict[str, Any] = {"table_id": self.table_id, "sensors": list(self.sensors)}
        if self.gains is not None:
            g = self.gains
            out["gains"] = {
                "gain": [round(v, 5) for v in g.gain.tolist()],
                "spread": [round(v, 5) for v in g.spread.tolist()],
                "residual": round(g.residual, 5),
                "points": g.points,
            }
        if self.load is not None:
            load = self.load
            out["load"] = {"gain": round(load.gain, 4), "misfit": round(load.misfit, 5), "weights": load.weights}
        if self.stones is not None:
            out["stones"] = self.stones.to_json()
        if self.laid is not None and self.middles is not None:
            out["laid"] = {
                "middles": np.round(self.middles, 3).tolist(),
                "shift": np.round(self.laid.shift, 4).tolist(),
                "turn": np.round(self.laid.turn, 6).tolist(),
                "spread": np.round(self.laid.spread, 5).tolist(),
                "misfit": round(self.laid.misfit, 4),
                "frames": self.laid.frames,
            }
        return out

    @classmethod
    def from_json(cls, obj: Any) -> "Learned":
        """Raises ValueError, naming the part, where the object is none made by `to_json`."""
        if not isinstance(obj, Mapping) or not isinstance(obj.get("table_id"), str):
            raise ValueError("a calibration needs the table_id of its table")
        sensors = obj.get("sensors")
        if not isinstance(sensors, list) or not sensors or not all(isinstance(s, str) for s in sensors):
            raise ValueError("a calibration needs the names of the sensors")
        gains = load = laid = middles = None
        if "gains" in obj:
            part = _part(obj, "gains")
            gain, spread = (_numbers(part, key, (len(sensors),)) for key in ("gain", "spread"))
            if not (gain != 0.0).all() or not (spread > 0.0).all():
                raise ValueError("gains of a calibration must not be 0, their spreads must be above 0")
            gains = Calibration(gain, spread, _number(part, "residual"), int(_number(part, "points")))
        if "load" in obj:
            part = _part(obj, "load")
            load = LoadGain(_number(part, "gain"), _number(part, "misfit"), int(_number(part, "weights")))
            if load.gain == 0.0:
                raise ValueError("the load gain of a calibration must not be 0")
        if "laid" in obj:
            part = _part(obj, "laid")
            middles = _numbers(part, "middles", (-1, 2))
            n = len(middles)
            laid = Laid(
                _numbers(part, "shift", (n, 2)),
                _numbers(part, "turn", (n,)),
                _numbers(part, "spread", (n, 3)),
                _number(part, "misfit"),
                int(_number(part, "frames")),
            )
        stones = StoneSet.from_json(obj["stones"]) if "stones" in obj else None
        return cls(obj["table_id"], tuple(sensors), gains, load, stones, laid, middles)


def _part(obj: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    part = obj[key]
    if not isinstance(part, Mapping):
        raise ValueError(f"{key} of a calibration must be an object")
    return part


def _numbers(part: Mapping[str, Any], key: str, shape: Sequence[int]) -> Floats:
    try:
        out = np.array(part[key], dtype=np.float64)
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{key} of a calibration must be numbers") from error
    right = out.ndim == len(shape) and all(want in (-1, has) for want, has in zip(shape, out.shape, strict=True))
    if not right or not np.isfinite(out).all() or not len(out):
        raise ValueError(f"{key} of a calibration has the wrong size or numbers that are none")
    return out


def _number(part: Mapping[str, Any], key: str) -> float:
    value = part.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise ValueError(f"{key} of a calibration must be a number, not {value!r}")
    return float(value)
