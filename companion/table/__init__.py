"""What sensing tells the games: stones, events, pictures, completeness, health.

Standard library only; imported by sensing, games, views, journal and the processes. The types are plain frozen
data. Board time is an integer count of microseconds (`BoardTime`), so that deadlines compare exactly.
"""

from companion.table.event import EventKind, Evidence, Note, TableEvent
from companion.table.report import Complete, Glimpse, Health, Numbered, Picture, SetUp, TableReport
from companion.table.stone import Stone
from companion.table.time import SECOND, BoardTime, from_seconds, to_seconds

__all__ = [
    "SECOND",
    "BoardTime",
    "Complete",
    "EventKind",
    "Evidence",
    "Glimpse",
    "Health",
    "Note",
    "Numbered",
    "Picture",
    "SetUp",
    "Stone",
    "TableEvent",
    "TableReport",
    "from_seconds",
    "to_seconds",
]
