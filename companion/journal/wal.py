"""How much of a SQLite write-ahead log is whole.

Format: sqlite.org/fileformat2.html, section 4 ("The Write-Ahead Log"). SQLite itself stops reading at the first frame
that does not check; this reads the same way to be able to *say* that something was cut off.
"""

import struct
from dataclasses import dataclass

HEADER = 32
FRAME_HEADER = 24


@dataclass(frozen=True, slots=True)
class WalTail:
    """whole: bytes up to the end of the last whole commit; damaged: bytes after it that are torn or garbled.

    Frames that an earlier round of the log left behind are not damage, nor is the tail of a commit that was never
    finished but is otherwise whole.
    """

    whole: int
    damaged: int


def whole_part(log: bytes) -> WalTail:
    """Walk the frames of a write-ahead log. An empty log is whole."""
    if not log:
        return WalTail(0, 0)
    if len(log) < HEADER:
        return WalTail(0, len(log))
    magic, _, page_size = struct.unpack_from(">III", log)
    salts = log[16:24]
    if magic not in (0x377F0682, 0x377F0683) or page_size < 512 or page_size > 65536:
        return WalTail(0, len(log))
    order = ">" if magic & 1 else "<"
    sums = _sums(order, log[:24], (0, 0))
    if sums != struct.unpack_from(">II", log, 24):
        return WalTail(0, len(log))
    whole, at = HEADER, HEADER
    while at < len(log):
        frame = log[at : at + FRAME_HEADER + page_size]
        if len(frame) >= 16 and frame[8:16] != salts:
            # Left over from before the log was begun anew, unless frames of this round lie further on.
            return WalTail(whole, _later_frames(log, at, page_size, salts))
        if len(frame) < FRAME_HEADER + page_size:
            return WalTail(whole, len(log) - at)
        sums = _sums(order, frame[:8] + frame[FRAME_HEADER:], sums)
        if sums != struct.unpack_from(">II", frame, 16):
            return WalTail(whole, len(log) - at)
        at += len(frame)
        if struct.unpack_from(">I", frame, 4)[0]:
            whole = at
    return WalTail(whole, 0)


def laid_over(main: bytes, log: bytes) -> bytearray:
    """A file as it is read with this log over it. log: its whole part (`whole_part`), b"" for none."""
    data = bytearray(main)
    if len(log) <= HEADER:
        return data
    page_size = struct.unpack_from(">I", log, 8)[0]
    pages = 0
    for at in range(HEADER, len(log), FRAME_HEADER + page_size):
        number, pages = struct.unpack_from(">II", log, at)
        end = number * page_size
        data.extend(bytes(max(0, end - len(data))))
        data[end - page_size : end] = log[at + FRAME_HEADER : at + FRAME_HEADER + page_size]
    data.extend(bytes(max(0, pages * page_size - len(data))))
    del data[pages * page_size :]
    return data


def _later_frames(log: bytes, at: int, page_size: int, salts: bytes) -> int:
    step = FRAME_HEADER + page_size
    for later in range(at, len(log) - 15, step):
        if log[later + 8 : later + 16] == salts:
            return len(log) - at
    return 0


def _sums(order: str, data: bytes, start: tuple[int, int]) -> tuple[int, int]:
    s0, s1 = start
    for x, y in struct.iter_unpack(order + "II", data):
        s0 = (s0 + x + s1) & 0xFFFFFFFF
        s1 = (s1 + y + s0) & 0xFFFFFFFF
    return s0, s1
