"""The newest value of every sensor, where a thin link brings means in place of scans."""

from array import array
from sys import byteorder

from drivers.wire.blocks import in_round
from drivers.wire.messages import PART_BLOCK, PART_SMALL, Part

_MOST = 0xFFF


class Newest:
    """What is known of each sensor by the parts that came.

    hall: little-endian uint16 of every sensor, in units of 1 / PART_UNIT count. complete: whether all are known; before
    that hall is no picture of the table.
    """

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Nothing is known: parts are missing, or the board has started again."""
        self.hall, self.complete = b"", False
        self._expected, self._values, self._known = array("h"), array("H"), bytearray()

    def part(self, part: Part) -> bytes:
        """Take the values of the part after the one before; one byte a sensor, 1 where it was given."""
        count = len(part.hall)
        if len(self._values) != count:
            nothing = bytes(2 * count)
            self._expected, self._values, self._known = array("h", nothing), array("H", nothing), bytearray(count)
        fresh = bytearray(count)
        for k, sensors in enumerate(in_round(count, PART_BLOCK, part.turn)):
            for sensor in sensors:
                given = part.hall[sensor]
                if given is None:
                    continue
                if k < part.bases:
                    self._expected[sensor] = self._values[sensor] = given
                    self._known[sensor] = 1
                elif self._known[sensor]:
                    self._follow(sensor, given << part.coarse)
                fresh[sensor] = self._known[sensor]
        self.complete = self.complete or all(self._known)
        values = array("H", self._values)
        if byteorder == "big":
            values.byteswap()
        self.hall = values.tobytes()
        return bytes(fresh)

    def _follow(self, sensor: int, by: int) -> None:
        """What is expected follows a large difference at once, and a small one, which is mostly noise, by half."""
        expected = self._expected[sensor]
        self._values[sensor] = min(max(expected + by, 0), _MOST)
        follows = by if abs(by) > PART_SMALL else by // 2 if by > 0 else -(-by // 2)
        self._expected[sensor] = min(max(expected + follows, -_MOST), 2 * _MOST)
