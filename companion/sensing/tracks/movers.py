"""A tracked body and where it is in its life; no decisions here."""

from collections import deque
from dataclasses import dataclass, field
from enum import Enum
from math import log
from typing import Final

import numpy as np

from companion.sensing.fields.bodies import Body
from companion.sensing.fields.magnets import DEFAULT_MOMENT
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.stones import Population
from companion.sensing.sensors.layout import Floats
from companion.table import BoardTime

STILL_MM = 0.9
CLUSTER_STILL_MM = 1.4
"""Of what sticks together the centre is known less well: 0.5 mm a frame, 0.3 mm between two of the means that are
compared; within 0.3 s that comes to 0.9 mm by chance, and only seldom to this.
"""
TREMBLES: Final = 1.3
"""Standard deviations of its place in a frame: so far apart are two of the means that are compared, within 0.4 s, by
noise alone (they have 0.42 of that noise each, and some seven of them are independent)."""
JUMP_MM = 12.0
"""A frame: 1.2 m/s, twice as fast as a hand pushes; a snap is so fast only where both stones are clearly seen."""
CLEARLY = 150.0
NEAR_MATS_MM: Final = 20.0
"""Over the mats and lower, a stone in a hand is clearly seen."""
CLEAR_FRAMES: Final = 3
"""For so many frames in a row: a stone beside it that trembles makes a ghost be worth its whole field for one."""
FLAT_AXIS = 0.7
"""A stone whose moment's upright part is at least this lies flat (as in the recordings' truth)."""

CALM_FRAMES: Final = 10
"""After a jump, and after a coarse search has found it, a track counts its way from where it has come to on average.
What is left over trembles: a frame that is far from the one before is as far from all others as a hand goes.
"""
RUNS_MM: Final = 1.5
"""A frame: 0.15 m/s, along any axis."""

MOMENT_SPREADS: Final = 2.5
"""No stone is so far from the mean of its set's moments: what seems to be is a ghost or two stones."""
LOST_GAIN: Final = 20.0
SEEN_GAIN: Final = 100.0
"""Evidence a frame of a stone that is clearly seen: 50 mm over the mats; beside the mats or at 70 mm it has less."""
ODD: Final = 4.0
"""Chi squared a row: where more is left over a track does not follow what it is taken for, or not that alone."""
FAINT: Final = 120.0
"""Evidence of a body that may be no more than what others leave over."""
LOW_SLACK_MM: Final = 4.0
LIFT_MM: Final = 7.0
AHEAD: Final = 0.6
"""Of its velocity is believed for the next frame."""
HIGH_MM: Final = 45.0
HIGH_SIGMA_MM, LOW_SIGMA_MM = 5.0, 12.0
"""Of where it is in the next frame: so high it is seen too faintly to be followed as fast as it could go."""


class Phase(Enum):
    """Where a body is. The transitions stand in companion.sensing.events.life."""

    HAND = "hand"  # brought by a hand, has not touched the board
    BOARD = "board"  # lies on a mat or on stones that do
    LIFTED = "lifted"  # was on the board, a hand carries it
    TABLE = "table"  # fell off the board
    AWAY = "away"  # a cluster that was carried off: told as gone, but its field still reaches the sensors


_HIGH_SIGMA, _LOW_SIGMA = np.full(3, HIGH_SIGMA_MM), np.full(3, LOW_SIGMA_MM)
_CARRIED: Final = (Phase.HAND, Phase.LIFTED, Phase.AWAY)


