"""What waits for the owner thread: reports of the table, its coming and going, commands."""

import threading
from collections import deque
from dataclasses import dataclass
from typing import TypeAlias

from companion.clock import Clock
from companion.process.referee.answers import Ticket
from companion.table import TableReport

_ROOM = 1000  # messages


@dataclass(frozen=True, slots=True)
class Reports:
    """Reports of the table process, in the order in which they came."""

    reports: tuple[TableReport, ...]


@dataclass(frozen=True, slots=True)
class LinkUp:
    """A table process has been started: a new session begins."""


@dataclass(frozen=True, slots=True)
class LinkDown:
    """The table process has ended. finished: a recording came to its end; otherwise it died and is started again."""

    finished: bool
    reason: str = ""


Message: TypeAlias = Reports | LinkUp | LinkDown | Ticket


class Inbox:
    """A queue into the owner thread. lag_us: the longest time that a message has waited (server clock)."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._condition = threading.Condition()
        self._messages: deque[tuple[int, Message]] = deque()
        self._closed = False
        self.lag_us = 0

    def post(self, message: Message) -> None:
        """Put a message in. Reports wait for room, so that a slow owner is felt by the channel, which is bounded."""
        with self._condition:
            while isinstance(message, Reports) and len(self._messages) >= _ROOM and not self._closed:
                self._clock.wait(self._condition, None)
            self._messages.append((self._clock.now_us(), message))
            self._condition.notify_all()

    def take(self, until_us: int | None) -> list[Message] | None:
        """Everything that waits, after waiting for the first until until_us; None once closed and empty."""
        with self._condition:
            while not self._messages and not self._closed:
                if until_us is not None and self._clock.now_us() >= until_us:
                    return []
                self._clock.wait(self._condition, until_us)
            return self._drain()

    def take_now(self) -> list[Message]:
        """Everything that waits, at once."""
        with self._condition:
            return self._drain() or []

    def close(self) -> None:
        with self._condition:
            self._closed = True
            self._condition.notify_all()

    def _drain(self) -> list[Message] | None:
        if not self._messages and self._closed:
            return None
        now_us = self._clock.now_us()
        if self._messages:
            self.lag_us = max(self.lag_us, now_us - self._messages[0][0])
        messages = [message for _, message in self._messages]
        self._messages.clear()
        self._condition.notify_all()
        return messages
