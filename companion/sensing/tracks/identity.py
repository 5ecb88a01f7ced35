"""Which stone of a learned set a track is, with a probability.

Each track keeps the log-likelihood of every stone of the set, from its field at rest and its weight. A stone is in one
place only: the probabilities of all tracks are made to fit by scaling rows and columns in turn (Sinkhorn and Knopp
1967), columns to a sum of at most 1, since not every stone need be on the board.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np

from companion.sensing.fields.stones import StoneSet
from companion.sensing.sensors.layout import Floats

WEIGHT_SPREAD_G, WEIGHT_FREEDOMS = 0.1, 3.0
"""Of one step of the load cell against a learned mass, as Student's t: mostly the noise of both, 0.06 to 0.1 g; but one
step in ten also has the pull of a magnet that moved meanwhile, or a finger that bore on the board, and is off by up to
some grams. Then a normal distribution would be sure of a wrong stone, against any field.
"""

_STRANGE: Final = 1e-4  # likelihood of the best stone below which a track may be none of the set
_ROUNDS: Final = 40


class Identity:
    """Tracks of one table. names: track -> number of the stone and its probability, once it was read at rest."""

    def __init__(self, stones: StoneSet | None) -> None:
        self.stones = stones
        self.names: dict[int, tuple[int, float]] = {}
        self._field: dict[int, Floats] = {}
        self._grams: dict[int, float] = {}

    def seen(self, track: int, likelihood: Floats) -> None:
        """Log-likelihoods (n,) of the set's stones from the field of a track at rest; replaces the last ones."""
        self._field[track] = likelihood
        self._name()

    def weighed(self, track: int, grams: float) -> None:
        """The load cell's step when the stone of a track was put down alone."""
        if self.stones is not None:
            self._grams[track] = grams
            self._name()

    def keep(self, tracks: Iterable[int]) -> None:
        """Forget all tracks but these."""
        kept = set(tracks)
        for gone in [t for t in {**self._field, **self._grams} if t not in kept]:
            self._field.pop(gone, None)
            self._grams.pop(gone, None)
            self.names.pop(gone, None)

    def _name(self) -> None:
        if self.stones is None or not self._field:
            return
        tracks = list(self._field)
        logs = np.array([self._field[t] + self.by_weight(t) for t in tracks])
        p = np.exp(logs - logs.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        p = np.maximum(p, 1e-9)
        for _ in range(_ROUNDS):
            p /= np.maximum(p.sum(axis=0, keepdims=True), 1.0)
            p /= p.sum(axis=1, keepdims=True) + _STRANGE
        for track, row in zip(tracks, p, strict=True):
            best = int(row.argmax())
            self.names[track] = (self.stones.stones[best].number, float(row[best]))

    def by_weight(self, track: int) -> Floats:
        """Log-likelihoods (n,) of the set's stones from the load cell's step alone; 0 where there was none."""
        grams = self._grams.get(track)
        if self.stones is None or grams is None:
            return np.zeros(0 if self.stones is None else len(self.stones.stones))
        off = np.array([0.0 if s.mass is None else (grams - s.mass) / WEIGHT_SPREAD_G for s in self.stones.stones])
        out: Floats = -0.5 * (WEIGHT_FREEDOMS + 1.0) * np.log1p(off**2 / WEIGHT_FREEDOMS)
        return out
