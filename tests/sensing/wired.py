"""A board that is not as table.json has it: cables, wires, tiles, sensors."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from companion.sensing.baseline.reading import Reading
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import DEFAULT_SHAPE, Magnets, magnet
from companion.sensing.guided.check import CheckStep
from companion.sensing.guided.sight import Sight, sight
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import Floats, Ints, TableLayout
from drivers.sample import Sample


def flat(x: float, y: float, pole: float = 1.0, moment: float = 0.29) -> Magnets:
    return magnet((x, y, 3.4), (0.0, 0.0, pole), moment, DEFAULT_SHAPE, (1.0, 0.4, 0.0))


@dataclass
class Wired:
    """believed: by table.json; lies: how the tiles do lie; source (S,): of each reading the sensor that gives it, -1
    for half the rail; sign (S,): -1 where a sensor lies upside down, 0 where it is deaf; noise: counts; spread: of
    gains; whole: through all of sensing.
    """

    believed: TableLayout
    lies: TableLayout | None = None
    source: Ints | None = None
    sign: Floats | None = None
    noise: float = 0.4
    spread: float = 0.03
    seed: int = 1
    put_off_mm: float = 4.0
    whole: bool = False
    step: CheckStep = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        count = self.believed.count
        self.gain = self.believed.gain * np.exp(self.rng.normal(0.0, self.spread, count))
        self.zero = self.believed.offset + self.rng.normal(0.0, 6.0, count)
        self.model = FieldModel.of(self.lies or self.believed)
        self.sensing = Sensing(self.believed) if self.whole else None
        self.step = CheckStep(self.believed)
        self.n = 0

    def run(self, seconds: float, *lying: Magnets) -> None:
        shown = np.zeros(self.believed.count)
        for stone in lying:
            shown = shown + self.model.fields(stone)[0]
        counts = self.zero + self.gain * shown * (1.0 if self.sign is None else self.sign)
        if self.source is not None:
            counts = np.where(self.source < 0, 512.0, counts[self.source])
        for _ in range(round(seconds * 100)):
            seen = np.clip(np.rint(counts + self.rng.normal(0.0, self.noise, len(counts))), 0, 1023)
            self.n += 1
            now = self._sight(seen)
            if now is not None:
                self.step.see(now)

    def _sight(self, counts: Floats) -> Sight | None:
        if self.sensing is not None:
            self.sensing.feed(Sample(self.n * 10_000, self.n, counts.astype("<u2").tobytes()))
            return sight(self.sensing)
        zero = self.zero if self.source is None else np.where(self.source < 0, 512.0, self.zero[self.source])
        sound = np.ones(len(counts), dtype=np.bool_)
        reading = Reading(self.n * 10_000, self.n, (counts - zero) / self.believed.gain, sound)
        sigma = np.full(len(counts), self.noise / 5.12)
        return Sight(reading, reading, sigma, 0, None, True, True, False)

    def begin(self) -> None:
        self.run(4.0)

    def put(self, x: float, y: float, pole: float = 1.0) -> None:
        """A person puts a stone there, a few mm off, and takes it off again."""
        by = self.rng.uniform(-self.put_off_mm, self.put_off_mm, 2)
        self.run(1.0, flat(x + by[0], y + by[1], pole))
        self.run(0.8)

    def all_spots(self, poles: Sequence[float] = ()) -> list[dict[str, float | str]]:
        """The whole check by a person who says that the stone does lie there where that is asked."""
        self.begin()
        k = 0
        while (spot := self.step.shown()["next"]) is not None:
            x, y = self.step.spots[spot].place
            self.put(x, y, poles[k] if k < len(poles) else 1.0)
            k += 1
            if self.step.shown()["next"] == spot:
                self.run(1.0, flat(x, y))
                assert self.step.shown()["can_say"], self.step.trouble
                self.step.tell({"put": True})
                self.run(0.8)
        return self.step.findings
