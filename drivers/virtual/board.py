"""The virtual table's board: scans, load conversions, commands; the bytes that a real one would send."""

import random
from typing import Final

import numpy as np

from drivers.virtual.misbehaviour import Misbehaving
from drivers.virtual.sensors import MULTIPLEXERS, ON_ONE, TILE, Sensors
from drivers.virtual.world import World
from drivers.wire.framing import FrameError, Splitter, seal, unseal
from drivers.wire.messages import (
    DEFINITION,
    DONE_CODES,
    LOAD_STATES,
    MAX_LOADS,
    PROTOCOL,
    RESET_CAUSES,
    Diagnose,
    Diagnosis,
    Done,
    Frame,
    Greet,
    Health,
    Hello,
    Identify,
    Name,
    Rate,
    Start,
    Stop,
    decode_command,
)

_S: Final = 1_000_000
_WRAP: Final = 1 << 32
_TOP: Final = 0x7FFFFF
LONGEST_NAME: Final = 32  # bytes, as firmware/PROTOCOL.md has it
BOOT_TEXT: Final = b"rst:0x1 (POWERON_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)\r\nload:0x3fff0018,len:4\r\n"
_DONE = {text: number for number, text in DONE_CODES.items()}
_RESET = {text: number for number, text in RESET_CAUSES.items()}
_LOAD = {text: number for number, text in LOAD_STATES.items()}


class VirtualBoard:
    """Times are the table's clock. boot: id of the first start."""

    def __init__(self, world: World, sensors: Sensors, faults: Misbehaving, now_us: int, seed: int = 0) -> None:
        self._world, self._sensors, self._faults = world, sensors, faults
        self._random = random.Random(seed)
        self._splitter = Splitter()
        self._dead_until_us = now_us
        self._table_id = world.place.table_id  # a new name is kept over resets, not over the end of the process
        self._boot(now_us, "power_on")

    @property
    def boot(self) -> int:
        """The boot id."""
        return self._boot_id

    def _boot(self, now_us: int, cause: str) -> None:
        self._boot_id = self._random.getrandbits(32)
        self._started_us, self._cause = now_us, cause
        self._seq, self._every, self._stopped = 0, 1, False
        self._told_us: int | None = None
        self._load_us = now_us
        self._stuck: dict[int, int] = {}
        self._last_load = 0

    def restart(self, now_us: int, cause: str, seconds: float) -> bytes:
        """A reset: silence, then a new boot id. What a boot loader says."""
        self._dead_until_us = now_us + round(seconds * _S)
        self._boot(self._dead_until_us, cause)
        return BOOT_TEXT

    def scan(self, now_us: int) -> list[bytes]:
        """The messages of the scan that begins now; none while the board starts."""
        if now_us < self._dead_until_us:
            return []
        out: list[bytes] = []
        if self._told_us is None or now_us - self._told_us >= _S:
            self._told_us = now_us
            out += [*self._hello(now_us), seal(self._health(now_us).encode())]
        loads = self._loads(now_us)
        self._seq += 1
        if self._stopped or self._seq % self._every:
            return out
        hall = self._counts(now_us).astype("<u2").tobytes()
        seq = self._seq // self._every
        out.append(seal(Frame(self._boot_id & 0xFF, seq & 0xFFFF, self._ticks(now_us), tuple(loads), hall).encode()))
        return out

    def command(self, data: bytes, now_us: int) -> bytes:
        """The answers to bytes of the host; what is no command is not answered."""
        answers = b""
        for raw in self._splitter.feed(data):
            try:
                command = decode_command(unseal(raw))
            except (FrameError, ValueError):
                continue
            code = "ok"
            match command:
                case Greet():
                    code = "ok" if (command.protocol, command.definition) == (PROTOCOL, DEFINITION) else "mismatch"
                case Start() | Stop():
                    self._stopped = isinstance(command, Stop)
                case Rate():
                    code = "ok" if 1 <= command.every <= 100 and command.budget == 0 else "bad_value"
                    self._every = command.every if code == "ok" else self._every
                case Name():
                    code = self.name(command.table_id)
                case Diagnose():
                    answers += seal(Diagnosis(self._ticks(now_us), 0, 0, 0, 0, 80, 120).encode())
            answers += seal(Done(command.encode()[0], _DONE[code]).encode())
            if isinstance(command, Greet | Identify | Name):
                answers += b"".join(self._hello(now_us))
        return answers

    def name(self, table_id: str) -> str:
        """The board belongs to this table from now on; "ok" or "bad_value"."""
        if not 1 <= len(table_id.encode()) <= LONGEST_NAME:
            return "bad_value"
        self._table_id = table_id
        return "ok"

    def _hello(self, now_us: int) -> list[bytes]:
        if self._faults.on("no_hello", now_us):
            return []
        place = self._world.place
        period_us = place.period_us * self._every
        hello = Hello(PROTOCOL, DEFINITION, self._boot_id, len(place.gain), period_us, self._table_id)
        return [seal(hello.encode())]

    def _health(self, now_us: int) -> Health:
        kinds = {"load_absent": "absent", "load_saturated": "saturated", "load_constant": "constant"}
        found = [state for name, state in kinds.items() if self._faults.on(name, now_us)]
        load = found[0] if found else "random" if self._faults.on("load_random", now_us) else "ok"
        return Health(self._ticks(now_us), _RESET[self._cause], 55, 40, 0, 0, 0, _LOAD[load], 0, b"")

    def _counts(self, now_us: int) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        faults, counts = self._faults, self._sensors.counts()
        if faults.on("crosstalk", now_us):
            part = faults.amount("crosstalk", now_us) / 100.0
            counts[1:] += np.rint(part * (counts[:-1] - counts[1:])).astype(np.int64)
        if faults.on("multiplexer_lost", now_us):
            tile, part = divmod(round(faults.amount("multiplexer_lost", now_us)), MULTIPLEXERS)
            first = tile * TILE + part * ON_ONE
            counts[first : min(first + ON_ONE, (tile + 1) * TILE)] = 0
        for name in ("sensor_dead", "sensor_stuck", "sensor_noisy"):
            if not faults.on(name, now_us):
                continue
            k = round(faults.amount(name, now_us))
            if name == "sensor_dead":
                counts[k] = 0
            elif name == "sensor_stuck":
                counts[k] = self._stuck.setdefault(k, int(counts[k]))
            else:
                counts[k] = self._random.randrange(200, 800)
        return counts

    def _loads(self, now_us: int) -> list[tuple[int, int]]:
        """Conversions that end within this scan, dated by the board's ticks."""
        place, out = self._world.place, []
        while self._load_us <= now_us + place.scan_us:
            value = self._load(now_us)
            if not self._faults.on("load_absent", now_us):
                out.append((self._ticks(self._load_us), value))
            self._load_us += place.load_period_us
        return out[-MAX_LOADS:]

    def _load(self, now_us: int) -> int:
        faults, place = self._faults, self._world.place
        value = self._sensors.load(place.load_period_us / _S)
        if faults.on("load_half", now_us):
            value //= 2
        if self._random.random() * 100.0 < faults.amount("load_spikes", now_us):
            value = (1 << self._random.randrange(10, 23)) - 1
        if faults.on("load_saturated", now_us):
            value = _TOP
        if faults.on("load_random", now_us):
            value = self._random.randrange(-_TOP, _TOP)
        if not faults.on("load_constant", now_us):
            self._last_load = value
        return self._last_load

    def _ticks(self, now_us: int) -> int:
        return (now_us - self._started_us) % _WRAP
