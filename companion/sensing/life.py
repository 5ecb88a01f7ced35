"""The life of a track and the events it makes: brought, placed, let go, collapsed, lifted, gone."""

from dataclasses import dataclass, field

import numpy as np

from companion.sensing.layout import Floats
from companion.sensing.movers import FLAT_AXIS, Mover, Phase
from companion.sensing.contacts import Contact, Contacts
from companion.sensing.tracker import Tracker
from companion.sensing.weight import Scale, Weight
from companion.table import BoardTime, EventKind, Evidence, Stone, TableEvent

HOLD_US = 340_000
PARK_US = 700_000
FELL_BELOW_MM = 12.0  # a body that leaves over the edge so low is in no hand
MS = 1000


@dataclass(slots=True)
class PendingCollapse:
    """Contacts within 0.4 s are one collapse: held until then, inside the time that Complete lags."""

    t_us: BoardTime
    stones: set[int]
    new: set[int]
    chain: bool
    at: Floats
    in_hand: bool


@dataclass(slots=True)
class Life:
    """Turns what the tracker and the load cell show into events; strictly causal."""

    tracker: Tracker
    weight: Weight
    contacts: Contacts
    events: list[TableEvent] = field(default_factory=list)
    clusters: dict[int, int] = field(default_factory=dict)  # track -> number of its collapse
    lain: set[int] = field(default_factory=set)  # tracks that have been on the board
    placed: dict[int, BoardTime] = field(default_factory=dict)  # placed, not yet released
    pending: PendingCollapse | None = None
    disturbed: bool = False
    _steps: int = 0
    _collapses: int = 0

    def step(self, t_us: BoardTime) -> list[TableEvent]:
        """The events that this frame decides."""
        self.events = []
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
        self._collapse_due(t_us)
        self._released(t_us)
        self._settled(t_us)
        self.tracker.handled = set(self.placed)
        return self.events

    # ------------------------------------------------------------------ phases
    def _hand(self, m: Mover, t_us: BoardTime) -> None:
        if self._left(m, t_us):
            return
        if m.frames >= 4 and m.evidence > 25.0:
            self._approach(m)
        touch = self._touched(m, t_us)
        if touch is not None:
            self._approach(m)
            self._place(m, touch, t_us)

    def _approach(self, m: Mover) -> None:
        if m.phase is Phase.HAND and not m.told:
            m.told = True
            at = m.body.centre
            self._say(EventKind.APPROACH, m.born_us, m, x=float(at[0]), y=float(at[1]))

    def _lifted(self, m: Mover, t_us: BoardTime) -> None:
        if self._left(m, t_us):
            return
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
        if at[2] < -3.0 and beside > 4.0:
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
        if m.phase is Phase.LIFTED and low < -3.0 and self.tracker.beside(m) > 4.0:
            self._fell(m, t_us)
            return True
        if self._gone(m):
            if m.phase is Phase.LIFTED and low < FELL_BELOW_MM:
                self._fell(m, t_us)
            else:
                self._end(m, t_us)
            self.tracker.drop(m)
            return True
        if m.weak_us is not None and t_us - m.weak_us > 60 * MS:
            self.tracker.park(m, t_us)
            return True
        return False

    def _parked(self, t_us: BoardTime) -> None:
        for entry in list(self.tracker.parked):
            if t_us - entry[0] > PARK_US:
                self.tracker.parked.remove(entry)
                self._end(entry[1], t_us)

    def _end(self, m: Mover, t_us: BoardTime) -> None:
        if m.phase is Phase.HAND:
            if m.told:
                self._say(EventKind.WITHDRAWN, t_us, m)
            return
        where = m.rested if m.rested is not None else m.body.centre
        self._say(EventKind.REMOVED, t_us, m, count=len(m.body.tracks), x=float(where[0]), y=float(where[1]))
        self.disturbed = True
        for k in m.body.tracks:
            self.clusters.pop(k, None)
            self.placed.pop(k, None)

    def _fell(self, m: Mover, t_us: BoardTime) -> None:
        at = m.body.centre
        self._say(EventKind.FELL_OFF, t_us, m, count=len(m.body.tracks), x=float(at[0]), y=float(at[1]))
        m.phase = Phase.TABLE
        self.disturbed = True

    def _vanished(self, m: Mover, t_us: BoardTime) -> None:
        where = m.rested if m.rested is not None else m.body.centre
        self._say(EventKind.REMOVED, t_us, m, count=len(m.body.tracks), x=float(where[0]), y=float(where[1]))
        self.tracker.drop(m)
        self.disturbed = True

    # ------------------------------------------------------------------ placed, released
    def _touched(self, m: Mover, t_us: BoardTime) -> BoardTime | None:
        """When it first touched the board, if it has."""
        if m.low_us is None or self.tracker.beside(m) > 12.0:
            return None
        w = self.weight
        if w.tell(t_us) is Scale.ABSENT:
            return m.low_us if t_us - m.low_us > 200 * MS else None
        if w.state is Scale.DISTURBED and w.touch_us is not None and w.peak_g > 6.0 and t_us - w.touch_us > 20 * MS:
            return max(w.touch_us, t_us - 250 * MS)
        if w.steps and t_us - w.steps[-1].quiet_us < 300 * MS and w.steps[-1].grams > 1.5:
            return max(w.steps[-1].t_us, t_us - 300 * MS)
        return m.low_us if t_us - m.low_us > 500 * MS and m.still(t_us) > 0.3 else None

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
                k = m.body.tracks.index(track)
                p = m.body.stones.position[k]
                self.events.append(
                    TableEvent(
                        EventKind.RELEASED, when, (track,), x=round(float(p[0]), 2), y=round(float(p[1]), 2), t_report_us=t_us
                    )
                )

    def _let_go(self, m: Mover, since: BoardTime, t_us: BoardTime) -> BoardTime | None:
        w = self.weight
        if w.tell(t_us) is Scale.ABSENT:
            return m.still_us if m.still(t_us) > 0.4 and t_us - since > 400 * MS else None
        if w.state is Scale.QUIET and w.steps and w.steps[-1].quiet_us > since - 200 * MS:
            return max(since, w.steps[-1].quiet_us - 100 * MS)
        if m.still(t_us) > 2.0:
            return t_us
        return None

    # ------------------------------------------------------------------ collapse
    def _contact(self, c: Contact, t_us: BoardTime) -> None:
        a, b = c.a, c.b
        stones = set(a.body.tracks) | set(b.body.tracks)
        known = {k for k in stones if k in self.clusters}
        in_hand = Phase.HAND in (a.phase, b.phase)
        at = 0.5 * (a.body.centre + b.body.centre)
        for m in (a, b):
            self._approach(m)
            if m.phase is Phase.BOARD:
                self.lain |= set(m.body.tracks)
        self.tracker.join(a, b, c.body, t_us)
        if self.pending is None:
            self._collapses += 1
            self.pending = PendingCollapse(c.t_us, stones, stones - known, bool(known), at, in_hand)
        else:
            p = self.pending
            p.stones |= stones
            p.new |= stones - known
            p.in_hand |= in_hand
        for k in stones:
            self.clusters[k] = self._collapses
        self.disturbed = True

    def _collapse_due(self, t_us: BoardTime) -> None:
        p = self.pending
        if p is None or t_us - p.t_us < HOLD_US:
            return
        self.pending = None
        self.events.append(
            TableEvent(
                EventKind.COLLAPSE,
                p.t_us,
                tuple(sorted(p.stones)),
                len(p.stones),
                t_us,
                round(float(p.at[0]), 2),
                round(float(p.at[1]), 2),
                tuple(sorted(p.new)),
                p.chain,
                evidence=Evidence(note="in_hand" if p.in_hand else ""),
            )
        )

    # ------------------------------------------------------------------ rest
    def _settled(self, t_us: BoardTime) -> None:
        if not self.disturbed or self.pending is not None:
            return
        board = [m for m in self.tracker.movers if m.phase is Phase.BOARD]
        hands = any(m.phase is Phase.HAND for m in self.tracker.movers)
        if any(m.awake and m.still(t_us) < (0.6 if hands else 0.33) for m in board):
            return
        if any(m.phase is Phase.LIFTED for m in self.tracker.movers):
            return
        if any(k in self.placed for m in board for k in m.body.tracks):
            return
        self.disturbed = False
        rest = tuple(s for m in board for s in stones_of(m, False))
        since = max((m.still_us for m in board), default=t_us - 300 * MS)
        self.events.append(
            TableEvent(EventKind.SETTLED, max(since, t_us - 350 * MS), count=len(rest), t_report_us=t_us, rest=rest)
        )

    # ------------------------------------------------------------------ small things
    def _mover(self, track: int) -> Mover | None:
        return next((m for m in self.tracker.movers if track in m.body.tracks), None)

    def _say(
        self, kind: EventKind, when: BoardTime, m: Mover, count: int = 1, x: float | None = None, y: float | None = None
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


def stones_of(m: Mover, held: bool) -> tuple[Stone, ...]:
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
            )
        )
    return tuple(out)