@dataclass(slots=True, eq=False)
class Mover:
    """One body followed from frame to frame.

    velocity (3,) mm a frame; still_us: since when it has not moved by more than STILL_MM (a cluster:
    CLUSTER_STILL_MM; where it is blurred: what its noise makes of that) from `anchor`; awake: solved each frame;
    evidence: gain in chi squared by assuming the body, averaged over some frames; low_us: since when it has been as
    low as a resting stone; high_us: since when clearly above that.
    """

    body: Body
    phase: Phase
    born_us: BoardTime
    born_at: Floats = field(default_factory=lambda: np.zeros(3))  # (3,) mm
    kept: Floats = field(default_factory=lambda: np.zeros(0))  # field (S,) mT that it gives
    velocity: Floats = field(default_factory=lambda: np.zeros(3))
    smooth: Floats = field(default_factory=lambda: np.zeros(3))
    anchor: Floats = field(default_factory=lambda: np.zeros(3))
    still_us: BoardTime = 0
    awake: bool = True
    evidence: float = 100.0
    misfit: float = 1.0  # chi squared a row of the last fit
    blur_mm: float = 0.0  # error of its place in a frame where half of the sensors that see it best are lost
    weak_us: BoardTime | None = None
    faint_us: BoardTime | None = None  # of what is lifted: since when its evidence is faint
    low_us: BoardTime | None = None
    high_us: BoardTime | None = None
    log_moment: float = float(np.log(DEFAULT_MOMENT))
    log_sigma: float = 0.3
    frames: int = 0
    jumped: int = 0  # frames since its track went faster than any hand; 0 when it was clearly seen since
    calm: int = 0  # frames since it last went faster than any hand
    clear: int = 0  # frames for which it has been clearly seen
    clear_us: BoardTime = 0  # when it was last clearly seen, for more than a moment
    told: bool = False  # its approach has been reported
    fetched: bool = False  # it fell, and a hand has taken it from the table and not put it down yet
    held: bool = False  # a hand has it, or had it when it was last well seen
    placed_us: BoardTime | None = None
    away_us: BoardTime = 0  # of Phase.AWAY: since when
    rested: Floats | None = None
    lain: Body | None = None  # as it came to rest, until it is taken up
    lain_us: BoardTime = 0  # when it came to rest so
    pinned: bool = False  # awake, and held as it lay (companion.sensing.tracks.lies)
    loose: int = 0  # frames since it was let go
    relaid: bool = False  # put down again, and has not come to rest since: `rested` is where it lay before
    unseen: tuple[BoardTime, Body] | None = None  # since when the sensors left could not tell a lift, and its body then
    since: tuple[Floats, int] | None = None  # where it was last measured, and how many frames were filled in since
    aside: tuple[Body, float] | None = None  # mm from the mats to the centre of this body, measured level
    trail: deque[Floats] = field(default_factory=lambda: deque(maxlen=30))

    @property
    def single(self) -> bool:
        """One stone, not a cluster."""
        return len(self.body.tracks) == 1

    @property
    def carried(self) -> bool:
        """In a hand, as far as is known, or so lately carried off by one that its field is still seen."""
        return self.phase in _CARRIED

    @property
    def runs(self) -> bool:
        """On the board, and faster than what settles there."""
        if self.phase is not Phase.BOARD:
            return False
        speeds: list[float] = self.velocity.tolist()
        return max(map(abs, speeds)) > RUNS_MM

    @property
    def flat(self) -> bool:
        """Of a single stone: it lies flat rather than on edge."""
        return self.body.up >= FLAT_AXIS

    @property
    def low_mm(self) -> float:
        """Height of the lowest stone's centre above the mats."""
        return float(self.body.stones.position[:, 2].min())

    @property
    def ahead(self) -> Floats:
        """Where it is in the next frame if it goes on, (3,) mm."""
        out: Floats = self.body.centre + AHEAD * self.velocity
        return out

    def prior(self) -> Prior:
        """What is known of a body over the board, or near it, before the next frame."""
        high = float(self.body.centre[2]) > HIGH_MM
        sigma, turn = (_HIGH_SIGMA, 0.2) if high else (_LOW_SIGMA, 0.5)
        return Prior(self.ahead, sigma, turn, self.log_moment, self.log_sigma)

    def follow(self, body: Body, t_us: BoardTime, measured: bool = True) -> None:
        """Take the pose of a new frame. measured: it is not filled in; a track whose stone snaps away goes from the one
        place to the other halfway along a straight line of fields, which says nothing of how fast the stone was.
        """
        step = body.centre - self.body.centre
        self.velocity = 0.45 * self.velocity + 0.55 * step
        ran = measured and self._ran(body.centre)
        self.calm = 0 if ran else self.calm + 1
        if ran and not self.told:
            self.born_at = body.centre  # what was followed before was not it
        if self.evidence >= CLEARLY:
            self.jumped = 0
        elif self.jumped or ran:
            self.jumped += 1
        if not measured:
            place, frames = self.since or (self.body.centre, 0)
            self.since = (place, frames + 1)
        else:
            self.since = None
        self.body = body
        self.frames += 1
        c = body.centre
        self.trail.append(c)
        self.smooth = c.copy() if self.frames < 3 else self.smooth + 0.3 * (c - self.smooth)
        if self.calm == CALM_FRAMES and not self.told:
            self.born_at = self.smooth.copy()
        away = max(map(abs, (self.smooth - self.anchor).tolist()))
        if away > max(STILL_MM if self.single else CLUSTER_STILL_MM, TREMBLES * self.blur_mm):
            self.anchor, self.still_us = self.smooth.copy(), t_us

    def _ran(self, to: Floats) -> bool:
        """Faster than any hand, from where it was last measured."""
        place, frames = self.since or (self.body.centre, 0)
        way = to - place
        return float(way @ way) > (JUMP_MM * (frames + 1)) ** 2

    def judge(self, gain: float, population: Population, t_us: BoardTime) -> None:
        """What a frame bears out. gain: in chi squared by assuming the body; population: of the stones played with."""
        self.evidence += 0.35 * (min(gain, 300.0) - self.evidence)
        self.clear = self.clear + 1 if self.evidence >= SEEN_GAIN else 0
        if self.clear >= CLEAR_FRAMES:
            self.clear_us = t_us
        self.weak_us = None if self.evidence > LOST_GAIN else (self.weak_us or t_us)
        single = self.single
        if single and self.body.centre[2] < 45.0 and self.phase is not Phase.TABLE and self.misfit < ODD:
            self.log_moment += 0.1 * (self.body.log_moment - self.log_moment)
            mean, spread = log(population[0]), MOMENT_SPREADS * population[1]
            self.log_moment = min(max(self.log_moment, mean - spread), mean + spread)
            self.log_sigma = max(0.12, 0.98 * self.log_sigma) if self.log_sigma > 0.1 else self.log_sigma
        rest = 3.6 if not single or self.flat else 8.5
        z = float(self.smooth[2]) if single else self.low_mm
        if z < rest + LOW_SLACK_MM:
            self.low_us = self.low_us or t_us
        else:
            self.low_us = None
        self.high_us = (self.high_us or t_us) if z > rest + LIFT_MM else None

    def set(self, body: Body, t_us: BoardTime) -> None:
        """It is here after all: what was followed before was not it."""
        self.body, self.velocity = body, np.zeros(3)
        self.smooth = self.anchor = body.centre
        self.still_us, self.weak_us, self.high_us, self.low_us, self.since = t_us, None, None, None, None
        self.jumped = 0
        self.trail.clear()

    def still(self, t_us: BoardTime) -> float:
        """Seconds since it last moved."""
        return (t_us - self.still_us) / 1e6

    def passed(self, place: Floats) -> float:
        """How near to a place (3,) mm it came, measured level, in mm; before its trail it went straight from where it
        rested.
        """
        began = [] if self.rested is None else [self.rested]
        way = np.array([p[:2] for p in (*began, *self.trail, self.body.centre)])
        along = np.diff(way, axis=0, append=way[-1:])
        share = ((place[:2] - way) * along).sum(axis=1) / np.maximum((along * along).sum(axis=1), 1e-9)
        nearest = way + np.clip(share, 0.0, 1.0)[:, None] * along
        return float(np.linalg.norm(nearest - place[:2], axis=1).min())
