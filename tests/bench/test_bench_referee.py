"""Figures of the referee: memory of both processes, lag of the inbox, cost of a commit and of a view. No pass marks."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.clock import MICRO, SystemClock
from companion.games.yikerz.recorded import settings_of
from companion.journal import MemoryJournal, NewEntry, open_journal
from companion.process.kinds import known_kinds
from companion.process.referee.facts import TableFacts
from companion.process.referee.inbox import LinkDown, Message, Reports
from companion.process.referee.owner import Owner
from companion.process.referee.supervise import Supervisor, start_table
from companion.table import Picture

ROOT = Path(__file__).parent.parent.parent
DEMO = ROOT / "companion" / "demo" / "game3-nominal"
PICTURES = 100

pytestmark = pytest.mark.bench


def memory_mb(pid: int) -> dict[str, float]:
    """RSS, and USS (what ending the process would free), in MB."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = {key: int(value) for key, value in re.findall(r"^(\w+): +(\d+) kB", rollup, re.MULTILINE)}
    return {"rss": found["Rss"] / 1024, "uss": (found["Private_Clean"] + found["Private_Dirty"]) / 1024}


def spread(values: list[int]) -> str:
    """Median, 99th percentile and largest of microseconds, as milliseconds."""
    ordered = sorted(values)
    middle, high = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]
    return f"p50 {middle / 1000:.2f} ms, p99 {high / 1000:.2f} ms, max {ordered[-1] / 1000:.2f} ms"


def test_memory_of_both_processes(tmp_path: Path) -> None:
    """The demo at four times its speed; measured every second until its 60th second or its end."""
    service = subprocess.Popen(
        [
            *(sys.executable, "-m", "companion.cli.main", "run", "--host", "127.0.0.1", "--port", "0"),
            *("--speed", "4", "--data", str(tmp_path)),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert service.stdout is not None
    while "Ctrl-C" not in service.stdout.readline():
        pass
    peak: dict[str, dict[str, float]] = {}
    pause = threading.Event()
    for _ in range(15):
        pause.wait(1.0)
        tasks = Path(f"/proc/{service.pid}/task").iterdir()
        children = [pid for task in tasks for pid in (task / "children").read_text().split()]
        for name, pid in (("referee", service.pid), *(("table", int(child)) for child in children)):
            for key, value in memory_mb(pid).items():
                peak.setdefault(name, {})[key] = max(value, peak.get(name, {}).get(key, 0.0))
    service.send_signal(signal.SIGTERM)
    service.communicate(timeout=60)
    for name, values in peak.items():
        print(f"\n{name} process: rss {values['rss']:.1f} MB, uss {values['uss']:.1f} MB", end="")
    print()


def test_lag_of_the_inbox_and_cost_of_a_batch() -> None:
    """The demo at its own speed in front of a real owner thread, for ten seconds of pictures."""
    clock = SystemClock()
    owner = Owner(MemoryJournal(), known_kinds(), clock, TableFacts())
    owner.follow("yikerz", settings_of(json.loads((DEMO / "game.json").read_text())))
    pictures, costs, seen = 0, [], threading.Event()
    handle = owner.handle

    def timed(messages: list[Message]) -> None:
        nonlocal pictures
        before = clock.now_us()
        handle(messages)
        costs.append(clock.now_us() - before)
        told = [report for m in messages if isinstance(m, Reports) for report in m.reports]
        pictures += sum(isinstance(report, Picture) for report in told)
        if pictures >= PICTURES or any(isinstance(m, LinkDown) for m in messages):
            seen.set()

    owner.handle = timed  # type: ignore[method-assign, assignment]
    supervisor = Supervisor(lambda: start_table(f"replay:{DEMO}", clock), owner.inbox.post, clock)
    thread = threading.Thread(target=owner.run)
    thread.start()
    supervisor.start()
    assert seen.wait(300)
    supervisor.close()
    owner.close()
    thread.join()
    print(f"\ninbox: longest wait {owner.inbox.lag_us / 1000:.1f} ms; a batch: {spread(costs)} ({len(costs)} batches)")


def test_cost_of_a_commit(tmp_path: Path) -> None:
    """500 commits of one entry of 500 bytes, on the disk each, the log's moves into the file included."""
    clock, journal, costs = SystemClock(), open_journal(tmp_path), []
    for number in range(500):
        before = clock.now_us()
        journal.append([NewEntry("g1", "event", "1", number, {"pad": "x" * 500})])
        costs.append(clock.now_us() - before)
    journal.close()
    before = clock.now_us()
    open_journal(tmp_path).close()
    print(f"\ncommit: {spread(costs)}; opening 500 entries: {(clock.now_us() - before) / MICRO * 1000:.1f} ms")
