"""A real referee behind the pages, without a table: owner, journal in memory, kept by hand. It ends with the test."""

import itertools
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.clock import SystemClock
from companion.journal import MemoryJournal
from companion.process.kinds import known_kinds
from companion.process.referee.facts import TableFacts
from companion.process.referee.owner import Owner
from companion.process.referee.referee import Referee
from companion.views.port import Answer
from tests.web.scripted import CODE

_WAIT_S = 60.0


class PlayedTable(Referee):
    """A `RefereePort` that tests press too."""

    def __init__(self) -> None:
        clock = SystemClock()
        self.journal = MemoryJournal()
        self.owner = Owner(self.journal, known_kinds(), clock, TableFacts(sensors=False))
        super().__init__(self.owner, clock, lambda: CODE)
        self._ids = itertools.count()
        self._thread = threading.Thread(target=self.owner.run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.owner.close()
        self._thread.join(_WAIT_S)

    def press(self, command: str, game: str = "", player: int | None = None, **args: Any) -> Answer:
        """Press a command against the newest view and wait until it is judged, and the view says so.

        It is dated long ago, so that it does not wait for presses that come late.
        """
        version = self.seen(game)["version"] if game else 0
        posted = {"id": f"test-{next(self._ids):06}", "game": game, "name": command, "version": version}
        answer = self.post({**posted, "by": "test", "player": player, "press_us": 0, "args": args})
        assert answer.status in ("applied", "refused", "received"), answer
        if game:
            told = self._wait(game, lambda view: posted["id"] in view["answers"])["answers"][posted["id"]]
            if answer.status == "received":  # it took longer than a page waits for; the view tells what came of it
                return Answer(told["status"], told["code"])
        return answer

    def do(self, command: str, game: str = "", player: int | None = None, **args: Any) -> Answer:
        """A press that must be accepted."""
        answer = self.press(command, game, player, **args)
        assert answer.status == "applied", (command, answer)
        return answer

    def gather(self, kind: str, *names: str, **settings: Any) -> str:
        """A new game of this kind with these players, begun. Its id."""
        body = self.do("new_game", kind=kind, settings=settings).body
        assert body is not None
        game = str(body["game"])
        for name in names:
            self.do("add_player", game, name=name)
        self.do("start", game)
        return game

    def seen(self, game: str) -> Mapping[str, Any]:
        """The newest view; of a game just made, once it is published with the list of games."""
        listed = self.lobby().seq
        frame = self.view(game)
        if frame is None:
            self.wait("", listed, _WAIT_S)
            frame = self.view(game)
        assert frame is not None
        view: Mapping[str, Any] = json.loads(frame.data)
        return view

    def wait_version(self, game: str, above: int) -> Mapping[str, Any]:
        """The view once its version is above that one."""
        return self._wait(game, lambda view: view["version"] > above)

    def _wait(self, game: str, told: Callable[[Mapping[str, Any]], bool]) -> Mapping[str, Any]:
        frame = self.view(game)
        assert frame is not None
        while not told(view := json.loads(frame.data)):
            newer = self.wait(game, frame.seq, _WAIT_S)
            assert newer is not None, "nothing has changed"
            frame = newer
        return dict(view)


def played_table() -> Iterator[PlayedTable]:
    """The pages' referee is the real one: `referee = pytest.fixture(played_table)`."""
    table = PlayedTable()
    yield table
    table.close()
