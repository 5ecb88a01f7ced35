"""The messages between board and host: made by firmware/generate.py from firmware/messages.toml; do not edit.

`decode` gives the message of a payload of the board, `decode_command` one of the host, or raises ValueError;
`encode` is the inverse of both.
"""

import struct
from dataclasses import dataclass
from typing import TypeAlias

from drivers.wire.blocks import read_blocks, write_blocks
from drivers.wire.packing import pack10, packed_size, unpack10

PROTOCOL = 2
DEFINITION = 0x8C72
MAX_SENSORS = 512
MAX_LOADS = 16
MAX_SPARES = 64
MAX_TEXT = 120
MAX_PAYLOAD = 779
MAX_COMMAND = 121
LOAD_ERRORS = {
    0x01000001: "read_error",
    0x01000002: "late",
    0x01000003: "absent",
    0x01000004: "stretched",
    0x01000005: "long_read",
    0x01000006: "desync",
    0x01000007: "settling",
    0x01000008: "saturated_high",
    0x01000009: "saturated_low",
}
LOAD_STATES = {
    0: "starting",
    1: "ok",
    2: "absent",
    3: "faulty",
    4: "saturated",
    5: "constant",
    6: "random",
}
RESET_CAUSES = {
    0: "power_on",
    1: "external",
    2: "brown_out",
    3: "watchdog",
    4: "unknown",
}
DONE_CODES = {
    0: "ok",
    1: "unknown",
    2: "bad_value",
    3: "mismatch",
}

