"""Keeps a table process running and carries its reports to the owner's inbox.

One thread: it starts the process, reads its socket until that closes, and starts the next one after a pause that
grows while starts keep failing. A process that ended with code 0 (a recording is over) or 2 (its source cannot be
used) is not started again. One that lives but says nothing is ended, and counts as one that died.
"""

import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.clock import MICRO, Clock, SystemClock
from companion.process.common.channel import ChannelReader, pair
from companion.process.common.child import Child, end_child, own_environment
from companion.process.referee.inbox import LinkDown, LinkUp, Message, Reports
from companion.process.table.table import FAILED, FINISHED, UNUSABLE
from companion.table import Glimpse

_FIRST_PAUSE_US = MICRO // 4
_LONGEST_PAUSE_US = 8 * MICRO
_STEADY_US = 30 * MICRO  # a process that ran for so long starts with a short pause again
_SILENT_US = 30 * MICRO  # a table process says how it is every second; in the slowest replay every 20
_START_US = 180 * MICRO  # before its first word it may learn from calibration recordings
_END_S = 3.0
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Link:
    """A running table process and the referee's end of its channel."""

    child: Child
    reader: ChannelReader


def start_table(
    source: str,
    clock: SystemClock,
    calibration: Sequence[Path] = (),
    table_file: Path | None = None,
    stored: Path | None = None,
) -> Link:
    """Start a table process that shows the same clock and inherits one end of a socket pair.

    source: "replay:FOLDER", "reports:FILE", "serial:PORT" or "ble:ADDRESS"; calibration: recordings of the same table
    to learn from; table_file: table.json of a live table; stored: the data folder with stored calibrations. Raises
    OSError.
    """
    ours, theirs = pair()
    command = [
        sys.executable, "-P", "-m", "companion.process.table.table",
        "--channel", str(theirs.fileno()), "--source", source,
        "--speed", repr(clock.speed), "--origin-ns", str(clock.origin_ns),
    ]  # fmt: skip
    if table_file is not None:
        command += ["--table", str(table_file)]
    if stored is not None:
        command += ["--stored", str(stored)]
    for folder in calibration:
        command += ["--calibration", str(folder)]
    # A group of its own: a terminal's Ctrl-C reaches the referee alone, which closes the channel, which ends the child.
    try:
        child = subprocess.Popen(
            command, pass_fds=[theirs.fileno()], env=own_environment(), stdin=subprocess.DEVNULL, process_group=0
        )
    except OSError:
        ours.close()
        raise
    finally:
        theirs.close()
    return Link(child, ChannelReader(ours))


class Supervisor:
    """Runs the thread. clock is real time, also in a scaled replay. restarts: how often a process was started again."""

    def __init__(
        self,
        start: Callable[[], Link],
        post: Callable[[Message], None],
        clock: Clock,
        on_unusable: Callable[[], None] | None = None,
        show: Callable[[Glimpse], None] | None = None,
    ) -> None:
        """show: takes what is only for the diagnostics page."""
        self._start = start
        self._post = post
        self._clock = clock
        self._on_unusable = on_unusable
        self._show = show
        self._condition = threading.Condition()
        self._stopping = False
        self._link: Link | None = None
        self._thread = threading.Thread(target=self._run, name="supervise", daemon=True)
        self.restarts = 0

    @property
    def pid(self) -> int | None:
        """Process number of the table process, None while there is none."""
        link = self._link
        return link.child.pid if link else None

    def start(self) -> None:
        self._thread.start()

    def ask(self) -> None:
        """Tell the table process, if there is one, that somebody looks at the sensors."""
        link = self._link
        if link is not None:
            link.reader.ask()

    def order(self, order: Mapping[str, Any]) -> bool:
        """Hand a person's order to the table process; False where there is none, or it takes nothing."""
        link = self._link
        return link is not None and link.reader.order(order)

    def close(self) -> None:
        """End the table process and the thread."""
        with self._condition:
            self._stopping = True
            link = self._link
            self._condition.notify_all()
        if link:
            link.reader.close()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        pause_us = _FIRST_PAUSE_US
        while True:
            began_us = self._clock.now_us()
            code = self._one_session()
            if self._stopping:
                return
            self._post(LinkDown(code == FINISHED, "unusable" if code == UNUSABLE else "ended"))
            if code == UNUSABLE and self._on_unusable:
                self._on_unusable()
            if code in (FINISHED, UNUSABLE):
                return
            if self._clock.now_us() - began_us > _STEADY_US:
                pause_us = _FIRST_PAUSE_US
            if not self._wait(pause_us):
                return
            pause_us = min(2 * pause_us, _LONGEST_PAUSE_US)
            self.restarts += 1

    def _one_session(self) -> int:
        """Start a process and read it to its end; its exit code."""
        with self._condition:
            if self._stopping:
                return FINISHED
            try:
                link = self._link = self._start()
            except OSError:  # no more processes or descriptors: tried again like a process that died
                _LOG.exception("the table process cannot be started")
                return FAILED
        self._post(LinkUp())
        silent = self._read(link.reader)
        if link.reader.refused:
            _LOG.warning("%d lines of the table process were no reports", link.reader.refused)
        link.reader.close()
        code = end_child(link.child, _END_S)
        with self._condition:
            self._link = None
        return FAILED if silent else code

    def _read(self, reader: ChannelReader) -> bool:
        """Read a session to its end. True where the process still runs but has said nothing for too long."""
        heard_us, patience_us = self._clock.now_us(), _START_US
        while (reports := reader.read()) is not None:
            if reports:
                self._post(Reports(tuple(r for r in reports if not isinstance(r, Glimpse))))
                for glimpse in reports:
                    if isinstance(glimpse, Glimpse) and self._show is not None:
                        self._show(glimpse)
                heard_us, patience_us = self._clock.now_us(), _SILENT_US
            elif self._clock.now_us() - heard_us >= patience_us:
                _LOG.error("the table process says nothing: it is ended and started again")
                return True
        return False

    def _wait(self, us: int) -> bool:
        until_us = self._clock.now_us() + us
        with self._condition:
            while not self._stopping and self._clock.now_us() < until_us:
                self._clock.wait(self._condition, until_us)
            return not self._stopping
