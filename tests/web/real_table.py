"""A whole referee behind real pages: owner, journal, server; with a table of perfect eyes where a test wants one.

Its clock runs `speed` times as fast as the real one; no test passes or fails by how fast that was.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from companion.clock import SystemClock, pause
from companion.games.game import Command
from companion.journal import MemoryJournal
from companion.process.kinds import known_kinds
from companion.process.referee.facts import TableFacts
from companion.process.referee.inbox import LinkUp, Reports
from companion.process.referee.owner import Owner
from companion.process.referee.referee import Referee
from companion.table import SECOND, BoardTime, Complete, Health, Picture, Stone, TableEvent
from companion.views.port import Answer
from tests.truth import fallen_taken, table_events
from tests.web import scenes
from tests.web.scripted import CODE
from web.serve import Serving, serve

STEP_US = SECOND // 20


class RealTable:
    """owner, referee, serving: as in the product, in this process."""

    def __init__(self, speed: float, sensors: bool) -> None:
        self.clock = SystemClock(speed)
        facts = TableFacts("Mesa", tuple(scenes.LAYOUTS["big_triangle"]), 150.0, sensors)
        self.owner = Owner(MemoryJournal(), known_kinds(), self.clock, facts)
        self.referee = Referee(self.owner, self.clock, lambda: CODE)
        self.serving: Serving = serve(self.referee, "127.0.0.1", 0)
        self.offset_us = 0
        self._presses = 0
        self._thread = threading.Thread(target=self.owner.run, name="owner", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.owner.close()
        self._thread.join()
        self.serving.close()

    def board_us(self) -> BoardTime:
        return self.clock.now_us() - self.offset_us

    def link_up(self) -> None:
        """The table begins; its board time starts now."""
        self.offset_us = self.clock.now_us()
        self.owner.inbox.post(LinkUp())
        self.see_until(0)

    def see_until(self, t_us: BoardTime) -> None:
        """Nothing happens up to this board time, and it is said."""
        while True:
            now = min(self.board_us(), max(t_us, 0))
            health = Health(now, "ok", clock_offset_us=self.offset_us)
            self.owner.inbox.post(Reports((health, Complete(now))))
            if now >= t_us:
                return
            pause(self.clock, STEP_US)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """While the block runs nothing happens on the table, and it is said all the time."""
        over = threading.Event()

        def tell() -> None:
            while not over.is_set():
                self.see_until(self.board_us())
                pause(self.clock, STEP_US)

        telling = threading.Thread(target=tell, name="table")
        telling.start()
        try:
            yield
        finally:
            over.set()
            telling.join()

    def press(self, game: str, name: str, args: Mapping[str, Any], at_us: int | None = None) -> Answer:
        """A command, pressed now or at a time of the server clock."""
        self._presses += 1
        press_us = self.clock.now_us() if at_us is None else at_us
        command = {"id": f"press-{self._presses:06d}", "game": game, "name": name, "args": args, "version": 10**6}
        return self.referee.post({**command, "press_us": press_us})

    def play(self, truth: Mapping[str, Any]) -> BoardTime:
        """Tell the truth's events from now on, and the button of Y35 where no event shows it; the time of its zero."""
        zero = self.board_us()
        lying: dict[int, Stone] = {}
        entries = sorted([*table_events(truth["events"]), *fallen_taken(truth)], key=lambda entry: entry.t_us)
        for entry in entries:
            at = zero + entry.t_us
            self.see_until(at - 1)
            if isinstance(entry, Command):
                self.press("g1", entry.name, {}, at + self.offset_us)
            else:
                self._tell(replace(entry, t_us=at, t_report_us=at), lying)
        self.see_until(self.board_us() + 12 * SECOND)
        return zero

    def _tell(self, event: TableEvent, lying: dict[int, Stone]) -> None:
        for track in event.stones:
            if event.kind in ("removed", "fell_off", "withdrawn"):
                lying.pop(track, None)
            elif event.x is not None and event.y is not None:
                held = event.kind in ("approach", "lifted")
                lying[track] = Stone(track, event.x, event.y, upright=bool(event.upright), held=held)
        picture = Picture(event.t_us, tuple(lying.values()))
        self.owner.inbox.post(Reports((event, picture, Complete(event.t_us))))


@contextmanager
def real_table(speed: float, sensors: bool = False) -> Iterator[RealTable]:
    """A table that ends with the block."""
    table = RealTable(speed, sensors)
    try:
        yield table
    finally:
        table.close()
