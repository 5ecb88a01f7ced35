"""The life of a track, phase by phase: in a hand, on the board, lifted, on the table beside it.

Each rule about the events on the way stands in a module of its own: approaching, touching, sticking, leaving, resting.
"""

from dataclasses import dataclass, field
from typing import Final

from companion.sensing.events import approaching, leaving, resting, sticking, touching
from companion.sensing.events.contacts import Contacts
from companion.sensing.events.edge import HELD_MM, OUT_MM, SUNK_MM, at_hand
from companion.sensing.events.hanging import Hanging
from companion.sensing.events.leaps import Leaps
from companion.sensing.events.leaving import BRIEF_US
from companion.sensing.events.raised import Raised
from companion.sensing.events.scene import MS, Scene
from companion.sensing.events.toppling import Toppling
from companion.sensing.events.torn import Torn
from companion.sensing.events.touching import OVERHANG_MM
from companion.sensing.events.unmoved import Unmoved
from companion.sensing.events.weaker import Weaker
from companion.sensing.tracks.movers import FAINT, Mover, Phase
from companion.table import BoardTime, EventKind, TableEvent

STANDS_US: Final = 1_500_000
LOST_US: Final = 60 * MS
"""A stone whose track leads over the edge and is lost there has fallen: on the table it is so faint that its track goes
on to whatever is near, and would be found again in a hand's stone."""
ELSEWHERE: Final = 8.0
"""Chi squared a row: with so much left over a body is not where its track is; it is looked for."""


@dataclass(slots=True)
class Life:
    """Turns what the tracker and the load cell show into events; strictly causal."""

    scene: Scene
    contacts: Contacts
    toppling: Toppling = field(default_factory=Toppling)
    unmoved: Unmoved = field(default_factory=Unmoved)
    torn: Torn = field(default_factory=Torn)
    hanging: Hanging = field(default_factory=Hanging)
    leaps: Leaps = field(default_factory=Leaps)
    weaker: Weaker = field(default_factory=Weaker)
    raised: Raised = field(default_factory=Raised)

    def step(self, t_us: BoardTime, solved: bool = True, measured: bool = True) -> list[TableEvent]:
        """The events that this frame decides.

        solved: the tracks have taken it (companion.sensing.pace); measured: it is not filled in (between.py).
        """
        scene = self.scene
        scene.events = []
        approaching.stirred(scene, t_us)
        approaching.pushed(scene, t_us, self.toppling.standing)
        if solved:
            approaching.glimpsed(scene, t_us)
        scene.apart.step(scene.tracker.movers, t_us)
        for c in self.contacts.step(t_us, measured) if solved else ():
            for m in (c.a, c.b):
                self.unmoved.touch(m)
                self.torn.touch(m)
            sticking.contact(scene, c, t_us)
        for c in self.leaps.step(scene.tracker, t_us) if solved and measured else ():
            sticking.contact(scene, c, t_us)
        if solved:
            self.unmoved.step(scene, t_us, measured)
            self.torn.step(scene, t_us, measured)
        for m in [m for m in scene.tracker.movers if m.awake or m.phase is not Phase.BOARD]:
            if m not in scene.tracker.movers:
                continue
            if m.phase is Phase.HAND:
                self._hand(m, t_us)
            elif m.phase is Phase.LIFTED:
                self._lifted(m, t_us)
            elif m.phase is Phase.BOARD:
                self._board(m, t_us)
            elif m.phase is Phase.TABLE:
                self._table(m, t_us)
            else:
                leaving.away(scene, m, t_us)
        self.raised.step(scene, t_us)
        leaving.parked(scene, t_us)
        sticking.confirm(scene, t_us)
        scene.events += scene.collapses.due(t_us)
        touching.released(scene, t_us)
        self.toppling.step(scene, t_us)
        resting.settled(scene, t_us)
        scene.tracker.handled = set(scene.placed)
        return scene.events

    def _hand(self, m: Mover, t_us: BoardTime) -> None:
        scene = self.scene
        if leaving.left(scene, m, t_us) or resting.found(scene, m, t_us):
            return
        if approaching.comes(scene, m, t_us):
            approaching.approach(scene, m)
        elif not m.told and m.evidence < FAINT and t_us - m.born_us > STANDS_US:
            scene.tracker.drop(m)
            return
        touch = touching.touched(scene, m, t_us)
        if touch is not None:
            approaching.approach(scene, m)
            touching.place(scene, m, touch, t_us)

    def _lifted(self, m: Mover, t_us: BoardTime) -> None:
        scene = self.scene
        if leaving.left(scene, m, t_us):
            return
        if self.weaker.lost(m, scene.tracker.movers):
            scene.tracker.park(m, t_us)
            return
        long = m.high_us is not None and t_us - m.high_us > BRIEF_US
        m.held = m.held or (long and float(m.smooth[2]) > HELD_MM)
        lay = self.hanging.lies(scene, m, t_us)
        touch = touching.touched(scene, m, t_us)
        if touch is not None:
            if m.single:
                touching.place(scene, m, touch, t_us)
            else:
                fresh = [k for k in m.body.tracks if k not in scene.lain]
                if fresh:
                    touching.place(scene, m, touch, t_us, fresh[0])
                    scene.placed[fresh[0]] = touch if lay else t_us
                m.phase = Phase.BOARD
                scene.lain |= set(m.body.tracks)
                scene.disturbed = True

    def _board(self, m: Mover, t_us: BoardTime) -> None:
        scene = self.scene
        at = m.body.centre
        if m.still(t_us) < 0.05:
            scene.disturbed = True
        beside = scene.tracker.beside(m)
        lies = m.single and beside > OVERHANG_MM and m.still(t_us) > 0.1  # nothing would hold it there
        if lies and at_hand(scene, m):
            m.held, m.placed_us, lies = True, None, False
        unseen = m.single and beside > OVERHANG_MM and m.weak_us is not None and t_us - m.weak_us > LOST_US
        if (
            unseen
            or (at[2] < SUNK_MM and beside > OUT_MM)
            or (lies and not any(k in scene.placed for k in m.body.tracks))
        ):
            if m.misfit > ELSEWHERE:
                scene.tracker.park(m, t_us)
            else:
                leaving.fell(scene, m, t_us)
            return
        if m.weak_us is not None and t_us - m.weak_us > 150 * MS:
            leaving.vanished(scene, m, t_us)
            return
        if m.high_us is not None and t_us - m.high_us > 60 * MS:
            m.phase = Phase.LIFTED
            scene.say(EventKind.LIFTED, m.high_us, m, x=float(at[0]), y=float(at[1]), count=len(m.body.tracks))

    def _table(self, m: Mover, t_us: BoardTime) -> None:
        tracker = self.scene.tracker
        if tracker.fallen.landed(m, t_us):
            tracker.lay(m, t_us)
        elif tracker.fallen.taken(m) or m is tracker.taken:
            leaving.fetched(self.scene, m, t_us)
