"""All that was learned of one table: gains, grams, stones; each part by itself, each with how good it is."""

from dataclasses import dataclass

from companion.sensing.calibration import Calibration
from companion.sensing.layout import TableLayout
from companion.sensing.stones import StoneSet
from companion.sensing.weighing import LoadGain


@dataclass(frozen=True, eq=False)
class Learned:
    """table_id, sensors: whose it is (the sensors' names in their order). Parts that were not learned are None."""

    table_id: str
    sensors: tuple[str, ...]
    gains: Calibration | None = None
    load: LoadGain | None = None
    stones: StoneSet | None = None

    def applied(self, layout: TableLayout) -> TableLayout:
        """The layout with what was learned. Raises ValueError where its sensors are others."""
        if layout.names != self.sensors:
            raise ValueError("other sensors")
        load = None if self.load is None else self.load.gain
        if self.gains is None:
            return layout.calibrated(layout.gain, load_gain=load)
        return layout.calibrated(self.gains.gain, self.gains.spread, load)
