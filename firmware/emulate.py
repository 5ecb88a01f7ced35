"""The board's very program on an emulated Arduino Mega, its serial ports on pseudo-terminals.

    python -m firmware.emulate FOLDER [--speed N]

plays a recording and prints "PTY usb bridge", and figures at its end.

A test tool: builds with gcc-avr and libsimavr-dev (see firmware/simulator/LICENSE), and is not part of the package.
"""

import argparse
import json
import os
import select
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from drivers.recording import RecordingError, read_recording
from firmware import build
from firmware.signals import recorded

BUILT = Path(__file__).resolve().parent / "build"


class Emulator:
    """One run of the simulator; a context manager that ends it.

    usb, bridge: the pseudo-terminals of the two ports.
    """

    def __init__(self, simulator: Path, elf: Path, signals: Path, *options: str) -> None:
        command = [str(simulator), str(elf), "--signals", str(signals), *options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("PTY "):
                self.usb, self.bridge = (Path(name) for name in line.split()[1:])
                return
        raise RuntimeError(f"the simulator ended at once with code {self._process.wait()}")

    def __enter__(self) -> "Emulator":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    @property
    def told(self) -> bool:
        """Whether its play has ended: the figures wait for report, and nothing more is sent."""
        return bool(select.select([self._process.stdout], [], [], 0)[0])

    def report(self) -> dict[str, Any]:
        """Waits for the end of its play and gives the figures; the ports stay open where it plays without loss."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                return dict(json.loads(line))
        raise RuntimeError(f"the simulator failed with code {self._process.wait()}")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Play a recording through the emulated board.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--speed", type=float, default=0.0, help="seconds of the recording a second; default: flat out")
    options = parser.parse_args(arguments)
    try:
        recording = read_recording(options.folder)
        data = recorded(recording)
        BUILT.mkdir(exist_ok=True)
        simulator, elf = build.simulator(BUILT), build.firmware(BUILT)
    except (RecordingError, build.BuildError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    with tempfile.NamedTemporaryFile(prefix="signals-") as file:
        file.write(data)
        file.flush()
        # the simulator takes this process' place and its open file, which has no name any more once this block ends
        os.set_inheritable(file.fileno(), True)
        name = f"/proc/self/fd/{file.fileno()}"
        command = [str(simulator), str(elf), "--signals", name, "--table-id", recording.table_id]
        command += ["--speed", str(options.speed), "--await-host", "--lossless"]
        os.unlink(file.name)
        os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(main())
