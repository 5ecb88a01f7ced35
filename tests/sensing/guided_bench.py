"""A table that is set up by hand: guiding around its sensing, over a board that a test sets."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.process.common.stored import Store
from companion.process.table.guiding import Guiding
from companion.process.table.live import live_sensing
from companion.sensing.fields.magnets import DEFAULT_SHAPE, magnet
from companion.sensing.sensors.layout import TableLayout
from tests.sensing.session import Session

FLAT = magnet((20.0, 8.0, 3.4), (0.0, 0.0, 1.0), 0.29, DEFAULT_SHAPE, (1.0, 0.0, 0.0))
OTHER = magnet((-50.0, -40.0, 3.4), (0.0, 0.0, 1.0), 0.24, DEFAULT_SHAPE, (0.0, 1.0, 0.0))
EDGE = magnet((20.0, 8.0, 7.5), (1.0, 0.0, 0.0), 0.29, DEFAULT_SHAPE, (0.0, 1.0, 0.0))


class Bench:
    """A table that is set up: a session with guiding around its sensing, files in a folder, a clock of its own."""

    def __init__(self, folder: Path, table: dict[str, Any], frame: Any) -> None:
        self.folder, self.now_us = folder, 0
        self.file = folder / "table.json"
        self.file.write_text(json.dumps(table), "utf-8")
        self.session = Session(TableLayout.from_json(table), frame)
        self.relaid: list[Mapping[str, Any]] = []
        self.guiding = Guiding(
            table, live_sensing, None, sensing=self.session.sensing, store=Store(folder), file=self.file,
            label=lambda: "2026-05-01T18:30:05Z", relaid=self.relaid.append,
        )  # fmt: skip
        self.session.sensing = self.guiding  # type: ignore[assignment]

    def run(self, seconds: float, *lying: Any, grams: float | None = None) -> dict[str, Any]:
        """What is shown after the board has looked so for some time."""
        self.session.run(seconds, lying, grams)
        self.now_us += round(seconds * 1e6)
        return self.told()

    def order(self, does: str, **more: Any) -> dict[str, Any]:
        self.guiding.take({"do": does, **more}, self.now_us)
        return self.told()

    def told(self) -> dict[str, Any]:
        self.now_us += 250_000
        self.guiding.take({"do": "look", "acts": True}, self.now_us)
        report = self.guiding.due(self.now_us, self.session.n * 10_000)
        assert report is not None
        told: dict[str, Any] = json.loads(report.told)
        assert report.step == told["step"]
        return told

    def bytes(self) -> dict[str, bytes]:
        """Every file of the data folder."""
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def weigh(self, *weights: float) -> dict[str, Any]:
        """The guided weights, one after the other."""
        for grams in weights:
            told = self.run(1.0)
            assert told["stage"] == "tell", told
            self.order("tell", grams=grams)
            self.run(1.5, grams=grams * 1.01)
            told = self.run(0.6)
        return told
