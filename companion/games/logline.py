"""A ruling as the pages list it, of every game."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.table import BoardTime


@dataclass(frozen=True, slots=True)
class LogLine:
    """A ruling as the page shows it; number counts from 1 and is what `dispute` names (Y22)."""

    number: int
    t_us: BoardTime
    kind: str
    clause: str
    player: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    asked: bool = False
