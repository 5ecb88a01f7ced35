"""The table process is killed with stones on the board; the next one finds them, and the game goes on with them."""

import json
import os
import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.clock import SystemClock
from companion.games.yikerz.recorded import settings_of
from companion.journal import MemoryJournal
from companion.process.kinds.yikerz import yikerz
from companion.process.referee.owner import TableFacts
from companion.process.referee.service import Service
from companion.process.referee.supervise import start_table
from companion.process.table.snapshot import FILE
from drivers.recording import Recording, read_recording
from drivers.virtual.cable import Cable
from drivers.wire.framing import seal
from drivers.wire.messages import DEFINITION, PROTOCOL, Frame, Hello
from tests.process.shown import until

RECORDING = Path(__file__).parent.parent / "data" / "recordings" / "nominal-near_place-a"
PERIOD_US = 10_000
BOOT = 3


class HeldBoard(threading.Thread):
    """A board at a cable that sends a recording and, at a quiet moment, that moment again and again until it may go on.

    It begins when a host is there, however long that takes to start, and keeps real time from then on; it sends nothing
    to a host that has gone: what was not heard is not sent later.
    """

    def __init__(self, recording: Recording, cable: Cable, hold_at: int) -> None:
        super().__init__(name="held board", daemon=True)
        self._recording, self._cable, self._hold_at = recording, cable, hold_at
        self.go_on, self.stop = threading.Event(), threading.Event()
        start = int(recording.t_us[0])
        self._of = np.searchsorted(
            recording.load_t_us.astype(np.int64) - start, PERIOD_US * np.arange(len(recording.t_us))
        )

    def run(self) -> None:
        while not self._cable.connected:
            if self.stop.wait(0.01):
                return
        began, at = time.monotonic_ns(), 0
        for n in range(10**6):
            if self.stop.wait(max(0.0, (began + n * PERIOD_US * 1000 - time.monotonic_ns()) / 1e9)):
                return
            self._cable.read()
            if n % 50 == 0:
                hello = Hello(PROTOCOL, DEFINITION, BOOT, self._recording.sensors, PERIOD_US, self._recording.table_id)
                self._cable.write(b"\0" + seal(hello.encode()))
            if not self._recording.lost[at]:
                self._cable.write(self._frame(n, at))
            at += 1
            if at == self._hold_at and not self.go_on.is_set():
                at -= 40
            at = min(at, len(self._recording.t_us) - 1)

    def _frame(self, n: int, at: int) -> bytes:
        loads = self._recording.load[self._of[at] : self._of[min(at + 1, len(self._of) - 1)]].tolist()
        weighed = tuple((n * PERIOD_US, int(value)) for value in loads[:2] if value != 0x7FFFFF)
        hall = self._recording.hall[at].astype("<u2").tobytes()
        return seal(Frame(BOOT, n & 0xFFFF, n * PERIOD_US, weighed, hall).encode())


def lying(view: Mapping[str, Any]) -> dict[int, tuple[float, float]]:
    return {s["track"]: (s["x"], s["y"]) for s in view["board"]["stones"] if not s.get("held")}


@pytest.mark.slow
@pytest.mark.failure("A4")
@pytest.mark.rule("Y21", "Y23")
def test_the_game_goes_on_with_the_stones_that_lie_there(tmp_path: Path) -> None:
    """One stone is let go at 6.5 s of the recording, the next comes at 8.2 s; between them the process is killed."""
    recording = read_recording(RECORDING)
    table_file = RECORDING / "table.json"
    cable = Cable(tmp_path / "board")
    board = HeldBoard(recording, cable, hold_at=760)
    clock, journal, data = SystemClock(), MemoryJournal(), tmp_path / "data"
    data.mkdir()
    service = Service(
        journal,
        {"yikerz": yikerz()},
        clock,
        TableFacts(),
        lambda: start_table(f"serial:{cable.name}", clock, (), table_file, data),
        lambda: "code",
    )
    service.owner.follow("yikerz", settings_of(recording.game))
    service.start()
    board.start()
    try:
        until(service, lambda view: view["phase"] == "countdown" and bool(lying(view)))
        before = until(service, lambda view: (data / FILE).exists() and bool(kept_stones(data)))
        pid = service.supervisor.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
        until(service, lambda view: view["health"]["state"] == "lost")
        after = until(service, lambda view: view["health"]["state"] == "ok" and asked(journal) == ["unseen"])
        assert lying(after).keys() == lying(before).keys()
        (track,) = lying(before)
        assert lying(after)[track] == pytest.approx(lying(before)[track], abs=0.5)
        board.go_on.set()
        two = until(service, lambda view: len(lying(view)) == 2)
        assert track in lying(two)
        until(service, lambda view: sum(r["kind"] == "placed" for r in rulings(journal)) == 2)
    finally:
        board.stop.set()
        board.join()
        service.close()
        cable.unplug()
    told = rulings(journal)
    assert [r["kind"] for r in told if r["kind"] in ("mismatch", "missing", "collapse", "fell_off", "unsure")] == []
    first, second = (r["player"] for r in told if r["kind"] == "placed")
    assert first != second


def asked(journal: MemoryJournal) -> list[str]:
    """What would have been asked."""
    return [r["data"]["code"] for r in rulings(journal) if r["kind"] == "question"]


def kept_stones(data: Path) -> int:
    """Stones in the memory on the disk."""
    memory = json.loads((data / FILE).read_bytes())["memory"]
    return sum(len(body["tracks"]) for body in memory["bodies"])


def rulings(journal: MemoryJournal) -> list[Mapping[str, Any]]:
    return [ruling for entry in journal.entries("g1") for ruling in entry.new.rulings]
