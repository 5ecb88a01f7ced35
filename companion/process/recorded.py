"""What a recording needs beside its samples: sensing for its table, the game with its settings."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.game import Game
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.recorded import settings_of
from companion.sensing.layout import TableLayout
from companion.sensing.pipeline import Sensing
from drivers.recording import Recording


class CalibrationError(Exception):
    """A calibration recording cannot be used; one sentence with what to do."""


def recorded_sensing(recording: Recording, calibration: Sequence[Recording] = ()) -> Sensing:
    """Sensing for a recording's table, given what was recorded to learn from.

    Raises CalibrationError where one of those is of another table, ValueError where table.json is not sound.
    """
    for learned in calibration:
        if learned.table_id != recording.table_id:
            raise CalibrationError(
                f"{learned.folder} was recorded at table {learned.table_id}, {recording.folder} at table "
                f"{recording.table_id}: give calibration recordings of the same table."
            )
    return Sensing(TableLayout.from_json(recording.table))


def recorded_game(game: Mapping[str, Any]) -> tuple[Game[Any], dict[str, Any]]:
    """The game of a game.json and its settings, dealt as recorded and with nobody to answer. Raises ValueError."""
    return Yikerz(), settings_of(game)