_HELLO = struct.Struct("<BBHIHI")


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the board is and how it measures. Sent at start, once a second, and when asked.

    protocol: protocol number; first, at this place in every version.
    definition: check value of messages.toml.
    boot: boot id: another one after every reset.
    sensors: number of sensors in a frame.
    period_us: time from frame to frame, microseconds.
    table_id: which table this is; the same as in its table.json.
    """

    protocol: int
    definition: int
    boot: int
    sensors: int
    period_us: int
    table_id: str

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        text = self.table_id.encode()
        if len(text) > MAX_TEXT:
            raise ValueError("text too long")
        try:
            head = _HELLO.pack(1, self.protocol, self.definition, self.boot, self.sensors, self.period_us)
            return head + text
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Hello":
        """The message of a payload. Raises ValueError."""
        at = _HELLO.size
        if len(payload) < at:
            raise ValueError("hello of wrong length")
        _, protocol, definition, boot, sensors, period_us = _HELLO.unpack_from(payload)
        if len(payload) > at + MAX_TEXT:
            raise ValueError("text too long")
        return cls(protocol, definition, boot, sensors, period_us, payload[at:].decode(errors="replace"))


_FRAME = struct.Struct("<BBHIHB")
_FRAME_RECORD = struct.Struct("<Ii")


@dataclass(frozen=True, slots=True)
class Frame:
    """One scan of all sensors and the load conversions that ended since the frame before.

    boot: low byte of the boot id: a reset shows even when its hello was lost.
    seq: frame number since boot, wraps.
    ticks: start of the scan, microseconds since boot, wraps after 71.6 minutes.
    hall: raw counts in the table's order: sensor k is bits 10k to 10k+9, least significant bit first.
    loads: (ticks, value) of each load.
        ticks: when the conversion was ready, microseconds since boot, wraps.
        value: counts, 24 bit with sign; an error code where it lies outside that range.
    """

    boot: int
    seq: int
    ticks: int
    loads: tuple[tuple[int, int], ...]
    hall: bytes

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        if len(self.hall) > 2 * MAX_SENSORS:
            raise ValueError("too many sensors")
        if len(self.loads) > MAX_LOADS:
            raise ValueError("too many loads")
        try:
            head = _FRAME.pack(2, self.boot, self.seq, self.ticks, len(self.hall) // 2, len(self.loads))
            records = b"".join(_FRAME_RECORD.pack(*r) for r in self.loads)
            return head + records + pack10(self.hall)
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Frame":
        """The message of a payload. Raises ValueError."""
        at = _FRAME.size
        if len(payload) < at:
            raise ValueError("frame of wrong length")
        _, boot, seq, ticks, sensors, loads = _FRAME.unpack_from(payload)
        tail = at + loads * _FRAME_RECORD.size
        if loads > MAX_LOADS or sensors > MAX_SENSORS:
            raise ValueError("frame over its limits")
        if len(payload) != tail + packed_size(sensors):
            raise ValueError("frame of wrong length")
        records = tuple(_FRAME_RECORD.iter_unpack(payload[at:tail]))
        hall = unpack10(payload[tail:], sensors)
        return cls(boot, seq, ticks, records, hall)


_LOG = struct.Struct("<BI")


@dataclass(frozen=True, slots=True)
class Log:
    """A line for people; never parsed.

    ticks: when, microseconds since boot, wraps.
    text: UTF-8, at most 120 bytes.
    """

    ticks: int
    text: str

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        text = self.text.encode()
        if len(text) > MAX_TEXT:
            raise ValueError("text too long")
        try:
            head = _LOG.pack(3, self.ticks)
            return head + text
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Log":
        """The message of a payload. Raises ValueError."""
        at = _LOG.size
        if len(payload) < at:
            raise ValueError("log of wrong length")
        _, ticks = _LOG.unpack_from(payload)
        if len(payload) > at + MAX_TEXT:
            raise ValueError("text too long")
        return cls(ticks, payload[at:].decode(errors="replace"))


_PART = struct.Struct("<BBHIHBBBBB")
_PART_RECORD = struct.Struct("<hi")
PART_BLOCK = 11
PART_UNIT = 4
PART_SMALL = 6


@dataclass(frozen=True, slots=True)
class Part:
    """Means of all sensors over the scans since the part before: in place of frames where the link is thin.

    boot: low byte of the boot id: a reset shows even when its hello was lost.
    seq: number of this frame or part since boot, wraps.
    ticks: start of the newest scan, microseconds since boot, wraps after 71.6 minutes.
    scans: how many scans the means are of.
    turn: the block that comes first.
    bases: so many blocks, from the first on, give bases; the others differences from what is expected.
    coarse: a difference of 1 is 2 to the power of this, in quarters of a count.
    hall: bits, least significant first: the blocks of 11 sensors in their round; bases of 12 bits in quarters of a
        count, or 3 bits that say how the differences are written, and these.
    loads: (before, value) of each load.
        before: how long before ticks the conversion was ready, in 16 microseconds; negative: after.
        value: counts, 24 bit with sign; an error code where it lies outside that range.
    """

    boot: int
    seq: int
    ticks: int
    scans: int
    turn: int
    bases: int
    coarse: int
    loads: tuple[tuple[int, int], ...]
    hall: tuple[int | None, ...]

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        if len(self.hall) > MAX_SENSORS:
            raise ValueError("too many sensors")
        if len(self.loads) > MAX_LOADS:
            raise ValueError("too many loads")
        try:
            head = _PART.pack(
                4,
                self.boot,
                self.seq,
                self.ticks,
                len(self.hall),
                len(self.loads),
                self.scans,
                self.turn,
                self.bases,
                self.coarse,
            )
            records = b"".join(_PART_RECORD.pack(*r) for r in self.loads)
            return head + records + write_blocks(self.hall, PART_BLOCK, self.turn, self.bases)
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Part":
        """The message of a payload. Raises ValueError."""
        at = _PART.size
        if len(payload) < at:
            raise ValueError("part of wrong length")
        _, boot, seq, ticks, sensors, loads, scans, turn, bases, coarse = _PART.unpack_from(payload)
        tail = at + loads * _PART_RECORD.size
        if loads > MAX_LOADS or sensors > MAX_SENSORS:
            raise ValueError("part over its limits")
        if not tail <= len(payload) <= tail + packed_size(MAX_SENSORS):
            raise ValueError("part of wrong length")
        records = tuple(_PART_RECORD.iter_unpack(payload[at:tail]))
        hall = read_blocks(payload[tail:], sensors, PART_BLOCK, turn, bases)
        return cls(boot, seq, ticks, scans, turn, bases, coarse, records, hall)


_HEALTH = struct.Struct("<BIBBHHHHBHB")


@dataclass(frozen=True, slots=True)
class Health:
    """How the board does. Sent once a second. Counters count since boot and wrap.

    ticks: when, microseconds since boot, wraps.
    reset: why the board started: one of reset_causes.
    busy: per cent of the last second in which the main loop was at work, with the interrupts within it.
    latency_us: longest time since boot that the start of a scan waited for other interrupts.
    late: scans left out because the one before was not over.
    dropped: frames and parts left out because the link had no room.
    refused: commands that were damaged or made no sense.
    load: what the load cell does: one of load_states.
    load_errors: load conversions that were no weight.
    spare: raw counts of the channels without a sensor, multiplexer by multiplexer, address by address.
    """

    ticks: int
    reset: int
    busy: int
    latency_us: int
    late: int
    dropped: int
    refused: int
    load: int
    load_errors: int
    spare: bytes

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        if len(self.spare) > 2 * MAX_SPARES:
            raise ValueError("too many spares")
        try:
            head = _HEALTH.pack(
                5,
                self.ticks,
                self.reset,
                self.busy,
                self.latency_us,
                self.late,
                self.dropped,
                self.refused,
                self.load,
                self.load_errors,
                len(self.spare) // 2,
            )
            return head + pack10(self.spare)
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Health":
        """The message of a payload. Raises ValueError."""
        at = _HEALTH.size
        if len(payload) < at:
            raise ValueError("health of wrong length")
        _, ticks, reset, busy, latency_us, late, dropped, refused, load, load_errors, spares = _HEALTH.unpack_from(
            payload
        )
        if spares > MAX_SPARES:
            raise ValueError("health over its limits")
        if len(payload) != at + packed_size(spares):
            raise ValueError("health of wrong length")
        spare = unpack10(payload[at:], spares)
        return cls(ticks, reset, busy, latency_us, late, dropped, refused, load, load_errors, spare)


_DIAGNOSIS = struct.Struct("<BIBBHHBI")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the board finds out about its own wires; sent when asked for and once after a reset.

    ticks: when, microseconds since boot, wraps.
    stuck_low: select lines that never rise: bit b is line b.
    stuck_high: select lines that never fall: bit b is line b.
    ungrounded: multiplexers whose ground channel is not at ground: bit m is multiplexer m; absent, or not powered.
    bleed: most counts by which a ground channel read after a sensor differs from the same read long after: the
        sample before bleeds into the next.
    conversions: load conversions in the last second.
    spread: largest less smallest of them, counts.
    """

    ticks: int
    stuck_low: int
    stuck_high: int
    ungrounded: int
    bleed: int
    conversions: int
    spread: int

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        try:
            return _DIAGNOSIS.pack(
                6,
                self.ticks,
                self.stuck_low,
                self.stuck_high,
                self.ungrounded,
                self.bleed,
                self.conversions,
                self.spread,
            )
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Diagnosis":
        """The message of a payload. Raises ValueError."""
        at = _DIAGNOSIS.size
        if len(payload) != at:
            raise ValueError("diagnosis of wrong length")
        _, ticks, stuck_low, stuck_high, ungrounded, bleed, conversions, spread = _DIAGNOSIS.unpack_from(payload)
        return cls(ticks, stuck_low, stuck_high, ungrounded, bleed, conversions, spread)


