"""What the referee hears from the table: reports in game time, the newest health and picture, silence and loss."""

from collections.abc import Sequence
from dataclasses import replace

from companion.clock import Clock
from companion.process.referee.axis import Axis
from companion.table import Complete, EventKind, Health, Numbered, Picture, Stone, TableEvent, TableReport

SILENCE_US = 300_000  # real time without a report after which the link is shown as stale
STILL_US = 3_000_000
"""Real time without a Complete after which presses no longer wait for one: they count at the time reached."""

_HELD = 200
GAP_US = 300_000  # game time that may be missing without anybody being asked


class Listening:
    """Follows the sessions of the table process. health, picture: the newest, in game time. here: the picture of the
    present session, None until it comes; what an earlier one saw is shown, but what people say is not held against it.

    tracks: the highest track number given so far, -1 for none. Each session's tracks are numbered on from it, since a
    new table process begins anew and its stone 1 is not the stone 1 that a game knows; but not those of a session that
    says that its numbers are the table's own (`Numbered`).
    """

    def __init__(self, axis: Axis, clock: Clock, tracks: int = -1, lost_us: int | None = None) -> None:
        """lost_us: game time up to which an earlier run had seen the table, None where there was none."""
        self._axis = axis
        self._clock = clock
        self._tracks = tracks
        self._track_offset = tracks + 1
        self._heard_us = self._completed_us = clock.now_us()
        self._lost_us = lost_us  # complete when the session before was lost
        self._health: Health | None = None
        self._held: list[TableReport] = []  # of a session whose board time cannot be mapped yet
        self.picture: Picture | None = None
        self.here: Picture | None = None
        self._pictures: list[Picture] = []  # since they were last taken

    def session(self) -> None:
        """A table process has been started."""
        self._axis.begin_session()
        self._track_offset = self._tracks + 1
        self._completed_us = self._clock.now_us()
        self.here = None
        self._held.clear()

    def forget(self) -> None:
        """A game begins that has missed nothing."""
        self._lost_us = None

    def lost(self, finished: bool, reason: str) -> None:
        """The table process has ended; finished: by itself, because its recording was over."""
        self._axis.begin_session()
        if not finished and self._lost_us is None and self._axis.complete_us >= 0:
            self._lost_us = self._axis.complete_us
        self._health = Health(max(0, self._axis.complete_us), "lost", faults=(reason,))

    def hear(self, reports: Sequence[TableReport]) -> list[TableEvent]:
        """The events among the reports, in game time; the axis' complete_us moves on."""
        now_us = self._clock.now_us()
        self._heard_us = now_us
        events: list[TableEvent] = []
        for report in self._mapped(reports, now_us):
            told = self._numbered(self._axis.to_game(report))
            if isinstance(told, TableEvent):
                events.append(told)
            elif isinstance(told, Complete):
                events += self._unseen(told.t_us)
                self._completed_us = now_us
                self._axis.complete_us = max(self._axis.complete_us, told.t_us)
            elif isinstance(told, Picture):
                self.picture = self.here = told
                self._pictures.append(told)
            elif isinstance(told, Health):
                self._health = told
            elif isinstance(told, Numbered):
                self._track_offset = 0
        return events

    def take_pictures(self) -> list[Picture]:
        """Every picture since the last call, in game time."""
        pictures, self._pictures = self._pictures, []
        return pictures

    def _numbered(self, report: TableReport) -> TableReport:
        """The report with its tracks numbered on from those of the sessions before."""
        offset = self._track_offset
        if isinstance(report, TableEvent):
            report = replace(
                report,
                stones=tuple(track + offset for track in report.stones),
                new_stones=tuple(track + offset for track in report.new_stones),
                rest=_renumbered(report.rest, offset),
            )
            self._tracks = max(self._tracks, highest_track(report))
        elif isinstance(report, Picture):
            report = replace(report, stones=_renumbered(report.stones, offset))
            self._tracks = max([self._tracks, *(stone.track for stone in report.stones)])
        return report

    def _mapped(self, reports: Sequence[TableReport], now_us: int) -> Sequence[TableReport]:
        """Reports of a session whose board time is mapped; those of one that is not yet are held back.

        The link's regression gives the mapping. A table process that never tells it is taken to have just seen what it
        reports.
        """
        if self._axis.in_session:
            return reports
        for report in reports:
            # How the table is needs no game time: a link that never gives a sample never gives a mapping.
            if isinstance(report, Health) and report.clock_offset_us is None:
                self._health = replace(report, t_us=max(0, self._axis.complete_us))
            else:
                self._held.append(report)
        told = [r.clock_offset_us for r in self._held if isinstance(r, Health) and r.clock_offset_us is not None]
        if not told and len(self._held) < _HELD:
            return ()
        newest_us = max(report.t_us for report in self._held)
        self._axis.map_session(told[0] if told else now_us - newest_us)
        held, self._held = self._held, []
        return held

    def _unseen(self, t_us: int) -> list[TableEvent]:
        """What was missed between two sessions, said once, at the new one's first Complete."""
        lost_us, self._lost_us = self._lost_us, None
        if lost_us is None or t_us - lost_us <= GAP_US:
            return []
        return [TableEvent(EventKind.UNSEEN, lost_us + 1, count=0, t_report_us=t_us, until_us=t_us)]

    @property
    def flowing(self) -> bool:
        """Whether time comes from the table now; if not, games that follow it stand still."""
        if not self._axis.in_session or (self._health is not None and self._health.state == "lost"):
            return False
        return self._clock.now_us() - self._completed_us < self._real(STILL_US)

    def quiet_at_us(self) -> int:
        """Server clock at which the link turns stale if nothing is heard."""
        return self._heard_us + self._real(SILENCE_US)

    def _real(self, us: int) -> int:
        """Real time as server clock; not less of it in a slow replay, whose reports come as slowly."""
        return round(us * max(1.0, self._clock.rate()))

    def health(self) -> Health | None:
        """The newest health; "stale" after a silence. The silence only shows, it decides nothing."""
        health = self._health
        if health and health.state == "ok" and self._clock.now_us() >= self.quiet_at_us():
            return replace(health, state="stale", frame_rate=0.0)
        return health


def highest_track(event: TableEvent) -> int:
    """The highest track number that an event names, -1 for none."""
    return max([-1, *event.stones, *event.new_stones, *(stone.track for stone in event.rest)])


def _renumbered(stones: Sequence[Stone], offset: int) -> tuple[Stone, ...]:
    return tuple(replace(stone, track=stone.track + offset) for stone in stones)
