"""A table of Tiki Topple with three players and phones that are told apart by their keys, stepped by hand."""

import json
from collections.abc import Mapping
from typing import Any

from companion.clock import HandClock
from companion.journal import Journal
from companion.process.kinds.tiki import tiki
from companion.process.referee.answers import Ticket
from companion.process.referee.phone import mark_of
from companion.process.referee.referee import Referee, ticket_of
from companion.views.port import Answer
from tests.process.service import Bench


class SteppedReferee(Referee):
    """The referee without its owner's thread: a press is judged at once, 0.2 s pass with it."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench.owner, bench.clock, lambda: "code")
        self._bench = bench

    def post(self, command: Mapping[str, Any]) -> Answer:
        return self.take(ticket_of(command, self._bench.clock.now_us()))

    def take(self, ticket: Ticket) -> Answer:
        owner = self._bench.owner
        ticket, is_new = owner.answers.admit(ticket)
        if is_new:
            owner.inbox.post(ticket)
            owner.step()
            self._bench.pass_time(200_000)
        assert ticket.answer is not None
        return ticket.answer


class Room:
    """game: the newest game's id."""

    def __init__(self, journal: Journal | None = None) -> None:
        self.bench = Bench(journal, HandClock(1000_000_000), kinds={"tiki": tiki()})
        self.port = SteppedReferee(self.bench)
        self.count = 0
        self.game = "g1"

    def post(self, name: str, player: int | None = None, phone: str = "", /, at: int | None = None, **args: Any) -> str:
        """Press on the phone with this key, against version `at` of the view; the code of the refusal or ""."""
        self.count += 1
        game = "" if name == "new_game" else self.game
        now = self.bench.view(game)["version"] if game else 0
        version, mark = now if at is None else at, mark_of(phone)
        pressed_us = self.bench.clock.now_us()
        ticket = Ticket(f"id-{self.count}", game, name, pressed_us, version, phone, player, args, phone=mark)
        return self.port.take(ticket).code

    def begin(self, **chosen: Any) -> None:
        assert self.post("new_game", kind="tiki", settings=chosen) == ""
        for name in ("Ana", "Beto", "Carla"):
            assert self.post("add_player", name=name) == ""
        assert self.post("start") == ""

    def mine(self, player: int, phone: str) -> Any:
        return json.loads(self.port.private_view(self.game, player, phone))

    def public(self) -> bytes:
        frame = self.port.view(self.game)
        assert frame is not None
        return frame.data + self.port.lobby().data
