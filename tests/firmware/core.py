"""The firmware's core as it is compiled for this machine, called through ctypes."""

import ctypes
import struct
from pathlib import Path

MULTIPLEXERS, LINES = 16, 4


class Command(ctypes.Structure):
    """struct tc_command of firmware/companion/src/core/command.h."""

    _fields_ = (
        ("id", ctypes.c_uint8),
        ("code", ctypes.c_uint8),
        ("every", ctypes.c_uint8),
        ("budget", ctypes.c_uint16),
        ("seconds", ctypes.c_uint8),
        ("table_id", ctypes.c_char * 33),
    )


class Core:
    """The shared library."""

    def __init__(self, path: Path) -> None:
        self.library = ctypes.CDLL(str(path))
        for name in ("ear", "command", "load", "parts", "conversions"):
            getattr(self.library, f"host_{name}_size").restype = ctypes.c_size_t
        self.library.tc_seal.restype = ctypes.c_uint16
        self.library.tc_unseal.restype = ctypes.c_int16
        assert self.library.host_command_size() == ctypes.sizeof(Command)

    def state(self, name: str) -> ctypes.Array[ctypes.c_char]:
        """Zeroed memory for a state of the core: "ear", "load", "parts", "conversions"."""
        return ctypes.create_string_buffer(getattr(self.library, f"host_{name}_size")())

    def crc(self, data: bytes) -> int:
        return int(self.library.tc_crc(0xFFFF, data, len(data))) & 0xFFFF

    def seal(self, payload: bytes, ring: int = 4096, head: int = 0) -> bytes:
        """The wire bytes, written into a ring from head on."""
        out = ctypes.create_string_buffer(ring)
        end = self.library.tc_seal(out, ring, head, payload, len(payload))
        return out.raw[head:end] if end > head else out.raw[head:] + out.raw[:end]

    def unseal(self, frame: bytes) -> bytes | int:
        """The payload, or why it is none: -1 COBS, -2 size, -3 CRC."""
        work = ctypes.create_string_buffer(frame, max(1, len(frame)))
        size = int(self.library.tc_unseal(work, len(frame)))
        return size if size <= 0 else work.raw[:size]

    def pack10(self, values: list[int]) -> bytes:
        out = ctypes.create_string_buffer(len(values) * 2 + 8)
        size = self.library.tc_pack10(out, struct.pack(f"<{len(values)}H", *values), len(values))
        return out.raw[:size]

    def wires(self, paced: list[int], settled: list[int], beside: list[list[int]]) -> tuple[int, int, int, int]:
        """stuck_low, stuck_high, ungrounded, bleed."""
        out = (ctypes.c_uint16 * 4)()
        flat = [value for line in beside for value in line]
        self.library.host_wires(
            struct.pack("<16H", *paced), struct.pack("<16H", *settled), struct.pack("<64H", *flat), out
        )
        return tuple(out)  # type: ignore[return-value]


class Ear:
    """What a board hears of a host."""

    def __init__(self, core: Core) -> None:
        self._library, self._state = core.library, core.state("ear")
        self._library.tc_ear_begin(self._state)

    def hear(self, data: bytes) -> list[Command]:
        commands = (Command * 64)()
        count = self._library.host_hear(self._state, data, ctypes.c_size_t(len(data)), commands, 64)
        return list(commands[: min(count, 64)])

    @property
    def refused(self) -> int:
        return int(self._library.host_refused(self._state))


class Load:
    """What a board makes of its load cell."""

    def __init__(self, core: Core, now_us: int = 0) -> None:
        self._library, self._state = core.library, core.state("load")
        self._library.tc_load_begin(self._state, ctypes.c_uint32(now_us))

    def take(self, bits: int, now_us: int, *, high_us: int = 1, took_us: int = 200, line_after: bool = True) -> int:
        return int(
            self._library.host_load_take(
                self._state, ctypes.c_uint32(bits & 0xFFFFFF), high_us, took_us, line_after, ctypes.c_uint32(now_us)
            )
        )

    def missing(self, now_us: int) -> int:
        return int(self._library.tc_load_missing(self._state, ctypes.c_uint32(now_us)))

    @property
    def state(self) -> int:
        return int(self._library.host_load_state(self._state)) & 0xFF

    def restart(self) -> bool:
        return bool(self._library.host_load_restart(self._state) & 1)


class Parts:
    """The stream budget of a thin link: scans in, payloads of parts out."""

    def __init__(self, core: Core, every: int = 4, budget: int = 3000) -> None:
        self._library = core.library
        self._parts, self._conversions = core.state("parts"), core.state("conversions")
        self._sent, self._seq = ctypes.c_uint16(0), 0
        self._meanwhile = ctypes.CFUNCTYPE(None)(lambda: None)
        self.accepted = self.rate(every, budget)

    def rate(self, every: int, budget: int) -> bool:
        return bool(self._library.tc_parts_rate(self._parts, every, budget) & 1)

    def anew(self) -> None:
        self._library.tc_parts_anew(self._parts)

    def spend(self, wire_bytes: int) -> bool:
        return bool(self._library.host_parts_spend(self._parts, wire_bytes) & 1)

    def weigh(self, ticks: int, value: int) -> None:
        self._library.tc_conversions_add(self._conversions, ctypes.c_uint32(ticks), ctypes.c_int32(value))

    def scan(self, ticks: int, hall: bytes) -> bytes | None:
        """The payload that a scan gives, None where none is due."""
        if not self._library.tc_parts_tick(self._parts, hall) & 1:
            return None
        out = ctypes.create_string_buffer(1024)
        size = self._library.tc_parts_say(
            self._parts,
            out,
            1,
            self._seq,
            ctypes.c_uint32(ticks),
            self._conversions,
            ctypes.byref(self._sent),
            self._meanwhile,
        )
        if not size:
            return None
        self._seq = (self._seq + 1) % 65536
        return out.raw[:size]
