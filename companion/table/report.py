"""Everything that the table process sends to the referee process."""

from dataclasses import dataclass
from typing import TypeAlias

from companion.table.event import TableEvent
from companion.table.stone import Stone
from companion.table.time import BoardTime


@dataclass(frozen=True, slots=True)
class Complete:
    """Sensing promises that no event dated <= t_us will still come.

    Games advance time by nothing else. It lags the newest sample by at most 400 ms.
    """

    t_us: BoardTime


@dataclass(frozen=True, slots=True)
class Picture:
    """The board as it looks at t_us, for drawing only; games never read it. weight_g: None without a load cell."""

    t_us: BoardTime
    stones: tuple[Stone, ...]
    weight_g: float | None = None


@dataclass(frozen=True, slots=True)
class Health:
    """How the sensors and the link are.

    state: "ok", "stale" (samples stopped or sensing is > 300 ms behind), "lost" (link gone) or "starting".
    faults: codes such as "sensor_dead:A17", "load_absent", "clock_jump"; a page turns them into words.
    lag_ms: board time by which sensing is behind; frame_rate: frames/s; lost: frames lost since the start.
    clock_offset_us: monotonic clock minus board time (regression), None before it is known.
    link: where the connection to the board stands ("live", "waiting", "greeting", "scanning", ...), "" if not known.
    damaged: messages that came broken; drops: connections lost;
    rssi_dbm: strength of a radio signal; board_text: what the board said last that was no message, in its own words;
    held_by: other processes that have the board's port open, "name (number)", where it cannot be used.
    """

    t_us: BoardTime
    state: str
    faults: tuple[str, ...] = ()
    lag_ms: float = 0.0
    frame_rate: float = 0.0
    lost: int = 0
    clock_offset_us: int | None = None
    link: str = ""
    damaged: int = 0
    drops: int = 0
    rssi_dbm: int | None = None
    board_text: str = ""
    held_by: tuple[str, ...] = ()

    @property
    def late_s(self) -> int:
        """Seconds by which what is told lies behind where samples come faster than they are looked at, at least 1; 0
        where that is not so, or none come.
        """
        return max(1, round(self.lag_ms / 1000)) if self.state == "stale" and self.frame_rate else 0


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The sensors at t_us, for the diagnostics page only; sent only while somebody looks.

    S sensors on n tiles. places: x, y of each sensor (mm), in a row; corners: x, y of the three corners of each tile,
    in a row; field, residual (S): mT, what is measured and what the tracks leave of it; trusted: "1" or "0" for each
    sensor. marks: eight numbers a stone: track, x, y (mm), width, height (mm) and angle (degrees) of the ellipse of two
    standard deviations, number of the learned stone or -1, its probability. weight_g: None without a load cell; lost:
    frames lost since the start; zeroed_us: when the zeros were last learned, on an empty board, None before;
    arithmetic: what the fits are calculated with, "C" or "NumPy".
    """

    t_us: BoardTime
    places: tuple[float, ...] = ()
    corners: tuple[float, ...] = ()
    field: tuple[float, ...] = ()
    residual: tuple[float, ...] = ()
    trusted: str = ""
    marks: tuple[float, ...] = ()
    weight_g: float | None = None
    lost: int = 0
    zeroed_us: BoardTime | None = None
    arithmetic: str = ""


@dataclass(frozen=True, slots=True)
class Numbered:
    """Said first in a session whose tracks have numbers that no other session of the table gives to other stones: the
    stones that it finds again on the board after a restart keep theirs."""

    t_us: BoardTime


@dataclass(frozen=True, slots=True)
class SetUp:
    """How the setting up of the table stands; sent only while somebody looks at it, and when a step begins or ends.

    step: the guided step that is under way, "" for none; while there is one the sensors are no game's. tiles: x, y (mm)
    and degrees of each tile, in a row, as they lie now. told: what the page shows, a JSON object as text
    (companion/process/table/telling.py).
    """

    t_us: BoardTime
    step: str = ""
    tiles: tuple[float, ...] = ()
    told: str = "{}"


TableReport: TypeAlias = TableEvent | Complete | Picture | Health | Glimpse | Numbered | SetUp
