"""How the service is told to end: by a signal, by its owner, by a source that cannot be used.

The main thread waits on a socket, not on a `threading.Event`: a signal that arrives just before an Event begins to
wait, or at another thread, does not wake it; Python's wake-up descriptor always does.
"""

import contextlib
import signal
import socket
from types import FrameType


class Ending:
    """signalled: a person asked for the end. Made in the main thread when it is to listen to signals."""

    def __init__(self) -> None:
        self._read, self._write = socket.socketpair()
        self._write.setblocking(False)
        self._listening = False
        self.signalled = False

    def listen(self) -> None:
        """Ctrl-C and SIGTERM end the service from now on; a second one changes nothing."""
        self._listening = True
        signal.set_wakeup_fd(self._write.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._on_signal)

    def end(self) -> None:
        """Let `wait` return; from any thread."""
        with contextlib.suppress(OSError):  # full of such bytes already, or closed
            self._write.send(b"\0")

    def wait(self) -> None:
        """Until `end` or a signal."""
        self._read.recv(1)

    def close(self) -> None:
        """No more signals, no more waiting."""
        if self._listening:
            signal.set_wakeup_fd(-1)
        self._read.close()
        self._write.close()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.signalled = True
