"""A running service: owner thread, supervisor thread, and the referee that the pages talk to."""

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.clock import SystemClock
from companion.journal import Journal
from companion.process.common.clips import Clips
from companion.process.kinds.kind import GameKind
from companion.process.referee.ending import Ending
from companion.process.referee.facts import TableFacts
from companion.process.referee.owner import Owner
from companion.process.referee.referee import Referee
from companion.process.referee.set_up import SetUpDesk
from companion.process.referee.supervise import Link, Supervisor
from companion.process.table.looking import Looking
from companion.sound.voice import Voice

_LOG = logging.getLogger(__name__)


class Service:
    """Everything of the referee process but the pages. It starts no thread before `start`.

    start: starts a table process. code: gives the table's present code; rotate: makes a fresh one. clips: folder for
    clips of what may be doubted. looking: what the sensors' page sees; voice: the table's own speaker.
    """

    def __init__(
        self,
        journal: Journal,
        kinds: Mapping[str, GameKind],
        clock: SystemClock,
        facts: TableFacts,
        start: Callable[[], Link],
        code: Callable[[], str],
        rotate: Callable[[], None] | None = None,
        clips: Path | None = None,
        looking: Looking | None = None,
        voice: Voice | None = None,
    ) -> None:
        self._kinds, self.clock = kinds, clock
        self.ending = Ending()
        self.failed = False
        self.looking = looking or Looking(clock)
        self.looking.ask = lambda: self.supervisor.ask()
        self.set_up = SetUpDesk(clock, lambda order: self.supervisor.order(order))
        self.voice = voice or Voice()
        self.owner = Owner(
            journal, kinds, clock, facts, Clips(clips), self.looking.hear, self.voice, self.set_up, self.looking.kept
        )
        self.referee = Referee(self.owner, clock, code, rotate, self.looking, self.set_up)
        self.supervisor = Supervisor(start, self.owner.inbox.post, SystemClock(), self.ending.end, self.looking.show)
        self._thread = threading.Thread(target=self._run_owner, name="owner", daemon=True)

    def follow_recording(self, game: Mapping[str, Any]) -> None:
        """Create the game of a recording's game.json; it holds the sensors. Raises ValueError where it cannot be."""
        name = str(game.get("game", "yikerz"))
        kind = self._kinds.get(name)
        if kind is None or kind.from_recording is None:
            raise ValueError(f"its game {name!r} is none that this program knows")
        self.owner.follow(name, kind.from_recording(game))

    def start(self) -> None:
        """Judge, and start the table process."""
        self.start_judging()
        self.supervisor.start()

    def start_judging(self) -> None:
        """Start the owner alone; the table process follows by `supervisor.start`."""
        self.voice.start()
        self._thread.start()

    def wait(self) -> None:
        """Until a signal (`ending`), until the source turns out to be unusable, or until the owner fails (`failed`)."""
        self.ending.wait()

    def close(self) -> None:
        """Stop the table process, let waiting readers go, finish what is in the inbox."""
        self.supervisor.close()
        self.looking.close()
        self.set_up.close()
        self.owner.close()
        if self._thread.is_alive():
            self._thread.join()
        self.voice.close()
        self.ending.close()

    def _run_owner(self) -> None:
        try:
            self.owner.run()
        except Exception:  # better to end, and be started again from the journal, than to serve pages that stand still
            _LOG.exception("the referee failed")
            self.failed = True
            self.owner.close()  # nobody waits for it any more
            self.ending.end()
