"""A recording played through the emulated Arduino: the board's very program, its serial port on a pseudo-terminal.

Only where this program runs from its source tree, with the packages that firmware/README.md names.
"""

import select
import subprocess
import sys
from pathlib import Path

from drivers.links.link import Clock, LinkClosed, LinkStatus
from drivers.links.serial import SerialLink
from drivers.wire.greeting import GREETING

_TREE = Path(__file__).resolve().parents[2]
_ENDING_S = 5.0


class EmulatorError(Exception):
    """The emulator cannot be started; the message says why and what to do."""


class EmulatedLink:
    """One run of the emulator. speed: board seconds in a second, 0: as fast as it goes. Raises EmulatorError."""

    status = LinkStatus()

    def __init__(self, folder: Path, clock: Clock, speed: float = 0.0) -> None:
        if not (_TREE / "firmware" / "emulate.py").is_file():
            raise EmulatorError("The emulator is a test tool of the source tree: run the program from there.")
        command = [sys.executable, "-m", "firmware.emulate", str(folder.resolve()), "--speed", f"{speed:g}"]
        self._process = subprocess.Popen(command, cwd=_TREE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            self._link = SerialLink(self._port(), clock)
            # the emulated board stands still until the first byte comes: nothing is missed
            self._link.send(GREETING)
        except (EmulatorError, LinkClosed) as error:
            self._end()
            raise EmulatorError(str(error)) from error

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        """Raises LinkClosed when the recording is over and all of it has been read."""
        over = self._over()  # asked first: what comes after it was there before
        data, now_us = self._link.read(timeout_s)
        if over and not data:
            raise LinkClosed("The recording has ended.")
        return data, now_us

    def send(self, data: bytes) -> None:
        self._link.send(data)

    def close(self) -> None:
        self._link.close()
        self._end()

    def _over(self) -> bool:
        """Whether the emulator has told its figures, or is gone; then it sends nothing more."""
        assert self._process.stdout is not None
        return bool(select.select([self._process.stdout], [], [], 0)[0])

    def _port(self) -> Path:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        for line in self._process.stdout:
            if line.startswith("PTY "):
                return Path(line.split()[1])
        raise EmulatorError(f"The emulator did not start: {self._process.stderr.read().strip()}")

    def _end(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
        try:
            self._process.communicate(timeout=_ENDING_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()
