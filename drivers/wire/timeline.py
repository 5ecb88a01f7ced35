"""From the board's wrapping ticks and frame numbers to board time and a widened sequence."""

from dataclasses import dataclass

_WRAP = 1 << 32
_SEQUENCES = 1 << 16
_PATIENCE = 20  # frames out of order in a row before they are taken for a new count of the board's clock


@dataclass(frozen=True, slots=True)
class Place:
    """Where a frame lies: board time, widened sequence, frames missing just before it.

    jump: "" or why the time before it is only known by arrival: "rebooted", "clock_jump".
    """

    t_us: int
    sequence: int
    lost: int
    jump: str = ""


class Timeline:
    """Board time: microseconds since the first frame, rising strictly, through wraps and resets of the board.

    period_us: time from frame to frame where the board has told it, else None.
    """

    def __init__(self) -> None:
        self.period_us: int | None = None
        self.t_us = 0  # of the newest frame
        self._started = False
        self._ticks = 0
        self._seq = 0
        self._sequence = 0
        self._arrived_us = 0
        self._late = 0

    def place(self, ticks: int, seq: int, now_us: int, *, reset: bool) -> Place | None:
        """The place of a frame that arrived at now_us; None for a repeated or older one.

        reset: the board has started again since the frame before: its counters do not tell what has passed.
        """
        if not self._started:
            self._started = True
            place: Place | None = Place(0, seq, 0)
        elif reset:
            place = self._leap(now_us, "rebooted")
        else:
            place = self._next(ticks, seq, now_us)
        if place is None:
            self._late += 1
            if self._late < _PATIENCE:
                return None
            place = self._leap(now_us, "clock_jump")
        self._late = 0
        self.t_us, self._sequence = place.t_us, place.sequence
        self._ticks, self._seq, self._arrived_us = ticks, seq, now_us
        return place

    def _next(self, ticks: int, seq: int, now_us: int) -> Place | None:
        silent = now_us - self._arrived_us
        step = (ticks - self._ticks) % _WRAP
        if step >= _WRAP // 2 and silent < _WRAP // 4:
            return None
        step += _WRAP * max(0, round((silent - step) / _WRAP))
        frames = (seq - self._seq) % _SEQUENCES
        if self.period_us:
            frames += _SEQUENCES * max(0, round((step / self.period_us - frames) / _SEQUENCES))
        if step <= 0 or frames <= 0:
            return None
        return Place(self.t_us + step, self._sequence + frames, frames - 1)

    def _leap(self, now_us: int, jump: str) -> Place:
        period = self.period_us or 1
        step = max(now_us - self._arrived_us, period)
        lost = max(0, round(step / period) - 1) if self.period_us else 0
        return Place(self.t_us + step, self._sequence + lost + 1, lost, jump)
