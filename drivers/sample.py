"""What a link delivers: raw counts of one frame with board time. Standard library only."""

import struct
from dataclasses import dataclass
from typing import Final

COUNTS_MOST: Final = 1023
"""What a converter of 10 bits shows at its upper rail."""


@dataclass(frozen=True, slots=True)
class LoadSample:
    """One conversion of the load cell.

    counts: signed 24 bit, None on an error; error: "" or a code of firmware/messages.toml ("read_error").
    """

    t_us: int
    counts: int | None
    error: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """One frame of the sensor grid.

    t_us: board time of the frame's start (ticks widened, microseconds after the session's first frame).
    sequence: frame number, widened. hall: S little-endian uint16 raw counts in the table's sensor order.
    fresh: S bytes, 1 where the entry was measured in this frame, None if all were.
    load: conversions read since the end of the scan before, so up to a scan later than t_us.
    lost: frames missing just before this one.
    unit, scans: hall is in 1 / unit counts, the mean of so many scans, of which the newest begins at t_us.
    step: what has changed is known to so many of these units; 1 where nothing was rounded.
    arrived_us: monotonic arrival, microseconds; for the clock regression and figures, never to date events.
    """

    t_us: int
    sequence: int
    hall: bytes
    fresh: bytes | None = None
    load: tuple[LoadSample, ...] = ()
    lost: int = 0
    arrived_us: int = 0
    unit: int = 1
    scans: int = 1
    step: int = 1

    @property
    def counts(self) -> bytes:
        """hall in whole counts, as recordings have them; the rail's where a coarse mean rounds beyond it."""
        if self.unit == 1:
            return self.hall
        values = struct.unpack(f"<{len(self.hall) // 2}H", self.hall)
        whole = (min((value + self.unit // 2) // self.unit, COUNTS_MOST) for value in values)
        return struct.pack(f"<{len(values)}H", *whole)
