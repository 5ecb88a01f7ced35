"""One game folded over what sensing tells, without a person: reports in, rulings out."""

import json
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from companion.games.game import Advance, Entry, Game, Ruling
from companion.table import Complete, TableEvent, TableReport
from companion.table.codec import to_json

S = TypeVar("S")


class Judge(Generic[S]):
    """Holds events back until a Complete has passed them and applies them in order of time, and of content where
    times are equal: so any order and delay of arrival gives the same rulings.

    state: the game's, up to the last Complete. Raises ValueError, naming the setting, where settings are
    wrong.
    """

    def __init__(self, game: Game[S], settings: Mapping[str, Any]) -> None:
        self._game = game
        self.state: S = game.start(settings)
        self._waiting: list[TableEvent] = []

    def take(self, report: TableReport) -> list[Ruling]:
        """The rulings that a report completes."""
        rulings: list[Ruling] = []
        if isinstance(report, TableEvent):
            self._waiting.append(report)
        elif isinstance(report, Complete):
            due = sorted((e for e in self._waiting if e.t_us <= report.t_us), key=_order)
            self._waiting = [e for e in self._waiting if e.t_us > report.t_us]
            entries: list[Entry] = [*due, Advance(report.t_us)]
            for entry in entries:
                step = self._game.apply(self.state, entry)
                self.state = step.state
                rulings += step.rulings
        return rulings


def _order(event: TableEvent) -> tuple[int, str]:
    return event.t_us, json.dumps(to_json(event), sort_keys=True)
