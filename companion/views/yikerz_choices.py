"""What the table may choose before a game of ¡Yikerz! begins: every setting that is about how to play, with its values.

Made from the settings' own description, so that a new choice of words appears on the set-up page by itself; a test
demands its texts of the catalogues.
"""

from typing import Any

from companion.games.yikerz.settings import CHOICES, SETTINGS
from companion.games.yikerz.state import State

NUMBERS: dict[str, tuple[int, ...]] = {
    "best_of": (1, 3, 5, 7, 9),  # Y18
    "points_limit": (10, 15, 25, 40, 50),  # Y19
    "countdown_s": (5, 10, 15, 20, 30),  # Y13
    "speed_s": (10, 20, 30, 60),  # Y25
    "stones": tuple(range(12, 25)),  # Y47
}
"""Numbers that are offered for the settings that are one."""

UNSEEN = frozenset({"answers", "begin"})
"""Settings of words that are no matter of how to play."""

_FIRST = ("scoring", "best_of", "points_limit", "last_call")


def choices(state: State) -> list[dict[str, Any]]:
    """[{name, values, value}], those that matter to every table first; value may be none of the values."""
    offered: dict[str, tuple[Any, ...]] = {**NUMBERS, **{k: v for k, v in CHOICES.items() if k not in UNSEEN}}
    known = {name: values for name, values in offered.items() if name in SETTINGS}
    names = [*(name for name in _FIRST if name in known), *(name for name in known if name not in _FIRST)]
    out = []
    for name in names:
        value = getattr(state.settings, name)
        value = int(value) if isinstance(value, float) and value == int(value) else value
        values = known[name] if value in known[name] else tuple(sorted((*known[name], value)))
        out.append({"name": name, "values": list(values), "value": value})
    return out
