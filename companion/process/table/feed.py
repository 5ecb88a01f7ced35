"""The loop from a link to table reports, the same for a live table, a paced replay and an offline one.

    feed = Feed(link, sensing, sensors=220, clock=clock)
    while not feed.ended:
        for report in feed.step():     # waits for bytes at most timeout_s
            send(report)

`step` reads the link once, decodes, hands each sample to sensing and gives back what sensing said, in
order, with a `Health` once a second and whenever state or faults change. Sensing's own `Health`, if it
makes any, is not passed on: its faults are merged into the loop's. When the link closes, sensing is
finished, a last `Health` says "lost" and `ended` is true. It holds no thread and starts none; one thread
calls `step`, any thread may close the link.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from companion.process.common.faults import PASSING, Faults
from companion.table import BoardTime, Health, TableReport
from drivers.clockfit import ClockFit
from drivers.links.link import Link, LinkClosed, LinkStatus
from drivers.sample import Sample
from drivers.wire import BoardHealth, Diagnosis, Done, Fault, Gap, Hello, Log, Session
from drivers.wire.framing import seal
from drivers.wire.messages import Start

if TYPE_CHECKING:
    from companion.process.table.witness import Witness
    from companion.sensing.pace import Pace

STALE_US = 300_000
_HEALTH_EVERY_US = 1_000_000
_RATE_OVER = 100  # samples
_ANEW = seal(Start().encode())  # all values again, of a board that sends differences


class Sensing(Protocol):
    """The part of companion.sensing.pipeline.Sensing that the loop needs."""

    def feed(self, sample: Sample) -> Sequence[TableReport]:
        """What this sample settled."""
        ...

    def finish(self) -> Sequence[TableReport]:
        """What is left to say when no sample will come."""
        ...


class Now(Protocol):
    def now_us(self) -> int: ...


class Feed:
    """One link, one session, one sensing.

    sensors, table_id: what table.json has (table_id None: any will do). clock: the link's clock, to measure how far
    sensing is behind; None: not measured (offline). stale_us: silence or lag on that clock that makes the link stale;
    in a scaled replay the same real time is more of it. session: its counts are figures for diagnostics. hello: what
    the board said. pace: told how far sensing is behind, None where every frame is solved (recordings, whose events
    must be the same at any speed). newest_us: board time of the newest sample. again: commands for a board that has
    started again.

    Fault codes in Health: those of faults.py, "other_table" (the board says another table_id), and
    sensing's own.
    """

    def __init__(
        self,
        link: Link,
        sensing: Sensing,
        *,
        sensors: int,
        table_id: str | None = None,
        clock: Now | None = None,
        stale_us: int = STALE_US,
        power: Callable[[], tuple[str, ...]] = tuple,
        witness: "Witness | None" = None,
        again: bytes = b"",
        pace: "Pace | None" = None,
    ) -> None:
        self._again, self._pace = again, pace
        self.ended = False
        self.hello: Hello | None = None
        self.newest_us: BoardTime = 0
        self._link = link
        self.sensing = sensing
        self._clock = clock
        self.session = Session(sensors)
        self.table_id = table_id
        self._stale_us = stale_us
        self._fit, self._faults = ClockFit(), Faults(power)
        self._witness = witness
        self._sensing_faults: tuple[str, ...] = ()
        self._arrived_us: int | None = None  # of the newest sample
        self._recent: deque[BoardTime] = deque(maxlen=_RATE_OVER)
        self._told: tuple[str, tuple[str, ...], str] | None = None
        self._told_us = 0
        self._lag_us = 0

    def step(self, timeout_s: float = 0.1) -> list[TableReport]:
        """Read once and give the reports that came of it; none after `ended`."""
        if self.ended:
            return []
        try:
            data, now_us = self._link.read(timeout_s)
        except LinkClosed:
            self.ended = True
            if self._witness is not None:
                self._witness.close()
            return [*self._pass(self.sensing.finish()), self._health("lost")]
        reports: list[TableReport] = []
        for item in self.session.feed(data, now_us):
            match item:
                case Sample():
                    reports += self._sample(item)
                case Fault():
                    if item.code in PASSING:  # the board's clock begins anew
                        self._fit.reset()
                    self._faults.tell(item.code, now_us)
                case Hello():
                    self._greet(item)
                    self._faults.greeted()
                    if self.table_id not in (None, item.table_id):
                        self._faults.tell("other_table", now_us)
                case BoardHealth():
                    self._faults.board = item
                case Gap():  # the sample after it carries the loss; sensing judges it in board time
                    if self.session.blind:
                        self._send(_ANEW)
                case Log() | Diagnosis() | Done():
                    pass
        reports += self._watch(now_us)
        return reports

    def _greet(self, hello: Hello) -> None:
        """A board that has started again behind a link that stayed is told its pace again."""
        before, self.hello = self.hello, hello
        if self._again and before is not None and before.boot != hello.boot:
            self._send(self._again)

    def _send(self, data: bytes) -> None:
        with suppress(LinkClosed):
            self._link.send(data)

    @property
    def damaged(self) -> int:
        """Messages since the start that did not arrive whole."""
        counts = self.session.counts
        return counts.bad_cobs + counts.bad_crc + counts.bad_size + counts.malformed

    def close(self) -> None:
        """End the link."""
        self._link.close()

    def reports(self, timeout_s: float = 0.1) -> Iterator[TableReport]:
        """Every report until the link closes."""
        while not self.ended:
            yield from self.step(timeout_s)

    def _sample(self, sample: Sample) -> list[TableReport]:
        self.newest_us, self._arrived_us = sample.t_us, sample.arrived_us
        self._recent.append(sample.t_us)
        self._faults.sample(sample.lost, self.damaged)
        self._fit.add(sample.t_us, sample.arrived_us)
        reports = self._pass(self.sensing.feed(sample))
        if self._witness is not None:
            reports = self._witness(sample, reports)
        if self._clock is not None:
            self._lag_us = max(0, self._clock.now_us() - sample.arrived_us)
            if self._pace is not None:  # in real time, also where the clock runs faster
                self._pace.lag_us = self._lag_us * STALE_US // self._stale_us
        return reports

    def _pass(self, reports: Sequence[TableReport]) -> list[TableReport]:
        out: list[TableReport] = []
        for report in reports:
            if isinstance(report, Health):
                self._sensing_faults = report.faults
            else:
                out.append(report)
        return out

    def _watch(self, now_us: int) -> list[TableReport]:
        status = self._link.status
        if status.state != "live":
            state = "lost" if self._arrived_us is not None or status.trouble else "starting"
        elif self._arrived_us is None:
            state = "starting"
        elif now_us - self._arrived_us > self._stale_us:
            state = "stale"
            self._recent.clear()  # what came before says nothing of the rate now
        elif self._lag_us > self._stale_us:
            state = "stale"
        else:
            state = "ok"
        self._faults.at(now_us, live=status.state == "live")
        told = (state, self._all_faults(status), status.state)
        if told == self._told and now_us - self._told_us < _HEALTH_EVERY_US:
            return []
        self._told, self._told_us = told, now_us
        return [self._health(state)]

    def _all_faults(self, status: LinkStatus) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self._faults.codes(status), *self._sensing_faults)))

    def _health(self, state: str) -> Health:
        recent, counts, status = self._recent, self.session.counts, self._link.status
        span = recent[-1] - recent[0] if recent else 0
        return Health(
            t_us=self.newest_us,
            state=state,
            faults=self._all_faults(status),
            lag_ms=self._lag_us / 1000,
            frame_rate=round((len(recent) - 1) * 1e6 / span, 2) if span else 0.0,
            lost=counts.lost,
            clock_offset_us=self._fit.offset_us(self.newest_us),
            link=status.state,
            damaged=self.damaged,
            drops=status.drops,
            rssi_dbm=status.rssi_dbm,
            board_text=self.session.stray_text,
            held_by=status.held_by,
        )
