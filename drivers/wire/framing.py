"""Frames in a stream of bytes: payload and CRC-16/CCITT, COBS encoded, closed by a zero byte.

COBS (Cheshire and Baker 1999) leaves no zero inside a frame: a reader finds the next frame from any byte.
The CRC is that of `binascii.crc_hqx` from 0xFFFF, least significant byte first.
"""

import binascii
from collections.abc import Iterator

from drivers.wire.messages import MAX_PAYLOAD

MAX_FRAME = MAX_PAYLOAD + 2 + (MAX_PAYLOAD + 2) // 254 + 1
"""Bytes of the longest encoded frame, its closing zero not counted."""


class FrameError(ValueError):
    """Not a frame. cause: "cobs", "crc" or "size"."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


def seal(payload: bytes) -> bytes:
    """The bytes on the wire of a payload, the closing zero included."""
    return cobs_encode(payload + binascii.crc_hqx(payload, 0xFFFF).to_bytes(2, "little")) + b"\0"


def unseal(frame: bytes) -> bytes:
    """The payload of the bytes between two zeros. Raises FrameError."""
    if len(frame) > MAX_FRAME:
        raise FrameError("size")
    data = cobs_decode(frame)
    if len(data) < 3:
        raise FrameError("size")
    payload = data[:-2]
    if binascii.crc_hqx(payload, 0xFFFF) != int.from_bytes(data[-2:], "little"):
        raise FrameError("crc")
    return payload


def cobs_encode(data: bytes) -> bytes:
    """COBS of data, without the closing zero."""
    out = bytearray()
    for part in data.split(b"\0"):
        while len(part) > 253:
            out += b"\xff" + part[:254]
            part = part[254:]
        out.append(len(part) + 1)
        out += part
    return bytes(out)


def cobs_decode(frame: bytes) -> bytes:
    """The inverse of `cobs_encode`. Raises FrameError("cobs")."""
    parts: list[bytes] = []
    at, end = 0, len(frame)
    while at < end:
        code = frame[at]
        stop = at + code
        if not code or stop > end:
            raise FrameError("cobs")
        parts.append(frame[at + 1 : stop])
        if code != 255 and stop < end:
            parts.append(b"\0")
        at = stop
    return b"".join(parts)


class Splitter:
    """Cuts a stream at its zeros. Holds at most one frame's bytes, whatever comes in.

    junk: bytes thrown away because no zero came within the longest frame.
    """

    def __init__(self) -> None:
        self.junk = 0
        self._held = bytearray()
        self._overrun = False

    @property
    def held(self) -> int:
        """Bytes of the frame that is not whole yet."""
        return len(self._held)

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The bytes between zeros that became whole, in order; empty ones are skipped."""
        start = 0
        while (stop := data.find(b"\0", start)) >= 0:
            self._keep(data, start, stop)
            start = stop + 1
            frame, overrun = bytes(self._held), self._overrun
            self._held.clear()
            self._overrun = False
            if frame and not overrun:
                yield frame
        self._keep(data, start, len(data))

    def _keep(self, data: bytes, start: int, stop: int) -> None:
        if self._overrun or len(self._held) + stop - start > MAX_FRAME:
            self.junk += len(self._held) + stop - start
            self._held.clear()
            self._overrun = True
        else:
            self._held += data[start:stop]
