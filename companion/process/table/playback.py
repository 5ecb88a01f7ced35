"""A table process without a table: plays a file of table reports, for pages and tests that need no sensing.

The file holds JSON lines in the form of companion/table/codec.py, each with "at", the microseconds after the start at
which it is sent.
"""

import json
import threading
from collections.abc import Callable
from pathlib import Path

from companion.clock import Clock
from companion.table import Health, TableReport
from companion.table.codec import from_json

_LOOK_US = 100_000  # real time: how often, at most, it looks whether the referee is still there
_HEALTH_LOOKS = 10  # and how many looks lie between two words that it lives


class ReportsFileError(Exception):
    """The file is missing or no file of reports."""


def read_reports(path: Path) -> list[tuple[int, TableReport]]:
    """(at, report) of each line. Raises ReportsFileError, naming the line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ReportsFileError(f"the file of reports {path} cannot be read: {error}") from error
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            obj = json.loads(line)
            at = int(obj.pop("at"))
            found.append((at, from_json(obj)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ReportsFileError(f"line {number} of {path} is no table report: {error}") from error
    return found


def play(path: Path, clock: Clock, send: Callable[[TableReport], None], ended: Callable[[], bool]) -> None:
    """Send each report when its time has come, until the end of the file or of the referee.

    As a real table process it says once a second that it lives, whatever the file holds.
    """
    reports = read_reports(path)
    start_us = clock.now_us()
    idle = threading.Condition()
    send(Health(0, "ok", clock_offset_us=start_us))
    looks = 0
    for at, report in reports:
        while (left := start_us + at - clock.now_us()) > 0:
            if ended():
                return
            looks += 1
            if looks % _HEALTH_LOOKS == 0:
                send(Health(clock.now_us() - start_us, "ok", clock_offset_us=start_us))
            with idle:
                clock.wait(idle, clock.now_us() + min(left, round(_LOOK_US * clock.rate())))
        send(report)
