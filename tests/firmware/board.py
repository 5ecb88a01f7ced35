"""A run of the board's program on the emulator, heard to its end."""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import serial

from drivers.sample import Sample
from drivers.wire import Session
from drivers.wire.framing import seal
from drivers.wire.greeting import GREETING
from drivers.wire.messages import Command
from firmware.emulate import Emulator
from firmware.signals import still

SENSORS = 220
HALL = [(97 * k) % 1000 + 12 for k in range(SENSORS)]
WEIGHT = 84_210


@dataclass(frozen=True, slots=True)
class Built:
    """What the tests run."""

    simulator: Path
    elf: Path


@dataclass(slots=True)
class Heard:
    """What a host heard of a run: items of the session, counts, bytes; figures of the emulator."""

    items: list[Any]
    session: Session
    data: bytes
    figures: dict[str, Any]

    @property
    def samples(self) -> list[Sample]:
        return [item for item in self.items if isinstance(item, Sample)]

    def all(self, kind: type) -> list[Any]:
        return [item for item in self.items if isinstance(item, kind)]


def counts(sample: Sample) -> list[int]:
    return list(struct.unpack(f"<{SENSORS}H", sample.counts))


def run(
    built: Built,
    folder: Path,
    *options: str,
    seconds: float = 2.0,
    bridge: bool = False,
    say: Callable[[Heard], list[Command]] | None = None,
    hall: list[int] | None = None,
    load: int | None = WEIGHT,
    signals: bytes | None = None,
) -> Heard:
    """Run the board for so many seconds of its time and hear all it says on USB, or on the bridge.

    say: called with what was heard whenever something was; gives the commands to send then. signals: what is measured,
    in place of hall and load, which stay.
    """
    file = folder / "signals"
    file.write_bytes(still(HALL if hall is None else hall, load) if signals is None else signals)
    options = ("--seconds", str(seconds), "--await-host", "--lossless", *options)
    with Emulator(built.simulator, built.elf, file, *options) as board:
        heard = Heard([], Session(SENSORS), b"", {})
        with serial.Serial(str(board.bridge if bridge else board.usb), exclusive=True, timeout=0.2) as port:
            port.write(GREETING)
            while True:
                over = board.told
                data = port.read(max(1, port.in_waiting))
                if not data and over:
                    break
                heard.data += data
                heard.items += heard.session.feed(data, 0)
                for command in say(heard) if say and data else []:
                    port.write(seal(command.encode()))
        heard.figures = board.report()
    return heard
