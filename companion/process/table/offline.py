"""A recording refereed without a person: the same link, session, sensing, order and game as at a live table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from companion.games.game import Ruling
from companion.process.table.feed import Feed, Sensing
from companion.table import BoardTime, TableEvent, TableReport
from drivers.links.link import Clock, Link
from drivers.links.replay import ReplayLink
from drivers.recording import Recording


class Referee(Protocol):
    """What turns reports into rulings (companion.process.referee.judge.Judge)."""

    def take(self, report: TableReport) -> Sequence[Ruling]:
        """The rulings that a report completes."""
        ...


@dataclass(frozen=True, slots=True)
class Reached:
    """The replay has come to this board time."""

    t_us: BoardTime


Told: TypeAlias = TableEvent | Ruling | Reached


def replay(
    recording: Recording, sensing: Sensing, referee: Referee, clock: Clock | None = None, link: Link | None = None
) -> Iterator[Told]:
    """Events and rulings as they are decided, and how far it has come.

    clock: paces it; None: as fast as it goes, with the same result. link: another way for the recording's samples to
    come than from its file.
    """
    link = link or ReplayLink(recording, clock)
    feed = Feed(link, sensing, sensors=recording.sensors, table_id=recording.table_id, clock=clock)
    while not feed.ended:
        for report in feed.step():
            if isinstance(report, TableEvent):
                yield report
            yield from referee.take(report)
        yield Reached(feed.newest_us)
