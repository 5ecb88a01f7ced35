"""Commit before publish: entries go to the journal first; only when they are on the disk they are shown, and answered.

A journal that cannot be written (a full disk) keeps the entries waiting; nothing is shown until they are in.
"""

from collections.abc import Callable, Sequence

from companion.clock import MICRO, Clock
from companion.journal import Journal, JournalError, NewEntry
from companion.process.referee.answers import Answers
from companion.views.port import Answer

RETRY_US = MICRO


class Saving:
    """The owner's way to the journal. failed: the reason for which entries wait, "" while none do.

    tell: told of entries when they are on the disk.
    """

    def __init__(
        self,
        journal: Journal,
        answers: Answers,
        clock: Clock,
        tell: Callable[[Sequence[NewEntry]], None] = lambda entries: None,
    ) -> None:
        self._journal = journal
        self._answers = answers
        self._clock = clock
        self._tell = tell
        self._entries: list[NewEntry] = []
        self._decided: list[tuple[str, Answer]] = []
        self._again_us = 0
        self.failed = ""

    def add(self, entries: Sequence[NewEntry], decided: Sequence[tuple[str, Answer]]) -> None:
        """Entries to be journaled together, and the answers that hang on them."""
        self._entries += entries
        self._decided += decided

    def save(self) -> bool:
        """Commit what waits. False while the journal cannot be written."""
        if self.failed and self._clock.now_us() < self._again_us:
            return False
        try:
            self._journal.append(self._entries)
        except JournalError as error:
            self.failed = str(error)
            self._again_us = self._clock.now_us() + RETRY_US
            return False
        self.failed = ""
        kept, self._entries = self._entries, []
        self._tell(kept)
        return True

    def answer(self) -> None:
        """Give the answers that hang on what was saved, once it is shown: who is told of a new game finds it."""
        for name, answer in self._decided:
            self._answers.decide(name, answer)
        self._decided.clear()
