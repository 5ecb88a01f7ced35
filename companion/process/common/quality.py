"""How good what was learned is: the same figures for the command and for the page."""

from typing import Any, Final

from companion.sensing.learning.learned import Learned

_SURE: Final = 0.02  # of a gain
_MEASURED: Final = 0.25  # of the sensors are sure, or it is no good measurement however well the few points agree
_LIMITS: Final = {"gains": (0.02, 0.035), "load": (0.005, 0.01), "stones": (0.025, 0.04), "laid": (0.15, 0.4)}
"""Up to the first it is good, up to the second fair, beyond that poor: what a part leaves unexplained, mm of tiles."""


def figures(found: Learned) -> dict[str, dict[str, Any]]:
    """By part, JSON values: "grade" ("good", "fair" or "poor"), how much was seen, and how good it is."""
    out: dict[str, dict[str, Any]] = {}
    if found.gains is not None:
        g = found.gains
        sure, grade = int((g.spread < _SURE).sum()), _grade("gains", g.residual)
        out["gains"] = {
            "grade": "fair" if grade == "good" and sure < _MEASURED * len(g.spread) else grade,
            "points": g.points,
            "percent": round(100 * g.residual, 1),
            "sure": sure,
            "n": len(g.spread),
        }
    if found.load is not None:
        load = found.load
        out["load"] = {
            "grade": _grade("load", load.misfit),
            "n": load.weights,
            "gain": round(load.gain, 2),
            "percent": round(100 * load.misfit, 2),
        }
    if found.stones is not None:
        worst = max(found.stones.stones, key=lambda s: s.residual)
        grade = _grade("stones", worst.residual)
        out["stones"] = {
            "grade": "fair" if grade == "good" and found.stones.unshown else grade,
            "n": len(found.stones.stones),
            "unshown": found.stones.unshown,
            "set": found.stones.name,
            "worst": worst.number,
            "percent": round(100 * worst.residual, 1),
        }
    if found.laid is not None:
        laid = found.laid
        within = float(laid.spread[:, :2].max())
        out["laid"] = {
            "grade": _grade("laid", within),
            "far": round(float((laid.shift**2).sum(axis=1).max() ** 0.5), 1),
            "turn": round(float(abs(laid.turn).max()) * 57.296, 1),
            "within": round(within, 2),
            "n": laid.frames,
        }
    return out


def _grade(part: str, value: float) -> str:
    good, fair = _LIMITS[part]
    return "good" if value <= good else "fair" if value <= fair else "poor"
