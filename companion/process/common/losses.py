"""Whether a link loses messages again and again, which a person can mend; one gap is no such thing."""

from collections import deque
from typing import Final

_OVER: Final = 500  # samples: 5 s of whole frames
_MANY: Final = 10
"""Samples of _OVER before which some were lost: 2 %. Sound links lose two in a thousand, some of them together: at most
5 in the recordings of games."""
_FEW: Final = 5


class Losses:
    """fault: "messages_lost", or "messages_damaged" where what is lost arrives, but damaged; "" for neither."""

    def __init__(self) -> None:
        self.fault = ""
        self._recent: deque[tuple[bool, int]] = deque(maxlen=_OVER)
        self._before = 0  # samples before which some were lost, of `_recent`

    def add(self, lost: int, damaged: int) -> None:
        """One sample: how many were lost just before it, and how many messages have been damaged since the start."""
        if len(self._recent) == _OVER:
            self._before -= self._recent[0][0]
        self._recent.append((lost > 0, damaged))
        self._before += lost > 0
        if self._before >= (_FEW if self.fault else _MANY):
            many = damaged - self._recent[0][1] >= self._before // 2
            self.fault = "messages_damaged" if many else "messages_lost"
        else:
            self.fault = ""
