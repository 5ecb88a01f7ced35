"""What the diagnostics page sees: glimpses of the sensors, which the table process sends only while somebody looks."""

import threading
from collections.abc import Callable
from typing import Any

from companion.clock import MICRO, Clock
from companion.process.frames import Frames
from companion.table import Glimpse
from companion.views.glimpse import glimpse_view
from companion.views.port import Frame

KEY = "glimpse"
ASK_US = MICRO  # real time


class Looking:
    """Any thread looks; the supervisor's thread shows. ask: tells the table process that somebody looks."""

    def __init__(self, clock: Clock, ask: Callable[[], None]) -> None:
        self._clock, self._ask = clock, ask
        self._frames = Frames(clock)
        self._lock = threading.Lock()
        self._asked_us: int | None = None

    def show(self, glimpse: Glimpse) -> None:
        """The newest glimpse."""
        view: dict[str, Any] = glimpse_view(glimpse)
        self._frames.publish({KEY: view})

    def newest(self) -> Frame | None:
        """The newest glimpse that came, None where none did; asks for more."""
        self._keep_asking()
        return self._frames.newest(KEY)

    def wait(self, after: int, timeout_us: int) -> Frame | None:
        """A glimpse newer than number `after`, None after the timeout; asks for more."""
        self._keep_asking()
        return self._frames.wait(KEY, after, timeout_us)

    def close(self) -> None:
        """Let those who wait go."""
        self._frames.close()

    def _keep_asking(self) -> None:
        with self._lock:
            now_us = self._clock.now_us()
            if self._asked_us is not None and now_us - self._asked_us < ASK_US * self._clock.rate():
                return
            self._asked_us = now_us
        self._ask()
