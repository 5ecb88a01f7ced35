"""Board time: integer microseconds since the first frame of the table's session (docs/architecture.md)."""

from typing import TypeAlias

BoardTime: TypeAlias = int
"""Microseconds after the first frame; integers, so that "at 9.9 s yes, at 10.0 s no" (Y32) is exact."""

SECOND: BoardTime = 1_000_000


def from_seconds(seconds: float) -> BoardTime:
    """Board time of a number of seconds, rounded to the microsecond."""
    return round(seconds * SECOND)


def to_seconds(t_us: BoardTime) -> float:
    """Seconds of a board time, for files and people."""
    return t_us / SECOND
