"""One game folded over what sensing tells, without a person: reports in, rulings out."""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from companion.games.fold import Fold
from companion.games.game import Game, Ruling
from companion.games.order import Order
from companion.table import Complete, TableEvent, TableReport

S = TypeVar("S")


class Judge(Generic[S]):
    """The order of time and the fold of a live game, with nobody to press anything.

    Events wait until a Complete has passed them, so that any order and delay of arrival gives the same rulings.
    Raises ValueError, naming the setting, where settings are wrong.
    """

    def __init__(self, game: Game[S], settings: Mapping[str, Any]) -> None:
        self._fold = Fold(game)
        self._folded = self._fold.start(settings)
        self._order = Order()

    @property
    def state(self) -> S:
        """The game's state up to the last Complete."""
        return self._folded.state

    def take(self, report: TableReport) -> list[Ruling]:
        """The rulings that a report completes."""
        rulings: list[Ruling] = []
        if isinstance(report, TableEvent):
            self._order.put(report)
        elif isinstance(report, Complete):
            for entry in self._order.complete(report.t_us):
                self._folded, step = self._fold.apply(self._folded, entry)
                rulings += step.rulings
        return rulings