_DONE = struct.Struct("<BBB")


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to a command.

    command: id of the command.
    code: one of done_codes.
    """

    command: int
    code: int

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        try:
            return _DONE.pack(7, self.command, self.code)
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Done":
        """The message of a payload. Raises ValueError."""
        at = _DONE.size
        if len(payload) != at:
            raise ValueError("done of wrong length")
        _, command, code = _DONE.unpack_from(payload)
        return cls(command, code)


_GREET = struct.Struct("<BBH")


@dataclass(frozen=True, slots=True)
class Greet:
    """Who asks. The board answers with done and hello; it says mismatch where the two do not speak alike.

    protocol: protocol number of the host; first, at this place in every version.
    definition: check value of messages.toml at the host.
    """

    protocol: int
    definition: int

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        try:
            return _GREET.pack(33, self.protocol, self.definition)
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Greet":
        """The message of a payload. Raises ValueError."""
        at = _GREET.size
        if len(payload) != at:
            raise ValueError("greet of wrong length")
        _, protocol, definition = _GREET.unpack_from(payload)
        return cls(protocol, definition)


_START = struct.Struct("<B")


@dataclass(frozen=True, slots=True)
class Start:
    """Send frames, or parts with all bases as soon as they fit. A board sends without being asked; start ends a
    stop.
    """

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        try:
            return _START.pack(34)
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Start":
        """The message of a payload. Raises ValueError."""
        at = _START.size
        if len(payload) != at:
            raise ValueError("start of wrong length")
        return cls()


_STOP = struct.Struct("<B")


@dataclass(frozen=True, slots=True)
class Stop:
    """Send no frames until start or a reset; hello and health go on."""

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        try:
            return _STOP.pack(35)
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Stop":
        """The message of a payload. Raises ValueError."""
        at = _STOP.size
        if len(payload) != at:
            raise ValueError("stop of wrong length")
        return cls()


_RATE = struct.Struct("<BBH")


@dataclass(frozen=True, slots=True)
class Rate:
    """How much to send on this link.

    every: send each n-th scan: 1 to 16.
    budget: bytes a second that the link carries: parts; 0: whole frames. Refused where it cannot hold the bound of
        parts.
    """

    every: int
    budget: int

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        try:
            return _RATE.pack(36, self.every, self.budget)
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Rate":
        """The message of a payload. Raises ValueError."""
        at = _RATE.size
        if len(payload) != at:
            raise ValueError("rate of wrong length")
        _, every, budget = _RATE.unpack_from(payload)
        return cls(every, budget)


_DIAGNOSE = struct.Struct("<B")


@dataclass(frozen=True, slots=True)
class Diagnose:
    """Test the select lines and the settling; the board answers with diagnosis within a second."""

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        try:
            return _DIAGNOSE.pack(37)
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Diagnose":
        """The message of a payload. Raises ValueError."""
        at = _DIAGNOSE.size
        if len(payload) != at:
            raise ValueError("diagnose of wrong length")
        return cls()


_IDENTIFY = struct.Struct("<BB")


@dataclass(frozen=True, slots=True)
class Identify:
    """Blink, so that a person sees which board it is. The board answers with done and hello.

    seconds: how long; 0 ends it.
    """

    seconds: int

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        try:
            return _IDENTIFY.pack(38, self.seconds)
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Identify":
        """The message of a payload. Raises ValueError."""
        at = _IDENTIFY.size
        if len(payload) != at:
            raise ValueError("identify of wrong length")
        _, seconds = _IDENTIFY.unpack_from(payload)
        return cls(seconds)


_NAME = struct.Struct("<B")


@dataclass(frozen=True, slots=True)
class Name:
    """Which table this board belongs to; kept over resets. The board answers with done and hello.

    table_id: 1 to 32 bytes of UTF-8, the same as in the table's table.json.
    """

    table_id: str

    def encode(self) -> bytes:
        """The payload. Raises ValueError where a value has no place."""
        text = self.table_id.encode()
        if len(text) > MAX_TEXT:
            raise ValueError("text too long")
        try:
            head = _NAME.pack(39)
            return head + text
        except struct.error as error:
            raise ValueError(f"a value has no place in its field: {error}") from error

    @classmethod
    def decode(cls, payload: bytes) -> "Name":
        """The message of a payload. Raises ValueError."""
        at = _NAME.size
        if len(payload) < at:
            raise ValueError("name of wrong length")
        if len(payload) > at + MAX_TEXT:
            raise ValueError("text too long")
        return cls(payload[at:].decode(errors="replace"))


Message: TypeAlias = Hello | Frame | Log | Part | Health | Diagnosis | Done
_MESSAGES: dict[int, type[Message]] = {
    1: Hello,
    2: Frame,
    3: Log,
    4: Part,
    5: Health,
    6: Diagnosis,
    7: Done,
}


def decode(payload: bytes) -> Message:
    """The message of a payload (without its CRC). Raises ValueError where it is none."""
    cls = _MESSAGES.get(payload[0]) if payload else None
    if cls is None:
        raise ValueError("unknown message")
    return cls.decode(payload)


Command: TypeAlias = Greet | Start | Stop | Rate | Diagnose | Identify | Name
_COMMANDS: dict[int, type[Command]] = {
    33: Greet,
    34: Start,
    35: Stop,
    36: Rate,
    37: Diagnose,
    38: Identify,
    39: Name,
}


def decode_command(payload: bytes) -> Command:
    """The command of a payload (without its CRC). Raises ValueError where it is none."""
    cls = _COMMANDS.get(payload[0]) if payload else None
    if cls is None:
        raise ValueError("unknown command")
    return cls.decode(payload)
