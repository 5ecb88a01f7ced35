"""The table process is killed under a running game: it pauses, says so, and goes on; what was missed is an event."""

import json
import os
import signal
from pathlib import Path

from companion.clock import SystemClock
from companion.journal import MemoryJournal
from companion.process.referee.facts import TableFacts
from companion.process.referee.service import Service
from companion.process.referee.supervise import start_table
from companion.table import Complete, EventKind, TableEvent
from companion.table.codec import to_json
from tests.process.counting_game import counting
from tests.process.shown import until

SPEED = 50.0  # a restart takes well over 0.3 s of game time at any real speed
HOUR_US = 3600 * 1_000_000


def source(folder: Path) -> str:
    """A table that sees one stone placed in its first second and then nothing for an hour."""
    lines = [
        {"at": 0, **to_json(TableEvent(EventKind.PLACED, 1000, (1,), t_report_us=2000))},
        {"at": 0, **to_json(Complete(2000))},
        {"at": HOUR_US * 50, **to_json(Complete(HOUR_US * 50))},
    ]
    path = folder / "reports.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return f"reports:{path}"


def test_a_killed_table_process_pauses_the_game_until_the_next_one_speaks(tmp_path: Path) -> None:
    clock, journal = SystemClock(SPEED), MemoryJournal()
    place = source(tmp_path)
    service = Service(
        journal, {"counting": counting()}, clock, TableFacts(), lambda: start_table(place, clock), lambda: "code"
    )
    service.follow_recording({"game": "counting"})
    service.start()
    until(service, lambda view: view["state"]["stones"] == 1)
    pid = service.supervisor.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    until(service, lambda view: view["health"] == "lost")
    after = until(service, lambda view: view["state"]["unseen"] == 1 and view["state"]["stones"] == 2)
    assert after["sensors"] is True
    service.close()
    kinds = [e.new.body["kind"] for e in journal.entries("g1") if e.new.kind == "event"]
    assert kinds == ["placed", "unseen", "placed"]
    times = [e.new.t_us for e in journal.entries("g1")]
    assert times == sorted(times)
    assert service.supervisor.restarts == 1
