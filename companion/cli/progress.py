"""A line that fills up, on a terminal only; files and pipes stay clean."""

import sys
from typing import Protocol, TextIO

_WIDTH = 30


class Watch(Protocol):
    """What is told how far a piece of work is."""

    def reach(self, done: int) -> None: ...
    def end(self) -> None: ...


class Progress:
    """title: what is going on. total: of the work, in any unit. Written to stream where that is a terminal."""

    def __init__(self, title: str, total: int, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._shown = self._stream.isatty()
        self._title = title
        self._total = max(1, total)
        self._percent = -1

    def reach(self, done: int) -> None:
        """So much is done."""
        percent = min(100, 100 * done // self._total)
        if self._shown and percent != self._percent:
            self._percent = percent
            bar = "#" * (_WIDTH * percent // 100)
            self._stream.write(f"\r{self._title} [{bar:<{_WIDTH}}] {percent:3} %")
            self._stream.flush()

    def end(self) -> None:
        """Take the line away."""
        if self._shown and self._percent >= 0:
            self._stream.write("\r" + " " * (len(self._title) + _WIDTH + 9) + "\r")
            self._stream.flush()
