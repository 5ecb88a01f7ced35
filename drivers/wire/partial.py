"""The newest value of every sensor, where a thin link brings them a few at a time."""

import struct

from drivers.wire.messages import Part


class Newest:
    """What was last heard of each sensor since the board's start.

    hall: little-endian uint16 of every sensor. complete: whether each has been heard of; before that hall is no
    picture of the table.
    """

    def __init__(self) -> None:
        self.hall = b""
        self.complete = False
        self._unheard: set[int] = set()

    def forget(self) -> None:
        """Begin anew: the board has started again."""
        self.hall, self.complete = b"", False

    def whole(self, hall: bytes) -> None:
        """A frame: every sensor."""
        self.hall, self.complete = hall, True

    def part(self, part: Part) -> bytes:
        """Take the given sensors; one byte a sensor, 1 where it was given."""
        if len(self.hall) != 2 * part.sensors:
            self.hall, self.complete = bytes(2 * part.sensors), False
            self._unheard = set(range(part.sensors))
        marks = int.from_bytes(part.marks, "little")
        fresh = bytes(marks >> k & 1 for k in range(part.sensors))
        counts = bytearray(self.hall)
        given = [k for k, one in enumerate(fresh) if one]
        for k, (value,) in zip(given, struct.iter_unpack("<H", part.hall), strict=True):
            struct.pack_into("<H", counts, 2 * k, value)
        self.hall = bytes(counts)
        if not self.complete:
            self._unheard.difference_update(given)
            self.complete = not self._unheard
        return fresh
