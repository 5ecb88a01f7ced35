"""The published views: encoded once, read by any number of threads, the newest one wins."""

import json
import threading
from collections.abc import Mapping
from typing import Any

from companion.clock import Clock
from companion.views.port import Frame


class Frames:
    """Views by key (a game's id; "" is the lobby). A reader never waits for anything but news or its timeout."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._condition = threading.Condition()
        self._frames: dict[str, Frame] = {}
        self._looked: set[str] = set()
        self._closed = False

    def publish(self, views: Mapping[str, Mapping[str, Any]]) -> None:
        """Publish views; one that is the same as before is left as it is.

        A text that is no UTF-8 (half a surrogate pair in an older journal) is shown with question marks.
        """
        encoded = {
            key: json.dumps(view, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode(errors="replace")
            for key, view in views.items()
        }
        with self._condition:
            for key, data in encoded.items():
                before = self._frames.get(key)
                if before is None or before.data != data:
                    self._frames[key] = Frame(before.seq + 1 if before else 1, data)
            self._condition.notify_all()

    def drop(self, key: str) -> None:
        """There is no such view any more; whoever waits for it is let go."""
        with self._condition:
            self._frames.pop(key, None)
            self._condition.notify_all()

    def looked(self, key: str) -> bool:
        """Whether anybody has asked for this view."""
        return key in self._looked

    def newest(self, key: str) -> Frame | None:
        self._looked.add(key)
        return self._frames.get(key)

    def wait(self, key: str, after: int, timeout_us: int) -> Frame | None:
        """The newest view with seq > after, None after the timeout (server clock), on closing or for no such key.

        A reader that comes with a seq never given out here is from before a restart: it gets the newest at once.
        """
        self._looked.add(key)
        until_us = self._clock.now_us() + timeout_us
        with self._condition:
            while not self._closed and (frame := self._frames.get(key)) is not None:
                if frame.seq != after:
                    return frame
                if self._clock.now_us() >= until_us:
                    return None
                self._clock.wait(self._condition, until_us)
            return None

    def close(self) -> None:
        """Let every waiting reader go."""
        with self._condition:
            self._closed = True
            self._condition.notify_all()
