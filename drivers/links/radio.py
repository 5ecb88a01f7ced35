"""The one event loop of everything that talks Bluetooth, in one thread, for the life of the process.

Several loops one after the other, or two connects at a time, are what Bluetooth stacks cannot bear: whoever scans,
connects or disconnects holds `busy`.
"""

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


class Radio:
    """Starts its thread when made; `close` ends it."""

    def __init__(self) -> None:
        self._started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live()), name="radio", daemon=True)
        self._thread.start()
        self._started.wait()

    async def _live(self) -> None:
        self._loop, self._ended, self.busy = asyncio.get_running_loop(), asyncio.Event(), asyncio.Lock()
        self._started.set()
        await self._ended.wait()

    def start(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        """Begin work in the loop, from any other thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def call(self, function: Any, *arguments: Any) -> None:
        """Call a function in the loop, soon; nothing after the end."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)

    def close(self) -> None:
        """End the loop and what runs in it."""
        if self._thread.is_alive():
            self.call(self._ended.set)
            self._thread.join()
