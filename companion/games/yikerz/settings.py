"""Settings of a game of ¡Yikerz!, each with the clause of docs/rules/yikerz.md that names it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from companion.games.yikerz import layout
from companion.table import SECOND, BoardTime

CHOICES: dict[str, tuple[str, ...]] = {
    "last_call": ("after", "before", "assumed"),  # Y15
    "unsaid": ("ask", "penalty"),  # Y39: no call noted when the next player starts
    "near": ("zone", "touch"),  # Y14: how near the next player's stone has to come to end the turn
    "win_wait": ("wait", "passes"),  # Y17: the next player moves within the 10 s after the last stone
    "hand_stone": ("back", "may_place"),  # Y10: a stone in the hand and not part of the collapse
    "played_stone": ("turn", "hand"),  # Y11: the stone that goes back after a fall
    "brought": ("bringer", "in_turn"),  # Y29: what a stone brought out of turn makes collapse
    "early": ("next", "bag"),  # Y33: a collapse after the 10 s, before the next stone comes
    "loser": ("most_left", "before_winner"),  # Y04: who deals next with 3 players and more
    "scoring": ("best_of", "points"),  # Y18, Y19
    "join_points": ("highest", "zero"),  # Y46: what one who joins later begins with, scoring B
    "sudden_fall": ("stays", "out"),  # Y42: whether a fall puts a player out too
    "sudden_empty": ("deal", "wins"),  # Y43: a player without stones in sudden death
    "speed": ("off", "on"),  # Y25: a limit for letting the stone go
    "play_on": ("off", "on"),  # Y25: the others play on for the places
    "touched": ("noted", "into_pile"),  # Y37: a stone that was touched
    "best_of_mode": ("at_most", "until"),  # Y41: with 3 players and more
    "answers": ("people", "nobody"),  # nobody: an unattended replay goes on with the best reading
    "begin": ("lobby", "at_once"),  # at_once: dealt at the start, for recordings and tests
}
"""Settings that are a choice of words; the default first."""


@dataclass(frozen=True, slots=True)
class Settings:
    """stones: of this box (Y47). countdown_s: Y13. best_of: rounds (Y18). points_limit: Y19. speed_s: Y25.

    mismatch_s: how long a wrong count must stand before it is asked about (Y21). dealer: player id, None: drawn with
    seed (Y26). piles, bag: fixed deal instead of Y02 (recordings). layout: name of the first round's layout (Y05).
    tile_side_mm: of this game's triangles; layout_slack_mm: how far from touching still counts as touching. The rest:
    see CHOICES.
    """

    stones: int = 20
    countdown_s: float = 10.0
    best_of: int = 3
    points_limit: int = 25
    speed_s: float = 30.0
    mismatch_s: float = 2.0
    layout: str = "novice"
    tile_side_mm: float = 150.0
    layout_slack_mm: float = 3.0
    dealer: int | None = None
    seed: int = 0
    piles: tuple[int, ...] = ()
    bag: int = 0
    last_call: str = "after"
    unsaid: str = "ask"
    near: str = "zone"
    win_wait: str = "wait"
    hand_stone: str = "back"
    played_stone: str = "turn"
    brought: str = "bringer"
    early: str = "next"
    loser: str = "most_left"
    scoring: str = "best_of"
    join_points: str = "highest"
    sudden_fall: str = "stays"
    sudden_empty: str = "deal"
    speed: str = "off"
    play_on: str = "off"
    touched: str = "noted"
    best_of_mode: str = "at_most"
    answers: str = "people"
    begin: str = "lobby"

    @property
    def countdown_us(self) -> BoardTime:
        """Y13's ten seconds as board time."""
        return round(self.countdown_s * SECOND)

    @property
    def speed_us(self) -> BoardTime:
        """Y25's limit for letting the stone go, as board time."""
        return round(self.speed_s * SECOND)

    @property
    def mismatch_us(self) -> BoardTime:
        """How long a wrong count must stand, as board time."""
        return round(self.mismatch_s * SECOND)


_RANGES: dict[str, tuple[float, float]] = {
    "stones": (2, 60),
    "countdown_s": (1.0, 120.0),
    "best_of": (1, 99),
    "points_limit": (1, 999),
    "speed_s": (3.0, 600.0),
    "tile_side_mm": (50.0, 400.0),
    "layout_slack_mm": (0.0, 20.0),
    "mismatch_s": (0.5, 60.0),
    "seed": (0, 2**63 - 1),
    "bag": (0, 60),
}
_WHOLE = frozenset({"stones", "best_of", "points_limit", "seed", "bag"})


def check_setting(name: str, value: Any) -> Any:
    """The value as it is stored. Raises ValueError, naming the setting, for a wrong name or value."""
    if name in CHOICES:
        if value not in CHOICES[name]:
            raise ValueError(f"setting {name} is one of {', '.join(CHOICES[name])}, not {value!r}")
        return value
    if name in _RANGES:
        low, high = _RANGES[name]
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not low <= value <= high or (name in _WHOLE and value != int(value)):
            raise ValueError(f"setting {name} is a number from {low:g} to {high:g}, not {value!r}")
        if name == "best_of" and value % 2 == 0:
            raise ValueError(f"setting best_of is odd, not {value!r} (Y18)")
        return int(value) if name in _WHOLE else float(value)
    if name == "layout":
        if value not in layout.NAMES:
            raise ValueError(f"setting layout is one of {', '.join(layout.NAMES)}, not {value!r} (Y05)")
        return value
    if name == "dealer":
        if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
            raise ValueError(f"setting dealer is a player's number, not {value!r}")
        return value
    if name == "piles":
        whole = isinstance(value, list | tuple) and all(type(n) is int and n >= 0 for n in value)
        if not whole:
            raise ValueError(f"setting piles is a list of whole numbers, not {value!r}")
        return tuple(value)
    raise ValueError(f"there is no setting {name!r}")


def settings_from(values: Mapping[str, Any]) -> Settings:
    """Settings of JSON values by name. Raises ValueError, naming the setting, where one is wrong."""
    return Settings(**{name: check_setting(name, value) for name, value in values.items()})


_OF_ONE_GAME = frozenset({"dealer", "piles", "bag", "seed", "begin", "answers"})


def changed_settings(settings: Settings) -> dict[str, Any]:
    """The choices of a game that are not the default, as JSON values: what another game like it begins with."""
    usual = Settings()
    chosen = {f.name: getattr(settings, f.name) for f in fields(Settings) if f.name not in _OF_ONE_GAME}
    return {name: value for name, value in chosen.items() if value != getattr(usual, name)}


SETTINGS: tuple[str, ...] = tuple(f.name for f in fields(Settings))
