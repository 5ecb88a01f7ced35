"""How often the stones of a learned set can be named at all, by what is measured of them.

    python -m tests.bench.identity_limit FOLDER     with calibration-hwN and learn-hwN of each table

Draws each stone's moment and weight as they are measured, and names it by the exact likelihood of those draws: nobody
who sees no more of a stone can be right more often (Bayes). The stones' shapes count as known, or as unseen.
docs/sensing/calibration.md says what was seen.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from companion.process.common.learned import learned
from companion.sensing.fields.lying import kinds
from companion.sensing.fields.stones import LearnedStone
from companion.sensing.sensors.layout import Floats
from drivers.recording import read_recording

ODD_G: Final = 0.5
"""Spread of a step that has also the pull of a magnet, or a finger."""


@dataclass(frozen=True, slots=True)
class Measured:
    """log_spread: of a moment's logarithm, beside the learned one; grams: spread of a weight beside the learned one;
    odd: the part of steps that are off by ODD_G instead.
    """

    log_spread: float
    grams: float
    odd: float

    def drawn(self, log_moment: float, mass: float, rng: np.random.Generator) -> tuple[float, float]:
        """What is measured of a stone."""
        grams = ODD_G if rng.random() < self.odd else self.grams
        return log_moment + float(rng.normal(0.0, self.log_spread)), mass + float(rng.normal(0.0, grams))

    def by_moment(self, off: Floats) -> Floats:
        """Log-likelihoods of stones that are `off` by so much."""
        out: Floats = -0.5 * (off / self.log_spread) ** 2
        return out

    def by_weight(self, off: Floats) -> Floats:
        """The same of the weight."""
        usual = (1.0 - self.odd) / self.grams * np.exp(-0.5 * (off / self.grams) ** 2)
        out: Floats = np.log(usual + self.odd / ODD_G * np.exp(-0.5 * (off / ODD_G) ** 2) + 1e-300)
        return out


NOMINAL: Final = Measured(0.021, 0.06, 0.1)
HARD: Final = Measured(0.035, 0.1, 0.2)
BY_FIELD: Final = Measured(0.021, 1e3, 0.0)


def limit(stones: Sequence[LearnedStone], what: Measured, shapes: bool, draws: int = 200) -> float:
    """The part of draws that are named right by their exact likelihood; shapes: each stone's kind is known."""
    rng = np.random.default_rng(5)
    log_moment = np.log([s.moment for s in stones])
    mass = np.array([s.mass for s in stones])
    alike = np.zeros((len(stones), len(stones)))
    for kind in kinds(stones) if shapes else [np.arange(len(stones))]:
        alike[np.ix_(kind, kind)] = 1.0
    right = 0
    for k in range(len(stones)):
        for _ in range(draws):
            moment, grams = what.drawn(float(log_moment[k]), float(mass[k]), rng)
            likelihood = what.by_moment(log_moment - moment) + what.by_weight(mass - grams)
            right += int(np.where(alike[k] > 0.0, likelihood, -np.inf).argmax()) == k
    return right / (draws * len(stones))


def main(folder: Path) -> None:
    """Print a line for each table."""
    print(f"{'':8}{'nominal':>22}{'hard':>22}{'by the field alone':>22}   (shapes unseen, known)")
    for learn in sorted(folder.glob("learn-*")):
        calibration = folder / learn.name.replace("learn", "calibration")
        found = learned([read_recording(calibration), read_recording(learn)])
        assert found is not None
        assert found.stones is not None
        stones = found.stones.stones
        cells = [[limit(stones, what, known) for known in (False, True)] for what in (NOMINAL, HARD, BY_FIELD)]
        print(f"{learn.name:8}" + "".join(f"{a:15.2f}, {b:.2f}" for a, b in cells))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
