"""Wires that can be in one another's place at a table that was soldered by hand, and what that does to readings.

A plug that carries a tile's sensors can be in another tile's place (cable_look.py). Of single wires the
common pins of two multiplexers, or two of the four select lines, can be. A sensor order turned round is no fault of a
plug: it would exchange outputs with select lines, and then nothing of the tile reads anything.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from companion.sensing.sensors.layout import Ints, TableLayout
from companion.sensing.sensors.multiplexers import multiplexers

LINES: Final = 4
NOWHERE: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Crossed:
    """code: "wires" (outputs of multiplexers one and other, such as A-0 and B-2: tile and number on the template) or
    "lines" (select lines S0 to S3 of a tile); source (S,): for each sensor the one whose reading is its own, NOWHERE
    where none is.
    """

    code: str
    one: str
    other: str
    source: Ints


def crossed(layout: TableLayout, tile: int) -> Iterator[Crossed]:
    """Every pair of wires that concerns the sensors of one tile."""
    tiles = [np.flatnonzero(layout.tile == n) for n in range(len(layout.triangles))]
    named = [
        (f"{layout.names[at[0]].removesuffix('0')}-{k}", n, on)
        for n, at in enumerate(tiles)
        for k, on in enumerate(multiplexers(at))
    ]
    for (one, a, first), (other, b, second) in combinations(named, 2):
        if tile in (a, b):
            yield Crossed("wires", one, other, _exchanged(layout.count, first, second))
    own = [on for _, n, on in named if n == tile]
    for a, b in combinations(range(LINES), 2):
        yield Crossed("lines", f"S{a}", f"S{b}", _lines(layout.count, own, a, b))


def _exchanged(count: int, first: Ints, second: Ints) -> Ints:
    source = np.arange(count)
    source[first] = source[second] = NOWHERE
    both = min(len(first), len(second))
    source[first[:both]], source[second[:both]] = second[:both], first[:both]
    return source


def _lines(count: int, parts: list[Ints], a: int, b: int) -> Ints:
    source = np.arange(count)
    for on in parts:
        for address, sensor in enumerate(on.tolist()):
            bits = (address >> a & 1) ^ (address >> b & 1)
            at = address ^ (bits << a) ^ (bits << b)
            source[sensor] = on[at] if at < len(on) else NOWHERE
    return source
