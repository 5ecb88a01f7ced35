"""The life of a track and the events it makes: brought, placed, let go, collapsed, lifted, gone."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from companion.sensing.bodies import joined
from companion.sensing.collapses import Collapses
from companion.sensing.contacts import Contact, Contacts
from companion.sensing.movers import FLAT_AXIS, Mover, Phase
from companion.sensing.recheck import doubted
from companion.sensing.tracker import Tracker
from companion.sensing.weight import Scale, Weight
from companion.table import BoardTime, EventKind, Stone, TableEvent

PARK_US = 700_000
BRIEF_US = 400_000  # a stone that seems lifted for so short at the edge has slid over it
CARRY_US = 2_500_000
FAINT = 120.0  # evidence of a body that may be no more than what others leave over
CLEAR = 150.0  # evidence of a stone beyond doubt
SEEN = 28.0
HAND_MOVES_MM = 12.0  # no hand holds a stone stiller than that
OVER_MM = 3.0
SWALLOW_MM = 90.0
OVERHANG_MM = 6.0
STIR_US = 700_000
RUNS_MM = 1.5  # a frame: 0.15 m/s
HELD_MM = 35.0  # no stone jumps so high by itself
ON_TABLE_MM = -8.0  # the table lies 20 mm under the mats
LOW_HAND_MM = 10.0
STANDS_US = 1_500_000
HOVER_US = 1_500_000
JOINED_FRAMES = 20  # the blow of a snap is no touch of the board
EDGE_MM = 22.0
PRESS_G = 6.0
NEAR_PRESS_G = 15.0
LIGHTEST_G, HEAVIEST_G = 1.2, 15.0  # what one stone may weigh
FELL_BELOW_MM = 12.0  # a body that leaves over the edge so low is in no hand
MS = 1000


@dataclass(slots=True)
class Life:
    """Turns what the tracker and the load cell show into events; strictly causal."""

    tracker: Tracker
    weight: Weight
    contacts: Contacts
    events: list[TableEvent] = field(default_factory=list)
    collapses: Collapses = field(default_factory=Collapses)
    lain: set[int] = field(default_factory=set)  # tracks that have been on the board
    placed: dict[int, BoardTime] = field(default_factory=dict)  # placed, not yet released
    disturbed: bool = False
    _ran_us: BoardTime = 0
    stirred_us: BoardTime | None = None  # since when stones have moved with no hand known near

    def step(self, t_us: BoardTime) -> list[TableEvent]:
        """The events that this frame decides."""
        self.events = []
        self._stirred(t_us)
        for c in self.contacts.step(t_us):
            self._contact(c, t_us)
        for m in list(self.tracker.movers):
            if m not in self.tracker.movers:
                continue
            if m.phase is Phase.HAND:
                self._hand(m, t_us)
            elif m.phase is Phase.LIFTED:
                self._lifted(m, t_us)
            elif m.phase is Phase.BOARD:
                self._board(m, t_us)
            else:
                self._table(m, t_us)
        self._parked(t_us)
        self._confirm(t_us)
        self.events += self.collapses.due(t_us)
        self._released(t_us)
        self._settled(t_us)
        self.tracker.handled = set(self.placed)
        return self.events

    def _stirred(self, t_us: BoardTime) -> None:
        """Stones at rest do not move by themselves: a hand that is seen only afterwards had come before."""
        carried = any(m.phase in (Phase.HAND, Phase.LIFTED) and m.told for m in self.tracker.movers)
        runs = any(m.phase is Phase.BOARD and m.awake and _fast(m) for m in self.tracker.movers)
        if carried:
            self.stirred_us = None
        elif runs:
            self.stirred_us = self.stirred_us or t_us
            self._ran_us = t_us
        elif t_us - self._ran_us > STIR_US:
            self.stirred_us = None

    # ------------------------------------------------------------------ phases
    def _hand(self, m: Mover, t_us: BoardTime) -> None:
        if self._left(m, t_us):
            return
        if self._comes(m):
            self._approach(m)
        elif not m.told and m.evidence < FAINT and t_us - m.born_us > STANDS_US:
            self.tracker.drop(m)
            return
        touch = self._touched(m, t_us)
        if touch is not None:
            self._approach(m)
            self._place(m, touch, t_us)

    def _approach(self, m: Mover) -> None:
        if m.phase is Phase.HAND and not m.told:
            m.told = True
            at = m.body.centre
            if self.stirred_us is not None:
                m.born_us = min(m.born_us, self.stirred_us)
            self._say(EventKind.APPROACH, m.born_us, m, x=float(at[0]), y=float(at[1]))

    def _comes(self, m: Mover) -> bool:
        """It is a stone that a hand brings, not what learned leftovers show: that stands, mostly beside the mats.

        Where a pile was fiddled with or a fallen stone was picked up, the leftovers are out of date for a while.
        """
        if m.told or m.frames < 4 or m.evidence < SEEN or self.tracker.beside(m) > OVER_MM:
            return False
        moved = float(np.linalg.norm(m.smooth - m.born_at)) > HAND_MOVES_MM
        return m.evidence > CLEAR or (moved and float(m.body.centre[2]) > LOW_HAND_MM)

    def _lifted(self, m: Mover, t_us: BoardTime) -> None:
        if self._left(m, t_us):
            return
        long = m.high_us is not None and t_us - m.high_us > BRIEF_US
        m.held = m.held or (long and float(m.smooth[2]) > HELD_MM)
        touch = self._touched(m, t_us)
        if touch is not None:
            if m.single:
                self._place(m, touch, t_us)
            else:
                fresh = [k for k in m.body.tracks if k not in self.lain]
                if fresh:
                    self._place(m, touch, t_us, fresh[0])
                m.phase = Phase.BOARD
                self.lain |= set(m.body.tracks)
                self.disturbed = True

    def _board(self, m: Mover, t_us: BoardTime) -> None:
        if not m.awake:
            return
        at = m.body.centre
        if m.still(t_us) < 0.05:
            self.disturbed = True
        beside = self.tracker.beside(m)
        lies = m.single and beside > OVERHANG_MM and m.still(t_us) > 0.1  # nothing would hold it there
        if (at[2] < -3.0 and beside > 4.0) or (lies and not any(k in self.placed for k in m.body.tracks)):
            self._fell(m, t_us)
            return
        if m.weak_us is not None and t_us - m.weak_us > 150 * MS:
            self._vanished(m, t_us)
            return
        if m.high_us is not None and t_us - m.high_us > 60 * MS:
            m.phase = Phase.LIFTED
            self._say(EventKind.LIFTED, m.high_us, m, x=float(at[0]), y=float(at[1]), count=len(m.body.tracks))

    def _table(self, m: Mover, t_us: BoardTime) -> None:
        if m.weak_us is not None or self._gone(m) or m.body.centre[2] > 15.0:
            self.tracker.drop(m)

    def _gone(self, m: Mover) -> bool:
        return m.frames >= 5 and bool(m.smooth[2] > 92.0 or self.tracker.layout.beside(m.smooth[:2]) > 42.0)

    def _left(self, m: Mover, t_us: BoardTime) -> bool:
        """A carried body has left the zone, or is no longer seen (then it may come again and is the same)."""
        low = float(m.smooth[2])
        if low < -3.0 and self.tracker.beside(m) > 4.0 and self._dropped(m, t_us):
            self._lies_on_table(m, t_us)
            return True
        if self._gone(m):
            if m.phase is Phase.LIFTED and low < FELL_BELOW_MM and not m.held:
                self._fell(m, t_us)
            else:
                self._end(m, t_us)
            self.tracker.drop(m)
            return True
        lingers = m.phase is Phase.LIFTED and m.high_us is not None and t_us - m.high_us > CARRY_US
        if (m.weak_us is not None and t_us - m.weak_us > 60 * MS) or (lingers and m.evidence < FAINT):
            brief = m.high_us is None or t_us - m.high_us < BRIEF_US
            slid = m.phase is Phase.LIFTED and m.single and brief and low < 35.0
            if not m.held and ((slid and self._at_edge(m)) or (m.single and self._went_over(m))):
                self._fell(m, t_us)
                self.tracker.drop(m)
            else:
                self.tracker.park(m, t_us)
            return True
        return False

    def _dropped(self, m: Mover, t_us: BoardTime) -> bool:
        """So low beside the mats: it has left the hand, if that had it, when it stays there."""
        return not m.held or (float(m.smooth[2]) < ON_TABLE_MM and m.still(t_us) > 0.15)

    def _lies_on_table(self, m: Mover, t_us: BoardTime) -> None:
        if m.phase is Phase.LIFTED:
            self._fell(m, t_us)
            return
        if m.told:
            self._say(EventKind.WITHDRAWN, t_us, m)
        m.phase = Phase.TABLE

    def _parked(self, t_us: BoardTime) -> None:
        while self.tracker.newborn.gone:
            m = self.tracker.newborn.gone.pop()
            self._end(m, t_us)
            self.tracker.drop(m)
        for entry in list(self.tracker.newborn.parked):
            if t_us - entry[0] > self._patience(entry[1]):
                self.tracker.newborn.parked.remove(entry)
                self._end(entry[1], t_us)

    def _patience(self, m: Mover) -> BoardTime:
        """How long a body that is no longer seen may come again: a stone hovering in the zone longest."""
        inside = m.smooth[2] < 75.0 and self.tracker.layout.beside(m.smooth[:2]) < 15.0
        return HOVER_US if m.phase is Phase.HAND and inside else PARK_US

    def _end(self, m: Mover, t_us: BoardTime) -> None:
        if m.phase is Phase.HAND:
            if m.told:
                self._say(EventKind.WITHDRAWN, t_us, m)
            return
        where = m.rested if m.rested is not None else m.body.centre
        self._say(EventKind.REMOVED, t_us, m, count=len(m.body.tracks), x=float(where[0]), y=float(where[1]))
        self.disturbed = True
        self.collapses.forget(m.body.tracks)
        for k in m.body.tracks:
            self.placed.pop(k, None)

    def _fell(self, m: Mover, t_us: BoardTime) -> None:
        at = m.body.centre
        self._say(EventKind.FELL_OFF, t_us, m, count=len(m.body.tracks), x=float(at[0]), y=float(at[1]))
        m.phase = Phase.TABLE
        self.disturbed = True
        if not m.single:
            self.collapses.unproved(m.body.tracks)

    def _swallowed(self, m: Mover, t_us: BoardTime) -> bool:
        """No stone vanishes from the board: where a cluster runs by, it is in it now."""
        by = [
            (float(np.linalg.norm(o.body.centre - m.body.centre)), k)
            for k, o in enumerate(self.tracker.movers)
            if o is not m and not o.single and o.phase in (Phase.BOARD, Phase.LIFTED) and o.still(t_us) < 0.3
        ]
        if not by or min(by)[0] > SWALLOW_MM:
            return False
        cluster = self.tracker.movers[min(by)[1]]
        nearest = ((cluster.body.stones.position - m.body.centre) ** 2).sum(axis=1).argmin()
        place = cluster.body.stones.position[nearest] + (0.0, 0.0, 7.0)
        self._contact(Contact(cluster, m, joined(cluster.body, m.body.shifted(place - m.body.centre)), t_us, 0.0), t_us)
        return True

    def _vanished(self, m: Mover, t_us: BoardTime) -> None:
        if m.single and self._swallowed(m, t_us):
            return
        if self._at_edge(m):
            self._fell(m, t_us)
            self.tracker.drop(m)
            return
        where = m.rested if m.rested is not None else m.body.centre
        self._say(EventKind.REMOVED, t_us, m, count=len(m.body.tracks), x=float(where[0]), y=float(where[1]))
        self.tracker.drop(m)
        self.disturbed = True

    def _went_over(self, m: Mover) -> bool:
        """Its last frames led over the edge so low that no hand had it."""
        low = [p[:2] for p in m.trail if float(p[2]) < FELL_BELOW_MM]
        return bool(low) and bool((self.tracker.layout.beside(np.array(low)) > OVERHANG_MM).any())

    def _at_edge(self, m: Mover) -> bool:
        angle = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
        at = m.body.centre if m.rested is None else m.rested
        ring = at[:2] + EDGE_MM * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return bool((self.tracker.layout.beside(ring) > 2.0).any())

    # ------------------------------------------------------------------ placed, released
    def _touched(self, m: Mover, t_us: BoardTime) -> BoardTime | None:
        """When it first touched the board, if it has.

        A magnet hovering low over another loads or lifts the board by grams without touching it, and a stone
        that jumps away strikes it; so near other stones only a hand's press or a stone at rest is a touch.
        """
        if m.low_us is None or self.tracker.beside(m) > 12.0 or (not m.single and m.frames < JOINED_FRAMES):
            return None
        w = self.weight
        if w.tell(t_us) is Scale.ABSENT:
            return m.low_us if t_us - m.low_us > 200 * MS else None
        near = self._near(m)
        restless = any(o.awake and o.still(t_us) < 0.2 for o in near)
        press = NEAR_PRESS_G if near else PRESS_G
        wait = 150 * MS if restless else 20 * MS
        if w.state is Scale.DISTURBED and w.touch_us is not None and w.peak_g > press and t_us - w.touch_us > wait:
            return max(w.touch_us, t_us - 250 * MS)
        if w.steps and t_us - w.steps[-1].quiet_us < 300 * MS and w.steps[-1].grams > LIGHTEST_G and not restless:
            return max(w.steps[-1].t_us, t_us - 300 * MS) if m.still(t_us) > 0.1 or not near else None
        return m.low_us if t_us - m.low_us > 500 * MS and m.still(t_us) > 0.3 else None

    def _near(self, m: Mover) -> list[Mover]:
        """Bodies on the board close enough for their magnets to matter to this one."""
        return [
            o
            for o in self.tracker.movers
            if o is not m
            and o.phase in (Phase.BOARD, Phase.LIFTED)
            and float(np.linalg.norm(o.body.centre - m.body.centre)) < 55.0
        ]

    def _place(self, m: Mover, touch: BoardTime, t_us: BoardTime, track: int | None = None) -> None:
        s = m.body.stones
        k = m.body.tracks.index(track) if track is not None else 0
        axis = s.axis[k]
        flat = abs(float(axis[2])) >= FLAT_AXIS
        self.events.append(
            TableEvent(
                EventKind.PLACED,
                touch,
                (m.body.tracks[k],),
                x=round(float(s.position[k, 0]), 2),
                y=round(float(s.position[k, 1]), 2),
                upright=not flat,
                pole_up=int(np.sign(axis[2])) if flat else 0,
                stacked=not m.single,
                t_report_us=t_us,
            )
        )
        m.phase = Phase.BOARD
        m.placed_us = touch
        m.high_us = None
        self.lain.add(m.body.tracks[k])
        self.placed[m.body.tracks[k]] = t_us
        self.disturbed = True

    def _released(self, t_us: BoardTime) -> None:
        for track, since in list(self.placed.items()):
            m = self._mover(track)
            if m is None:
                del self.placed[track]
                continue
            if m.phase is not Phase.BOARD:
                continue
            when = self._let_go(m, since, t_us)
            if when is not None:
                del self.placed[track]
                m.held = False
                k = m.body.tracks.index(track)
                p = m.body.stones.position[k]
                self.events.append(
                    TableEvent(
                        EventKind.RELEASED,
                        when,
                        (track,),
                        x=round(float(p[0]), 2),
                        y=round(float(p[1]), 2),
                        t_report_us=t_us,
                    )
                )

    def _let_go(self, m: Mover, since: BoardTime, t_us: BoardTime) -> BoardTime | None:
        w = self.weight
        if w.tell(t_us) is Scale.ABSENT:
            return m.still_us if m.still(t_us) > 0.4 and t_us - since > 400 * MS else None
        if w.state is Scale.QUIET and w.steps and w.steps[-1].quiet_us > since - 200 * MS:
            added = sum(s.grams for s in w.steps if s.quiet_us > since - 400 * MS)
            if m.single and not LIGHTEST_G <= added <= HEAVIEST_G and m.still(t_us) < 2.0:
                return None  # the weight is gone again: it was lifted; or too much of it: a hand presses on
            if m.single and added <= HEAVIEST_G:
                self.tracker.identity.weighed(m.body.tracks[0], added)
            return max(since, w.steps[-1].quiet_us - 100 * MS)
        if m.still(t_us) > 2.0:
            return t_us
        return None

    # ------------------------------------------------------------------ collapse
    def _contact(self, c: Contact, t_us: BoardTime) -> None:
        a, b = c.a, c.b
        stones = set(a.body.tracks) | set(b.body.tracks)
        in_hand = Phase.HAND in (a.phase, b.phase)
        at = 0.5 * (a.body.centre + b.body.centre)
        for m in (a, b):
            self._approach(m)
            if m.phase is Phase.BOARD:
                self.lain |= set(m.body.tracks)
        self.tracker.join(a, b, c.body, t_us)
        self.collapses.touch(c.t_us, stones, at, in_hand)
        self.disturbed = True

    def _confirm(self, t_us: BoardTime) -> None:
        """Before a collapse is told: is every stone of it there? One that came and left again touched none."""
        for stones in self.collapses.ripe(t_us):
            for m in list(self.tracker.movers):
                if m.single or not stones & set(m.body.tracks):
                    continue
                while not m.single:
                    doubt = doubted(self.tracker, m, sorted(stones & set(m.body.tracks)))
                    if doubt is None:
                        break
                    gone = self.tracker.part(m, doubt.track, doubt.rest)
                    self.collapses.without(doubt.track)
                    if doubt.track not in self.lain:
                        gone.phase = Phase.HAND
                    self.tracker.newborn.parked.append((t_us, gone))
                    if m.single and m.phase is Phase.LIFTED and m.body.tracks[0] in self.lain and m.high_us is None:
                        m.phase = Phase.BOARD

    # ------------------------------------------------------------------ rest
    def _settled(self, t_us: BoardTime) -> None:
        if not self.disturbed or self.collapses.open:
            return
        board = [m for m in self.tracker.movers if m.phase is Phase.BOARD]
        if any(m.awake and m.still(t_us) < 0.6 for m in board):
            return
        if any(m.phase is Phase.LIFTED for m in self.tracker.movers):
            return
        if any(k in self.placed for m in board for k in m.body.tracks):
            return
        self.disturbed = False
        rest = tuple(s for m in board for s in stones_of(m, False, self.tracker.identity.names))
        since = max((m.still_us for m in board), default=t_us - 300 * MS)
        self.events.append(
            TableEvent(EventKind.SETTLED, max(since, t_us - 350 * MS), count=len(rest), t_report_us=t_us, rest=rest)
        )

    # ------------------------------------------------------------------ small things
    def _mover(self, track: int) -> Mover | None:
        return next((m for m in self.tracker.movers if track in m.body.tracks), None)

    def _say(
        self,
        kind: EventKind,
        when: BoardTime,
        m: Mover,
        count: int = 1,
        x: float | None = None,
        y: float | None = None,
    ) -> None:
        self.events.append(
            TableEvent(
                kind,
                when,
                m.body.tracks,
                count,
                max(when, m.born_us),
                None if x is None else round(x, 2),
                None if y is None else round(y, 2),
            )
        )


def _fast(m: Mover) -> bool:
    return float(np.abs(m.velocity).max()) > RUNS_MM


def stones_of(m: Mover, held: bool, names: Mapping[int, tuple[int, float]]) -> tuple[Stone, ...]:
    """The stones of a body as the table's type."""
    out = []
    for k, track in enumerate(m.body.tracks):
        p, u = m.body.stones.position[k], m.body.stones.axis[k]
        flat = abs(float(u[2])) >= FLAT_AXIS
        out.append(
            Stone(
                track,
                round(float(p[0]), 2),
                round(float(p[1]), 2),
                round(float(p[2]), 2),
                not flat,
                int(np.sign(u[2])) if flat else 0,
                round(float(np.degrees(np.arctan2(u[1], u[0]))), 1),
                held,
                *names.get(track, (None, 0.0)),
            )
        )
    return tuple(out)
