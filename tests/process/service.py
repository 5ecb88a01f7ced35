"""A service without threads, processes or sockets: an owner that a test steps by hand."""

import json
from collections.abc import Mapping
from typing import Any

from companion.clock import HandClock
from companion.journal import Journal, MemoryJournal
from companion.process.kinds.kind import GameKind
from companion.process.referee.answers import Ticket
from companion.process.referee.facts import TableFacts
from companion.process.referee.inbox import LinkUp, Message, Reports
from companion.process.referee.owner import Owner
from companion.table import SECOND, Complete, Health, TableReport
from companion.views.port import Answer
from tests.process.counting_game import counting

S = SECOND


class Bench:
    """An owner on a hand-driven clock. Board time is the clock minus `offset_us`."""

    def __init__(
        self,
        journal: Journal | None = None,
        clock: HandClock | None = None,
        kinds: Mapping[str, GameKind] | None = None,
        facts: TableFacts | None = None,
    ) -> None:
        self.clock = clock or HandClock(1000 * S)
        self.journal = journal or MemoryJournal()
        self.owner = Owner(self.journal, kinds or {"counting": counting()}, self.clock, facts or TableFacts())
        self.offset_us = self.clock.now_us()
        self.kind = next(iter(kinds)) if kinds else "counting"  # of new games
        self.numbers = iter(range(1, 1000))

    def new_game(self, sensors: bool = False, **settings: Any) -> str:
        answer = self.press("new_game", "", kind=self.kind, sensors=sensors, settings=settings)
        assert answer is not None
        assert answer.body is not None
        return str(answer.body["game"])

    def post(self, *messages: Message) -> None:
        for message in messages:
            self.owner.inbox.post(message)
        self.owner.step()

    def link_up(self) -> None:
        """A session begins; its board time starts now."""
        self.offset_us = self.clock.now_us()
        self.post(LinkUp(), Reports((Health(0, "ok", clock_offset_us=self.offset_us),)))

    def hear(self, *reports: TableReport) -> None:
        self.post(Reports(reports))

    def complete(self, t_us: int) -> None:
        self.hear(Complete(t_us))

    def press(
        self, name: str, game: str, version: int | None = None, press_us: int | None = None, id: str = "", **args: Any
    ) -> Answer | None:
        """Post a command made against the newest view; its answer if it has one by now."""
        if version is None:
            version = self.view(game)["version"] if game else 0
        ticket = Ticket(
            id or f"id-{name}-{next(self.numbers)}",
            game,
            name,
            self.clock.now_us() if press_us is None else press_us,
            version,
            args=args,
        )
        ticket, is_new = self.owner.answers.admit(ticket)
        if is_new:
            self.owner.inbox.post(ticket)
        self.owner.step()
        return ticket.answer

    def pass_time(self, us: int) -> None:
        self.clock.advance(us)
        self.owner.step()

    def view(self, game: str) -> Mapping[str, Any]:
        frame = self.owner.frames.newest(game)
        assert frame is not None
        view: Mapping[str, Any] = json.loads(frame.data)
        return view

    def rulings(self, game: str) -> list[Mapping[str, Any]]:
        """Every journaled ruling."""
        return [ruling for entry in self.journal.entries(game) for ruling in entry.new.rulings]
