"""What happened on the table, dated by board time."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from companion.table.stone import Stone
from companion.table.time import BoardTime


class EventKind(StrEnum):
    """The kinds of table events; the definitions are those of the recordings' truth."""

    APPROACH = "approach"  # a stone in a hand, not on the board, comes within 80 mm over / 30 mm beside the mats
    WITHDRAWN = "withdrawn"  # such a stone leaves again without having been placed
    PLACED = "placed"  # first touch of a mat (or of stones that lie on it: stacked)
    RELEASED = "released"  # the hand has left the stone
    COLLAPSE = "collapse"  # stones touch, at least one of them on the board (Yikerz, head of the rules)
    LIFTED = "lifted"  # a stone on the board is carried by a hand
    REMOVED = "removed"  # a lifted stone leaves the zone
    FELL_OFF = "fell_off"  # a stone that was on the board touches the table
    REFUTED = "refuted"  # a collapse that was told was none: its stones lie as they lay before
    TOPPLED = "toppled"  # a standing stone is tipped over without touching another (Y27: no fault)
    SETTLED = "settled"  # everything on the board is at rest again; carries the stones
    UNSURE = "unsure"  # something happened that cannot be told; carries what is known
    UNSEEN = "unseen"  # samples were lost from t_us to until_us; what happened then is not known


Note = Literal[
    "",
    "in_hand",  # of a collapse: one of them was in a hand
    "gap",  # it may have happened while nothing was seen
    "brief",  # a stone of it was first seen as it touched
    "slow",  # only the tracks say that they touch, and those have hardly moved
    "warm",  # the stones known from before the start were looked for
    "cold",  # a board of which nothing was known was looked at
    "restless",  # of a start: something moved
    "residual",  # of a start: what lies there does not explain the reading
    "weight",  # of a start: what lies there weighs another
    "torn",  # the stones of a collapse are seen apart
    "unmoved",  # a stone of a collapse lies alone as it lay before it
    "recount",  # the stones at rest were counted again, by weight and field
    "dark",  # it is where no sensor sees any more
    "anew",  # by its weight the board is empty, and the zeros were another board's
]
"""What `Evidence.note` is made of; each has a text on the pages (seen_note_CODE)."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why sensing says so; numbers for the page and the journal, None where not measured."""

    weight_step_g: float | None = None
    gap_mm: float | None = None
    closing_speed_mm_s: float | None = None
    residual: float | None = None  # rms of (measured - model) / noise over the rows used
    note: str = ""  # of `Note`, with a space between where there are more; never prose
    clip: str = ""  # name of the clip of what was seen, if there is one


@dataclass(frozen=True, slots=True)
class TableEvent:
    """One event.

    t_us: when it happened; t_report_us: board time of the newest sample when it was decided (>= t_us).
    stones: tracks concerned; for a collapse the whole cluster, the stone in the hand included.
    new_stones: of a collapse, those that were in no earlier cluster; chain: it grew out of an earlier cluster;
    grown: it is no other collapse, but more stones of one that has been told (t_us: when they touched).
    count: number of stones (n of a settled: stones on the board); may exceed len(stones) when some have no track.
    x, y: mm where it happened (removed: where the stones lay); upright, pole_up, stacked: of placed.
    rest: of settled, all stones on the board; of refuted, those of its stones that lie there.
    until_us: end of unseen or unsure. p: confidence, 0..1.
    """

    kind: EventKind
    t_us: BoardTime
    stones: tuple[int, ...] = ()
    count: int = 1
    t_report_us: BoardTime = 0
    x: float | None = None
    y: float | None = None
    new_stones: tuple[int, ...] = ()
    chain: bool = False
    upright: bool | None = None
    pole_up: int | None = None
    stacked: bool = False
    rest: tuple[Stone, ...] = ()
    until_us: BoardTime | None = None
    p: float = 1.0
    evidence: Evidence | None = None
    grown: bool = False
