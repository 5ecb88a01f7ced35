"""A virtual table stepped by hand: its bytes go to whoever listens, time passes when it is told to."""

import json
from importlib.resources import files
from typing import Any

from drivers.virtual.place import Place
from drivers.virtual.table import VirtualTable
from drivers.wire import Item, Session
from tests.drivers.board import TurningClock

TABLE = json.loads(files("drivers.virtual").joinpath("table.json").read_text("utf-8"))
PLACE = Place.of(TABLE)


class Wire:
    """In place of a cable: what the board says goes to a session, time passes when it is told to."""

    def __init__(self) -> None:
        self.connected = self.plugged = True
        self.plugs = 0
        self.heard = b""
        self.out = b""

    def plug(self) -> None:
        self.plugged, self.plugs = True, self.plugs + 1

    def unplug(self) -> None:
        self.plugged = False

    def write(self, data: bytes) -> None:
        self.out += data if self.plugged else b""

    def read(self) -> bytes:
        data, self.heard = self.heard, b""
        return data


class Rig:
    """A virtual table stepped by hand, and a session that listens."""

    def __init__(self, **options: Any) -> None:
        self.wire, self.clock = Wire(), TurningClock()
        self.said: list[tuple[str, dict[str, Any]]] = []
        options.setdefault("said", lambda what, **more: self.said.append((what, more)))
        self.table = VirtualTable(PLACE, self.wire, self.clock, **options)  # type: ignore[arg-type]
        self.session = Session(len(PLACE.gain))
        self.now_us = 0

    def run(self, seconds: float, play: bool = False) -> list[Item]:
        items: list[Item] = []
        for _ in range(round(seconds * 100)):
            self.table.step(play)
            self.now_us = self.table._now_us = self.now_us + PLACE.period_us
            data, self.wire.out = self.wire.out, b""
            items += self.session.feed(data, self.now_us)
        return items
