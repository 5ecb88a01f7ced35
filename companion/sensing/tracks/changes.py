"""What has changed within half a second: the mean of a quarter of a second less that of one before it.

It shows a faint stone five times as clearly as one frame does, and nothing of what stands still. The same difference
tells how uneasy the sensors are by themselves (hum, drift): most of them are far from any one stone.
"""

from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.sensing.sensors.layout import Bools, Floats

BLOCK: Final = 12
"""Frames; after each such block the change is looked at."""
MEAN: Final = 2
BETWEEN: Final = 4
"""Blocks of either mean, and between them: a hand that hardly moves has come within 0.5 s."""
BLOCKS: Final = 2 * MEAN + BETWEEN
FRAMES: Final = MEAN * BLOCK
EXPLAINS: Final = 1.5
"""Chi squared a sensor that may be left, in units of the unease: more is no single stone's."""
_MEDIAN: Final = 0.455  # of chi squared with one degree of freedom


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """by (S,) mT: less what all sensors share, 0 where not valid; trust (S,) 1/mT2 of it, unease counted, 0 where not
    valid; both (S,) mT: the sum of the two means, likewise; noise: mT of a usual sensor's change.
    """

    by: Floats
    trust: Floats
    both: Floats
    noise: float

    @property
    def damped(self) -> Floats:
        """For a matched filter whose entries have the usual noise, (S,) mT."""
        out: Floats = self.by * np.sqrt(self.trust) * self.noise
        return out

    def explained(self, own: Floats) -> bool:
        """Whether nearly all of it is a stone's whose field is own (S,) mT."""
        return float(self.trust @ (self.by - own) ** 2) < EXPLAINS * int((self.trust > 0.0).sum())


class Changes:
    """Of what is shown, frame by frame."""

    def __init__(self, sigma: Floats) -> None:
        """sigma (S,) mT: noise of a reading."""
        self._sigma = sigma
        self._blocks: deque[tuple[Floats, Bools]] = deque(maxlen=BLOCKS)
        self.again()

    def again(self) -> None:
        """What was shown before says nothing of what comes now."""
        self._blocks.clear()
        self._begin()

    def _begin(self) -> None:
        self._sum = np.zeros(len(self._sigma))
        self._valid = np.ones(len(self._sigma), dtype=np.bool_)
        self._frames = 0

    def see(self, shown: Floats, valid: Bools) -> Change | None:
        """A frame, shown (S,) mT where valid (S,): the change, where it ends a block and enough is known."""
        self._sum += np.where(valid, shown, 0.0)
        self._valid &= valid
        self._frames += 1
        if self._frames < BLOCK:
            return None
        self._blocks.append((self._sum / BLOCK, self._valid))
        self._begin()
        return self._change() if len(self._blocks) == BLOCKS else None

    def _change(self) -> Change | None:
        blocks = list(self._blocks)
        before, now = blocks[:MEAN], blocks[-MEAN:]
        valid = np.logical_and.reduce([ok for _, ok in (*before, *now)])
        if not valid.any():
            return None
        was, shows = np.mean([b for b, _ in before], axis=0), np.mean([b for b, _ in now], axis=0)
        by, both = (np.where(valid, each - np.median(each[valid]), 0.0) for each in (shows - was, shows + was))
        noise = self._sigma * np.sqrt(2.0 / FRAMES)
        unease = max(1.0, float(np.median((by / noise)[valid] ** 2)) / _MEDIAN)
        trust = np.where(valid, 1.0 / (unease * noise**2), 0.0)
        return Change(by, trust, both, float(np.median(noise)) * unease**0.5)
