"""What a recording needs beside its samples: sensing for its table, the game with its settings."""

from collections.abc import Mapping
from typing import Any

from companion.games.game import Game
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.recorded import settings_of
from companion.process.common.learned import learned_layout
from companion.sensing.learning.learned import Learned
from companion.sensing.pipeline import Sensing
from drivers.recording import Recording


def recorded_sensing(recording: Recording, found: Learned | None = None) -> Sensing:
    """Sensing for a recording's table, with what was learned of it.

    Raises CalibrationError where that is another table, RecordingError where table.json is not sound.
    """
    return Sensing(learned_layout(recording, found), None if found is None else found.stones)


def recorded_game(game: Mapping[str, Any]) -> tuple[Game[Any], dict[str, Any]]:
    """The game of a game.json and its settings, dealt as recorded and with nobody to answer. Raises ValueError."""
    return Yikerz(), settings_of(game)
