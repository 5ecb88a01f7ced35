"""A room with programs of the test's own in the place of aplay and espeak-ng: they keep what they were given."""

import os
import stat
import sys
from pathlib import Path
from queue import Queue

from companion.cli.run import spoken
from companion.sound.tools import Tools
from companion.sound.voice import Loudness, Voice

PATIENCE_S = 60


class Room:
    """heard: a pipe into which the player writes what it plays. reports: what the voice said is missing; kept: what it
    kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reports: Queue[tuple[str, ...]] = Queue()
        self.kept: list[Loudness] = []
        self.heard = folder / "heard"
        os.mkfifo(self.heard)

    def program(self, name: str, body: str) -> str:
        path = self.folder / name
        path.write_text(f"#!{sys.executable}\nimport sys\ndata = sys.stdin.buffer.read()\n{body}\n", "utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def player(self) -> str:
        return self.program("aplay", f"open({str(self.heard)!r}, 'wb').write(data)")

    def listen(self) -> bytes:
        """The next sound that is played."""
        return self.heard.read_bytes()

    def voice(self, loudness: Loudness, player: str = "", speech: str = "") -> Voice:
        tools = Tools(player, speech)
        return Voice(loudness, tools, spoken, self.kept.append, lambda faults: self.reports.put(tuple(faults)))

    def report(self) -> tuple[str, ...]:
        return self.reports.get(timeout=PATIENCE_S)
