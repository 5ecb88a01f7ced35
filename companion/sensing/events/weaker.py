"""Stones in a hand whose field is weaker than theirs can be: their track has lost them, and stands on what is left.

A magnet keeps its moment, and stones that stick together keep theirs together: the prior of the moment is what they had
as they lay. A hand that whips a cluster up goes faster than its track; the track then finds a ghost among the stones
that lie there, between which two opposed poles explain a good deal, but only if they are weaker. What is truly seen is
so for a frame or two; what is hardly seen, high up, says nothing of its moment and keeps the prior's.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from companion.sensing.tracks.movers import HIGH_MM, Mover

SHARE: Final = 0.1
"""Of the mean that a frame makes up: 0.1 s."""
SPREADS: Final = 3.0
"""Of the prior's spread, by which the mean is less: no stones are."""
WELL_SEEN: Final = 250.0
"""Evidence from which on a body is seen as well as one can be: what its pose has wrong there is another matter."""


@dataclass(slots=True)
class Weaker:
    """_less: of each cluster that is carried, the mean of log(moment) beyond what it had as it lay."""

    _less: dict[Mover, float] = field(default_factory=dict)

    def lost(self, m: Mover, movers: Sequence[Mover]) -> bool:
        """Whether the carried body m, in this frame, is a ghost of this kind. movers: all there are."""
        followed = m.calm >= m.frames  # never was anything too fast for its track
        if m.single or followed or m.evidence >= WELL_SEEN or float(m.body.centre[2]) > HIGH_MM:
            self._less.pop(m, None)
            return False
        self._less = {o: less for o, less in self._less.items() if o in movers}
        before = self._less.get(m, 0.0)
        self._less[m] = mean = before + SHARE * (m.body.log_moment - m.log_moment - before)
        return mean < -SPREADS * m.log_sigma
