"""A session over a board that a test sets, stone by stone: samples made for it, sensing, what it told."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from companion.sensing.baseline.memory import Memory
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import DEFAULT_SHAPE, Magnets, magnet
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.table import EventKind, TableEvent, TableReport
from drivers.sample import LoadSample

TARE_COUNTS, GRAM = 84_000, 420.0
STONE_G = 6.0
PLACES = [(31.0, 12.0, 3.4), (-40.0, 30.0, 3.4), (5.0, -30.0, 3.4), (0.0, 90.0, 3.4), (70.0, -20.0, 3.4)]


def stones(places: Sequence[Any], seed: int = 5) -> list[Magnets]:
    """Flat stones of the population, each turned somehow."""
    rng = np.random.default_rng(seed)
    out = []
    for place in places:
        side = np.array([*rng.normal(0.0, 1.0, 2), 0.0])
        moment = 0.29 * np.exp(rng.normal(0.0, 0.15))
        out.append(magnet(place, (0.0, 0.0, rng.choice([-1.0, 1.0])), moment, DEFAULT_SHAPE, side))
    return out


class Session:
    """One session over a board that a test sets; drift (S,) mT: what its zeros are off by."""

    def __init__(self, layout: TableLayout, frame: Any, memory: Memory | None = None, seed: int = 1) -> None:
        self.sensing = Sensing(layout, None, memory, 5000 if memory else 1)
        self.layout, self._frame, self._rng = layout, frame, np.random.default_rng(seed)
        self.drift: Floats = np.zeros(layout.count)
        self.reports: list[TableReport] = []
        self.n = 0
        self.weight_noise = 20.0  # counts
        self.weigh_every = 1  # frames

    def run(self, seconds: float, lying: Sequence[Magnets] = (), grams: float | None = None) -> "Session":
        field = self.drift.copy()
        for each in lying:
            field += FieldModel.of(self.layout).fields(each)[0]
        weight = STONE_G * len(lying) if grams is None else grams
        for _ in range(round(seconds * 100)):
            counts = TARE_COUNTS + round(GRAM * weight + self._rng.normal(0.0, self.weight_noise))
            load = () if self.n % self.weigh_every else (LoadSample(self.n * 10_000, counts),)
            self.reports += self.sensing.feed(self._frame(self.n, field=field, rng=self._rng, load=load))
            self.n += 1
        return self

    def told(self, *kinds: EventKind) -> list[TableEvent]:
        return [r for r in self.reports if isinstance(r, TableEvent) and r.kind in kinds]

    @property
    def opening(self) -> TableEvent:
        """The settled that a start tells."""
        return self.told(EventKind.SETTLED)[0]


def stored(memory: Memory) -> Memory:
    """As it comes back from the disk."""
    return Memory.from_json(json.loads(json.dumps(memory.to_json())))


def lain(memory: Memory, lying: Sequence[Magnets]) -> Memory:
    """The memory of a board with these stones, tracks 1, 2, ..."""
    bodies = tuple(Body((k,), s) for k, s in enumerate(lying, 1))
    level = None if memory.level_g is None else memory.level_g + STONE_G * len(lying)
    return replace(memory, bodies=bodies, level_g=level)


def tracks(event: TableEvent) -> list[int]:
    return sorted(stone.track for stone in event.rest)
