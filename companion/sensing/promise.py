"""What is promised of times: `Complete(t)` trails the newest frame by COMPLETE_LAG_US, and no event comes dated before
one already sent. What is decided later than that is dated just after the last one.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from companion.table import BoardTime, Complete, TableEvent

COMPLETE_LAG_US: Final = 380_000


@dataclass(slots=True)
class Promise:
    """heard_us: of the newest sample; last_us: of the newest frame, None before the first; complete_us: of the last
    Complete.
    """

    heard_us: BoardTime = 0
    last_us: BoardTime | None = None
    complete_us: BoardTime = -1

    def since(self, t_us: BoardTime) -> BoardTime:
        """From the newest frame to the next one, at t_us; 0 where that is the first."""
        return 0 if self.last_us is None else t_us - self.last_us

    def date(self, t_us: BoardTime) -> BoardTime:
        """The time that an event of t_us may have."""
        return max(t_us, self.complete_us + 1)

    def dated(self, events: Iterable[TableEvent]) -> list[TableEvent]:
        """The events with times that they may have, decided now."""
        out = []
        for e in events:
            t_us = self.date(e.t_us)
            until = None if e.until_us is None else max(e.until_us, t_us)
            out.append(replace(e, t_us=t_us, until_us=until, t_report_us=self.heard_us))
        return out

    def keep(self) -> list[Complete]:
        """All of the newest frame's events are told."""
        return [] if self.last_us is None else self._reach(self.last_us - COMPLETE_LAG_US)

    def end(self) -> list[Complete]:
        """No frame will follow."""
        return [] if self.last_us is None else self._reach(self.last_us)

    def _reach(self, t_us: BoardTime) -> list[Complete]:
        if t_us < 0 or t_us <= self.complete_us:
            return []
        self.complete_us = t_us
        return [Complete(t_us)]
