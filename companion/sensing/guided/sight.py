"""What a person who sets up the table has on the board now, as sensing sees it: the input of the guided steps."""

from dataclasses import dataclass

from companion.sensing.baseline.reading import Reading
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import Floats
from companion.sensing.sensors.weight import Scale
from companion.table import BoardTime

LOW_MM = 8.0
"""A centre that is higher than this is no single stone's that lies or stands on the mats."""

_SURELY = 0.6  # of a learned set of alike stones: a false one of them does nearly as well


@dataclass(frozen=True, slots=True)
class Lone:
    """One stone that is low over the mats. x, y, z: mm of its centre; pole: 1 or -1; still_s: since when it has not
    moved; number: of the learned stone that it surely is, None where that is not known.
    """

    x: float
    y: float
    z: float
    pole: int
    flat: bool
    still_s: float
    number: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """One reading; whole: the same with the sensors that are left out because no stone explains them. sigma (S,) mT:
    noise of one; stones: how many are tracked, in hands too; lone: the only one, if it is low over the mats; steady:
    nothing presses the scale; quiet: neither does a hand bring or carry anything; weighed: whether the load cell
    answers.
    """

    reading: Reading
    whole: Reading
    sigma: Floats
    stones: int
    lone: Lone | None
    steady: bool
    quiet: bool
    weighed: bool

    @property
    def t_us(self) -> BoardTime:
        return self.reading.t_us

    @property
    def empty(self) -> bool:
        """Nothing magnetic is seen and nothing moves."""
        return self.quiet and not self.stones


def sight(sensing: Sensing) -> Sight | None:
    """The newest reading of a table; None while its zeros are not known."""
    reading, whole, tracker = sensing.reading, sensing.whole, sensing.tracker
    if reading is None or whole is None or tracker is None:
        return None
    movers = tracker.movers
    scale = sensing.weight.tell(reading.t_us)
    carried = any(m.carried for m in movers)
    lone = None
    if len(movers) == 1 and movers[0].single and movers[0].low_mm < LOW_MM:
        m = movers[0]
        x, y, z = m.body.centre.tolist()
        number, p = tracker.identity.names.get(m.body.tracks[0], (None, 0.0))
        pole = 1 if m.body.stones.axis[0, 2] > 0.0 else -1
        lone = Lone(x, y, z, pole, m.flat, m.still(reading.t_us), number if p > _SURELY else None)
    return Sight(
        reading,
        whole,
        sensing.sigma,
        sum(len(m.body.tracks) for m in movers),
        lone,
        scale is not Scale.DISTURBED,
        not carried and not tracker.handled and scale is not Scale.DISTURBED,
        scale is not Scale.ABSENT,
    )
