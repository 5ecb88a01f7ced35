"""Leave one table out: what the population's shape, moment and limits are worth on stones that had no say in them.

    python tests/bench/leave_one_table_out.py FOLDER     with calibration-hwN and learn-hwN of two tables or more

Each stone of a table, lying flat and alone, is fitted as one of a population: the one that is shipped, the one of the
other tables' stones, and the one of its own table. Prints how far off it is placed, what is left of its field as a part
of its peak under it (the limits are SHAPE_SPREAD rms and SHAPE_PEAK at the worst sensor), its height (FLAT_HEIGHT) and
how far its moment is from the mean, in spreads (MOMENT_SPREADS). docs/sensing/stones.md says what was seen.
"""

import json
import sys
from pathlib import Path

import numpy as np

from companion.process.common.learned import GUIDED_FILE, learned, recorded_layout, samples
from companion.sensing.fields.bodies import Body
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.lying import fit_lying
from companion.sensing.fields.magnets import magnet
from companion.sensing.fields.prior import FLAT_HEIGHT, Prior
from companion.sensing.fields.stones import POPULATION, Population, StoneSet
from companion.sensing.learning.still import Still, still
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.sensing.tracks.leftovers import SHAPE_PEAK, SHAPE_SPREAD
from companion.sensing.tracks.movers import MOMENT_SPREADS
from companion.table.time import from_seconds
from drivers.recording import read_recording

UNDER_MM = 20.0
SHOWN = "{:>6} {:>9}  {:>15} {:>6} | {:>6} {:>6} | {:>6} {:>6} | {:>9} | {:>6}"


class Table:
    """One table's stones as they were shown, seen with nominal gains."""

    def __init__(self, calibration: Path, learn: Path) -> None:
        recording = read_recording(learn)
        self.layout: TableLayout = recorded_layout(recording)
        found = learned([read_recording(calibration), recording])
        assert found is not None
        assert found.stones is not None
        self.stones: StoneSet = found.stones
        self.steps = json.loads((learn / GUIDED_FILE).read_text())["steps"]
        spans = [(from_seconds(s["t0"]), from_seconds(s["t1"])) for s in self.steps]
        self.seen: Still = still(self.layout, samples(recording), spans)

    def judged(self, population: Population) -> Floats:
        """(n, 5) of each stone: mm off its place, rms and worst of what is left under it as a part of its peak, mm of
        its height, its moment's distance from the mean in spreads."""
        moment, spread, shape = population
        out = []
        for k, step in enumerate(self.steps):
            at = np.array([step["x"], step["y"], FLAT_HEIGHT[0]])
            field, layout = self.seen.field[k], self.layout
            start = Body((1,), magnet(at, (0.0, 0.0, step["pole_up"]), moment, shape))
            prior = Prior(at, np.array([4.0, 4.0, FLAT_HEIGHT[1]]), 0.5, float(np.log(moment)), spread)
            error = layout.gain_spread * field
            weight = np.where(self.seen.valid[k], 1.0 / (self.seen.sigma**2 / 4.0 + error**2), 0.0)
            found = fit_lying(layout, start, prior, field, weight, 2.0, limit=12).bodies[0]
            near = np.hypot(*(layout.position[:, :2] - found.centre[:2]).T) < UNDER_MM
            near &= self.seen.valid[k]
            left = (field - FieldModel.of(layout).fields(found.stones)[0])[near] / np.abs(field[near]).max()
            out.append(
                [
                    float(np.hypot(*(found.centre[:2] - at[:2]))),
                    float(np.sqrt(np.square(left).mean())),
                    float(np.abs(left).max()),
                    float(found.centre[2]),
                    abs(float(np.log(found.moment / moment))) / spread,
                ]
            )
        return np.array(out)


def population_of(tables: list[Table]) -> Population:
    """What the stones of these tables are like together."""
    together = StoneSet("", tuple(s for table in tables for s in table.stones.stones))
    return (*together.moment, together.shape)


def main(folder: Path) -> None:
    names = sorted(p.name.removeprefix("learn-") for p in folder.glob("learn-*"))
    tables = {name: Table(folder / f"calibration-{name}", folder / f"learn-{name}") for name in names}
    print(SHOWN.format("table", "from", "shape", "moment", "mm p50", "p95", "rms", "worst", "height", "spread"))
    for name, table in tables.items():
        others = population_of([t for n, t in tables.items() if n != name])
        for label, population in (("shipped", POPULATION), ("others", others), ("own", population_of([table]))):
            found = table.judged(population)
            off, rms, worst, height, far = found.T
            print(
                SHOWN.format(
                    name,
                    label,
                    " ".join(f"{v:.2f}" for v in population[2]),
                    f"{population[0]:.3f}",
                    f"{np.median(off):.2f}",
                    f"{np.percentile(off, 95):.2f}",
                    f"{rms.max():.3f}",
                    f"{worst.max():.3f}",
                    f"{height.min():.2f}-{height.max():.2f}",
                    f"{far.max():.2f}",
                )
            )
    print(f"limits: rms {SHAPE_SPREAD}, worst {SHAPE_PEAK}, height {FLAT_HEIGHT}, spreads {MOMENT_SPREADS}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
