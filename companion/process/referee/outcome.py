"""What came of judging one game, until the owner takes it: entries to journal, answers that hang on them, doubts."""

from collections import OrderedDict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.games.fold import RULINGS as OF_THE_FOLD
from companion.games.fold import Done
from companion.games.game import Command, Entry, Step
from companion.journal import NewEntry
from companion.table import BoardTime, TableEvent
from companion.views.port import Answer

_KEPT_ANSWERS = 16


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A ruling that people may want to see again. stones: tracks of those that it is about, as far as was seen."""

    number: int
    t_us: BoardTime
    data: Mapping[str, Any]
    stones: tuple[int, ...] = ()


class Outcome:
    """answers: the last ones given, as a view tells them: id of the command -> status and code."""

    def __init__(self) -> None:
        self.answers: OrderedDict[str, dict[str, str]] = OrderedDict()
        self._entries: list[NewEntry] = []
        self._decided: list[tuple[str, Answer]] = []
        self._doubtful: list[Doubtful] = []

    def add(self, entry: NewEntry) -> None:
        """One more entry that counts."""
        self._entries.append(entry)

    def answer(self, command: Command, answer: Answer) -> None:
        """What became of a command."""
        self._decided.append((command.id, answer))
        self.answers[command.id] = {"status": answer.status, "code": answer.code}
        while len(self.answers) > _KEPT_ANSWERS:
            self.answers.popitem(last=False)

    def mark(
        self, step: Step[Any], entry: Entry, number: int, done: Sequence[Done[Any]], clipped: Container[str]
    ) -> None:
        """Note the rulings of an entry for which a clip is kept: doubtful kinds, and whatever is disputed (Y22).

        number: of the last ruling before these; done: what counts of the game; clipped: the doubtful kinds.
        """
        stones = entry.stones if isinstance(entry, TableEvent) else ()
        for ruling in step.rulings:
            if ruling.kind == "disputed":
                disputed = ruling.data["ruling"]
                self._doubtful += [Doubtful(disputed, each.t_us, {}) for each in done if disputed in each.numbers]
            number += ruling.kind not in OF_THE_FOLD
            if ruling.kind in clipped:
                self._doubtful.append(Doubtful(number, ruling.t_us, ruling.data, stones))

    def take_results(self) -> tuple[list[NewEntry], list[tuple[str, Answer]]]:
        """What has to be journaled since the last call, and the answers that hang on it."""
        results = self._entries, self._decided
        self._entries, self._decided = [], []
        return results

    def take_doubtful(self) -> list[Doubtful]:
        """Rulings since the last call that people may want to see again."""
        doubtful, self._doubtful = self._doubtful, []
        return doubtful
