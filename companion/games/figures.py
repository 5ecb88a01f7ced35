"""Figures of several games put together, by the names of the players."""

from collections.abc import Iterable, Mapping
from typing import Any


def put_together(
    games: Iterable[Mapping[str, Mapping[str, Any]]], none: Mapping[str, Any], best: frozenset[str]
) -> dict[str, dict[str, Any]]:
    """Name -> figures, in the order in which they first played. none: the figures of one who has not played yet.

    Of the figures in `best` the largest counts; the others add up.
    """
    out: dict[str, dict[str, Any]] = {}
    for game in games:
        for name, figures in game.items():
            sum_up = out.setdefault(name, dict(none))
            for key, value in figures.items():
                sum_up[key] = max(sum_up[key], value) if key in best else round(sum_up[key] + value, 6)
    return out
