"""Multiplexers: which sensors hang on each, and whether all of one show the same."""

from typing import Final

import numpy as np

from companion.sensing.sensors.layout import Bools, Floats, Ints, TableLayout

MULTIPLEXERS: Final = (14, 14, 14, 13)
"""Sensors on each of a tile's multiplexers, in the order of the tile's sensors (hardware/geometry.toml)."""

_APART_COUNTS: Final = 10.0
"""Between the zeros of the sensors of one multiplexer; no stone's field undoes that, as it differs too."""
SAME_IN_A_FRAME, SAME_IN_THE_MEAN = 4.0, 1.0
"""Counts: between readings of one sensor in one frame, with their noise, and between means of some seconds of them."""
_JOINED_FRAMES: Final = 25
_GOOD_FRAMES: Final = 200


def multiplexers(sensors: Ints) -> list[Ints]:
    """The sensors of one tile, multiplexer by multiplexer; all together where the tile is of another kind."""
    if len(sensors) != sum(MULTIPLEXERS):
        return [sensors]
    return np.split(sensors, np.cumsum(MULTIPLEXERS)[:-1])


def between(counts: Floats, first: Ints) -> Floats:
    """From the least to the most of the counts (S,) of each multiplexer, whose first sensors are first (M,): hardly
    more than nothing where all its addresses show one and the same.
    """
    spread: Floats = np.maximum.reduceat(counts, first) - np.minimum.reduceat(counts, first)
    return spread


class MultiplexerWatch:
    """Looks at the raw counts of each frame for multiplexers whose sensors all show the same though their zeros differ,
    or an end of the range, where no stone brings more than one or two: not used in that frame, "multiplexer_missing"
    after 25, until it has been well for 200.
    """

    def __init__(self, layout: TableLayout) -> None:
        tiles = [np.flatnonzero(layout.tile == n) for n in range(len(layout.triangles))]
        on = [(layout.names[at[0]].removesuffix("0"), multiplexers(at)) for at in tiles]
        self._names = [f"{name}-{n}" for name, parts in on for n in range(len(parts))]
        parts = [part for _, each in on for part in each]
        self._first = np.array([part[0] for part in parts])
        self._part = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        self._full = float(layout.full_scale)
        self._apart = self._joined = np.zeros(len(parts), dtype=np.bool_)
        self._alike = np.zeros(len(parts), dtype=np.int64)
        self._since_alike = np.full(len(parts), _GOOD_FRAMES)

    @property
    def joined(self) -> Bools:
        """The sensors (S,) of multiplexers that are named."""
        out: Bools = self._joined[self._part]
        return out

    def faults(self, told: Bools) -> tuple[str, ...]:
        """multiplexer_missing:A-1, as on the template; told (S,): sensors of parts that are told already."""
        return tuple(f"multiplexer_missing:{self._names[n]}" for n in np.flatnonzero(self._joined & ~told[self._first]))

    def zeros_known(self, zero: Floats) -> None:
        """What the sensors (S,) show without a stone, counts: those that differ there are looked at."""
        self._apart = between(zero, self._first) > _APART_COUNTS

    def update(self, counts: Floats) -> Bools:
        """Counts (S,) of the next frame; sensors (S,) that are not to be used."""
        first = counts[self._first]
        ended = (first <= SAME_IN_A_FRAME) | (first >= self._full - SAME_IN_A_FRAME)
        alike = (self._apart | ended) & (between(counts, self._first) <= SAME_IN_A_FRAME)
        self._alike = np.where(alike, self._alike + 1, 0)
        self._joined = (self._alike >= _JOINED_FRAMES) | (self._joined & (self._since_alike < _GOOD_FRAMES))
        self._since_alike = np.where(alike, 0, self._since_alike + 1)
        out: Bools = (alike | self._joined)[self._part]
        return out
