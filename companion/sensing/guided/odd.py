"""What single sensors and whole tiles show of one stone that lies where it was told: upside down, or deaf."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from companion.sensing.guided.spot_look import CLEAR_MT, Look
from companion.sensing.sensors.layout import Bools, Floats, TableLayout

Finding: TypeAlias = dict[str, float | str]
"""code, and what its words name: a, b, tile, n."""

_INVERTED_PART, _DEAF_PART = 0.5, 0.3


def of_sensors(layout: TableLayout, seen: Look, change: Floats, rows: Bools) -> list[Finding]:
    """Sensors of the rows (S,) near the stone whose change (S,) mT is not its field's."""
    clear = rows & (np.abs(seen.own) > CLEAR_MT)
    inverted = clear & (change * np.sign(seen.own) < -_INVERTED_PART * np.abs(seen.own))
    deaf = clear & (np.abs(change) < _DEAF_PART * np.abs(seen.own))
    out: list[Finding] = []
    for code, which in (("inverted", inverted), ("deaf", deaf)):
        if which.any():
            out.append({"code": code, "a": ", ".join(layout.names[k] for k in np.flatnonzero(which))})
    return out


def of_poles(poles: Mapping[int, int], names: list[str]) -> list[Finding]:
    """poles: of the stone as each tile shows it. Tiles that show the other one than most, or either half."""
    total = sum(poles.values())
    if poles and not total:  # no majority: which half lies upside down, a stone cannot tell
        one, other = (", ".join(names[t] for t, p in sorted(poles.items()) if p == pole) for pole in (1, -1))
        return [{"code": "poles", "a": min(one, other), "b": max(one, other)}]
    return [{"code": "pole", "a": names[tile]} for tile, pole in sorted(poles.items()) if pole * total < 0]
