"""Whether the stones at rest are named rightly, and how sure the tracker was: scorer.py knows nothing of names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from companion.scoring.scorer import Poses

SURE: Final = 0.9
_NEAR_MM: Final = 12.0  # as the scorer matches stones at rest


@dataclass(frozen=True, slots=True)
class Named:
    """of: stones at rest that were given a name; right: rightly; p: sum of the probabilities told; sure, sure_right:
    those told with SURE or more.
    """

    of: int = 0
    right: int = 0
    p: float = 0.0
    sure: int = 0
    sure_right: int = 0


NONE_NAMED: Final = Named()


def named(seen: Sequence[Mapping[str, Any]], poses: Poses | None) -> Named:
    """Of the `settled` events seen, beside the poses; the stones' names are the truth's ids. No poses: none named."""
    told: list[tuple[bool, float]] = []
    if poses is None:
        return NONE_NAMED
    for event in seen:
        stones = [s for s in event.get("stones", ()) if event.get("event") == "settled"]
        if not stones:
            continue
        k, ids = poses.resting(max(event["t"], event.get("t_report", event["t"]) - 0.2))
        if not len(ids):
            continue
        place = np.array([[s["x"], s["y"]] for s in stones])
        away = np.linalg.norm(place[:, None] - poses.xy[k, ids][None], axis=2)
        for row, column in zip(*linear_sum_assignment(np.where(away < _NEAR_MM, away, 1e3)), strict=True):
            name = stones[row].get("id")
            if away[row, column] < _NEAR_MM and name is not None:
                told.append((name == ids[column], float(stones[row].get("p", 0.0))))
    sure = [right for right, p in told if p >= SURE]
    return Named(len(told), sum(right for right, _ in told), sum(p for _, p in told), len(sure), sum(sure))


def together(each: Sequence[Named]) -> Named:
    """The sums."""
    return Named(*(sum(getattr(n, name) for n in each) for name in ("of", "right", "p", "sure", "sure_right")))
