"""Where board time lies on the monotonic clock: a straight line through pairs of both, outliers dropped.

Bytes can only come late, never early, so of each half second only the pair with the least delay is kept;
a line is then fitted by least squares to the last minute of them, once more without those that lie far
from it. The line takes up the board's crystal (some 10 to 100 ppm) and leaves the least delay of the link
in the offset.
"""

from collections import deque

_BUCKET_US = 500_000
_KEPT = 120
_FAR_US = 2_000  # a residual below this is never an outlier


class ClockFit:
    """Board time to monotonic time, both integer microseconds. Pure: it is told all times."""

    def __init__(self) -> None:
        self._pairs: deque[tuple[int, int]] = deque(maxlen=_KEPT)
        self._line: tuple[int, float, float] | None = None  # board origin, monotonic - board there, slope - 1

    def reset(self) -> None:
        """Forget everything: board time has jumped."""
        self._pairs.clear()
        self._line = None

    def add(self, board_us: int, monotonic_us: int) -> None:
        """A frame of board_us came at monotonic_us. Board times rise."""
        if self._pairs and board_us // _BUCKET_US == self._pairs[-1][0] // _BUCKET_US:
            last = self._pairs[-1]
            if monotonic_us - board_us >= last[1] - last[0]:
                return
            self._pairs.pop()
        self._pairs.append((board_us, monotonic_us))
        self._line = None

    def to_monotonic(self, board_us: int) -> int | None:
        """The monotonic time of a board time; None before the first pair."""
        line = self._fitted()
        if line is None:
            return None
        origin, offset, drift = line
        return board_us + round(offset + drift * (board_us - origin))

    def offset_us(self, board_us: int) -> int | None:
        """Monotonic time minus board time there; None before the first pair."""
        monotonic = self.to_monotonic(board_us)
        return None if monotonic is None else monotonic - board_us

    def _fitted(self) -> tuple[int, float, float] | None:
        if self._line is None and self._pairs:
            origin = self._pairs[-1][0]
            points = [(float(b - origin), float(m - b)) for b, m in self._pairs]
            offset, drift = _fit(points)
            off = sorted(abs(y - offset - drift * x) for x, y in points)
            limit = max(3 * off[len(off) // 2], _FAR_US)
            near = [(x, y) for x, y in points if abs(y - offset - drift * x) <= limit]
            self._line = (origin, *_fit(near or points))
        return self._line


def _fit(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Offset at 0 and slope of the least-squares line; slope 0 where the points do not span 5 s."""
    n = len(points)
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    if points[-1][0] - points[0][0] < 5e6:
        return min(y for _, y in points), 0.0
    sxx = sum((x - mx) ** 2 for x, _ in points)
    slope = sum((x - mx) * (y - my) for x, y in points) / sxx
    return my - slope * mx, slope
