"""One axis of game time for everything that a service runs.

Game time is the server clock moved by one constant, so that a page counts down to a deadline exactly. Board time of a
session of the table is mapped to it by the link's regression (`Health.clock_offset_us`), once for the session: within
a session, differences of board time stay exact. In a first run on a fresh journal game time is board time itself.
"""

from dataclasses import replace

from companion.table import SECOND, BoardTime, TableEvent, TableReport


class Axis:
    """Game time from server clock and board time. resume_us: game time reached before a stop, None on a fresh journal.

    After a stop the clock goes on a second later; what follows the table is complete only as far as it was.
    """

    def __init__(self, now_us: int, resume_us: BoardTime | None = None) -> None:
        self._constant = None if resume_us is None else resume_us + SECOND - now_us
        self._shift: int | None = None  # game time minus board time, of the present session
        self.complete_us: BoardTime = -1 if resume_us is None else resume_us

    def server_offset_us(self) -> int | None:
        """Server clock minus game time, None while game time has not begun."""
        return None if self._constant is None else -self._constant

    def from_server(self, server_us: int) -> BoardTime:
        """Game time at a reading of the server clock; begins game time if it has not begun."""
        if self._constant is None:
            self._constant = -server_us
        return server_us + self._constant

    def begin_session(self) -> None:
        """A new session of the table: its board time begins anew."""
        self._shift = None

    @property
    def in_session(self) -> bool:
        """Whether the present session's board time is mapped."""
        return self._shift is not None

    def map_session(self, offset_us: int) -> None:
        """Fix the mapping of the present session, given server clock minus board time.

        It never leads back before what was already complete.
        """
        if self._constant is None:
            self._constant = -offset_us
        self._shift = max(offset_us + self._constant, self.complete_us + 1)

    def to_game(self, report: TableReport) -> TableReport:
        """The report with its times in game time; the session is mapped."""
        assert self._shift is not None
        shift = self._shift
        if isinstance(report, TableEvent):
            until = None if report.until_us is None else report.until_us + shift
            return replace(report, t_us=report.t_us + shift, t_report_us=report.t_report_us + shift, until_us=until)
        return replace(report, t_us=report.t_us + shift)
