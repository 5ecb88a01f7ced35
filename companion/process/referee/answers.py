"""Commands on their way: one ticket an id, so that a repeat gets the first answer and does nothing twice (H13)."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.clock import Clock
from companion.views.port import Answer

_KEPT = 4096


@dataclass(slots=True)
class Ticket:
    """A command with room for its answer. press_us: server clock; phone: its mark (phone.py)."""

    id: str
    game: str
    name: str
    press_us: int
    version: int = 0
    by: str = ""
    player: int | None = None
    args: Mapping[str, Any] = field(default_factory=dict)
    answer: Answer | None = None
    phone: str = ""


class Answers:
    """Tickets by id, the newest few thousand."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._condition = threading.Condition()
        self._tickets: OrderedDict[str, Ticket] = OrderedDict()
        self._closed = False

    def admit(self, ticket: Ticket) -> tuple[Ticket, bool]:
        """The ticket under this id, and whether it is new (and so has to be handed to the owner)."""
        with self._condition:
            first = self._tickets.get(ticket.id)
            if first is not None:
                return first, False
            self._tickets[ticket.id] = ticket
            self._forget_oldest()
            return ticket, True

    def remember(self, ticket_id: str, answer: Answer) -> None:
        """A command that the journal holds: a phone that repeats it after a restart gets the first answer."""
        with self._condition:
            self._tickets[ticket_id] = Ticket(ticket_id, "", "", 0, answer=answer)
            self._forget_oldest()

    def decide(self, ticket_id: str, answer: Answer) -> None:
        """Give the answer; the first one stands."""
        with self._condition:
            ticket = self._tickets.get(ticket_id)
            if ticket is not None and ticket.answer is None:
                ticket.answer = answer
                self._condition.notify_all()

    def wait(self, ticket: Ticket, timeout_us: int) -> Answer:
        """The ticket's answer, or "received" where it has none by the timeout (server clock) or on closing."""
        until_us = self._clock.now_us() + timeout_us
        with self._condition:
            while ticket.answer is None and not self._closed and self._clock.now_us() < until_us:
                self._clock.wait(self._condition, until_us)
            return ticket.answer or Answer("received")

    def close(self) -> None:
        with self._condition:
            self._closed = True
            self._condition.notify_all()

    def _forget_oldest(self) -> None:
        while len(self._tickets) > _KEPT:
            self._tickets.popitem(last=False)
