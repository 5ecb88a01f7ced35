"""The messages between board and host: made by firmware/generate.py from firmware/messages.toml; do not edit.

`decode` gives the message of a payload or raises ValueError; `encode` is its inverse.
"""

import struct
from dataclasses import dataclass
from typing import TypeAlias

from drivers.wire.packing import pack10, packed_size, unpack10

PROTOCOL = 1
DEFINITION = 0x5769
MAX_SENSORS = 512
MAX_LOADS = 16
MAX_TEXT = 120
MAX_PAYLOAD = 779
LOAD_ERRORS = {0x01000001: "read_error", 0x01000002: "late", 0x01000003: "absent"}

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
            raise ValueError("short hello")
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
        ticks: when the conversion was read, microseconds since boot, wraps.
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
            raise ValueError("short frame")
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
            raise ValueError("short log")
        _, ticks = _LOG.unpack_from(payload)
        if len(payload) > at + MAX_TEXT:
            raise ValueError("text too long")
        return cls(ticks, payload[at:].decode(errors="replace"))


Message: TypeAlias = Hello | Frame | Log
_BY_ID: dict[int, type[Message]] = {1: Hello, 2: Frame, 3: Log}


def decode(payload: bytes) -> Message:
    """The message of a payload (without its CRC). Raises ValueError where it is none."""
    cls = _BY_ID.get(payload[0]) if payload else None
    if cls is None:
        raise ValueError("unknown message")
    return cls.decode(payload)
