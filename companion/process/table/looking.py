"""What the diagnostics page sees: how the table is, always, and glimpses of the sensors, which the table process sends
only while somebody looks.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Any

from companion.clock import MICRO, Clock
from companion.process.common.frames import Frames
from companion.table import Glimpse, Health
from companion.views.glimpse import glimpse_view, health_view
from companion.views.port import Frame

KEY = "glimpse"
ASK_US = MICRO  # real time


class Looking:
    """Any thread looks; the supervisor's thread shows, the owner's hears.

    ask: tells the table process that somebody looks; set by whoever starts one.
    """

    def __init__(self, clock: Clock, ask: Callable[[], None] = lambda: None) -> None:
        self._clock, self.ask = clock, ask
        self._frames = Frames(clock)
        self._lock = threading.Lock()
        self._asked_us: int | None = None
        self._view: dict[str, Any] = {"health": None, "sound": [], "notice": ""}
        self._frames.publish({KEY: self._view})

    def show(self, glimpse: Glimpse) -> None:
        """The newest glimpse."""
        self._publish(glimpse_view(glimpse))

    def hear(self, health: Health | None) -> None:
        """How the table is; None before it has said anything."""
        shown = None if health is None else health_view(health)
        if shown != self._view["health"]:
            self._publish({"health": shown})

    def sound(self, faults: Sequence[str]) -> None:
        """What keeps the table's speaker silent, as codes (companion/sound/voice.py)."""
        self._publish({"sound": list(faults)})

    def kept(self, well: bool) -> None:
        """Whether what happens in the games can be written."""
        notice = "" if well else "journal_full"
        if notice != self._view["notice"]:
            self._publish({"notice": notice})

    def newest(self) -> Frame | None:
        """What is known, without a glimpse where none came; asks for more."""
        self._keep_asking()
        return self._frames.newest(KEY)

    def wait(self, after: int, timeout_us: int) -> Frame | None:
        """What is newer than number `after`, None after the timeout; asks for more."""
        self._keep_asking()
        return self._frames.wait(KEY, after, timeout_us)

    def close(self) -> None:
        """Let those who wait go."""
        self._frames.close()

    def _publish(self, changes: dict[str, Any]) -> None:
        with self._lock:
            self._view = {**self._view, **changes}
            self._frames.publish({KEY: self._view})

    def _keep_asking(self) -> None:
        with self._lock:
            now_us = self._clock.now_us()
            if self._asked_us is not None and now_us - self._asked_us < ASK_US * self._clock.rate():
                return
            self._asked_us = now_us
        self.ask()
