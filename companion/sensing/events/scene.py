"""What the rules about tracks share: the tracker, the load cell, and what has been told of each track so far."""

from dataclasses import dataclass, field
from typing import Final

from companion.sensing.events.collapses import Collapses
from companion.sensing.sensors.weight import Weight
from companion.sensing.tracks.apart import Apart
from companion.sensing.tracks.movers import Mover
from companion.sensing.tracks.tracker import Tracker
from companion.table import BoardTime, EventKind, Evidence, Note, TableEvent

MS: Final = 1000


@dataclass(slots=True)
class Scene:
    """One table as companion.sensing.events.life and its rules see it. events: those of this frame."""

    tracker: Tracker
    weight: Weight
    events: list[TableEvent] = field(default_factory=list)
    collapses: Collapses = field(default_factory=Collapses)
    apart: Apart = field(default_factory=Apart)
    lain: set[int] = field(default_factory=set)  # tracks that have been on the board
    placed: dict[int, BoardTime] = field(default_factory=dict)  # placed, not yet released
    changed_us: BoardTime = 0  # when a stone was last let go of, fell or was taken away
    left_us: BoardTime = -(10**9)  # when what a hand carried off, or took back, was last seen
    fell_us: BoardTime = -1  # when a stone last fell off the board
    disturbed: bool = False
    found: bool = False  # stones that came in a gap are on the board and not yet counted
    least_missed: int | None = None  # track of which a reading missed too little when stones were last counted
    ran_us: BoardTime = 0
    stirred_us: BoardTime | None = None  # since when stones have moved with no hand known near

    def mover(self, track: int) -> Mover | None:
        """The body that this stone is in."""
        return next((m for m in self.tracker.movers if track in m.body.tracks), None)

    def unseen(self, m: Mover, when: BoardTime, t_us: BoardTime) -> None:
        """Something was brought to where no sensor sees any more: people are asked what it did."""
        note: Note = "dark"
        evidence = Evidence(note=note)
        self.events.append(
            TableEvent(EventKind.UNSURE, when, m.body.tracks, 1, t_us, until_us=t_us, p=0.5, evidence=evidence)
        )

    def say(
        self,
        kind: EventKind,
        when: BoardTime,
        m: Mover,
        count: int = 1,
        x: float | None = None,
        y: float | None = None,
        p: float = 1.0,
    ) -> None:
        """Tell an event of a whole body; x, y in mm; p: how likely it is."""
        if kind in (EventKind.FELL_OFF, EventKind.REMOVED):
            self.changed_us = max(self.changed_us, when)
        if kind is EventKind.FELL_OFF:
            self.fell_us = max(self.fell_us, when)
        self.events.append(
            TableEvent(
                kind,
                when,
                m.body.tracks,
                count,
                max(when, m.born_us),
                None if x is None else round(x, 2),
                None if y is None else round(y, 2),
                p=p,
            )
        )
