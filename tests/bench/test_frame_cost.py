"""Processor time of a whole frame, from the bytes of the wire to events: many stones at rest, one that a hand carries.

Twenty stones on four tiles; forty on eight, of which the first twenty lie as those and are what a hand goes over, so
that as much moves; beside it a full solve of all of them; with the C kernel and with NumPy. Times of a busy machine say
little: each frame is run REPEATS times and counts with its least (with NumPy once), both boards in turn, and what is
asked are the ratios within one run, printed beside what was asked, with what the longest frames did. Prints only.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import process_time

import numpy as np
import pytest

from companion import compiled
from companion.process.table.feed import Feed
from companion.sensing.baseline.memory import Memory
from companion.sensing.baseline.zero import Zero
from companion.sensing.fields import kernel
from companion.sensing.fields.bodies import Body, Group
from companion.sensing.fields.dipole import UNKNOWNS, FieldModel
from companion.sensing.fields.magnets import DEFAULT_MOMENT, DEFAULT_SHAPE, Magnets, magnet
from companion.sensing.fields.prior import Prior
from companion.sensing.fields.solver import fit
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import Floats, TableLayout
from companion.table import EventKind, TableEvent
from drivers.wire.framing import seal
from drivers.wire.messages import DEFINITION, PROTOCOL, Frame, Hello
from tests.bench.steps import Spent, Watch, longest
from tests.drivers.handed import Handed
from tests.sensing.tables import table_json

PERIOD_US = 10_000
TARE, GRAM, STONE_G = 84_000, 420.0, 6.0  # of the tests' table
NOISE = 0.5  # counts
CARRY_S, HOVER_MM = 6.0, 30.0
TILES, STONES = 4, 20
TURNS_MM = 80.0
REPEATS = 3
SEEDS = (1, 2)
EVALUATIONS = 5  # of a full solve: what a fit takes at most unless told otherwise
SOLVES = 15


def row_of(tiles: int) -> TableLayout:
    """So many tiles in a row, pointing up and down in turn; the last TILES of them always in the same place."""
    row = [(chr(ord("A") + k), 75.0 * (k - tiles), 43.301 * (k % 2), 180.0 * (k % 2)) for k in range(tiles)]
    return TableLayout.from_json(table_json(row))


def lying(layout: TableLayout, rng: np.random.Generator, count: int) -> list[Magnets]:
    """Flat stones, at least 27 mm apart; the first STONES of them on the last TILES tiles."""
    out: list[Magnets] = []
    last = row_of(TILES)
    for board, number in ((last, min(count, STONES)), (layout, count)):
        low, high = board.position[:, :2].min(0), board.position[:, :2].max(0)
        while len(out) < number:
            at = rng.uniform(low, high)
            free = board.beside(at) == 0 and (len(out) < STONES or last.beside(at) > 0)
            if free and all(np.hypot(*(at - s.position[0, :2])) > 27.0 for s in out):
                side = np.array([*rng.normal(size=2), 0.0])
                out.append(magnet((*at, 3.4), (0, 0, (-1) ** len(out)), DEFAULT_MOMENT, DEFAULT_SHAPE, side))
    return out


def carried() -> Iterator[Magnets | None]:
    """A stone that comes from beside the mats and is carried to and fro over the last tiles, 30 mm high, at 0.2 m/s;
    not so far that it would wake the stones of other tiles.
    """
    last = row_of(TILES)
    low, high = last.position[:, :2].min(0), last.position[:, :2].max(0)
    middle, length = float(low[1] + high[1]) / 2.0, float(high[0] - low[0]) - TURNS_MM
    for k in range(round(CARRY_S * 100)):
        way = 1.0 - abs((k * 2.0 / length) % 2.0 - 1.0)
        place = (high[0] - way * length, middle + 15.0 * np.sin(0.05 * k), 3.4 + HOVER_MM)
        yield magnet(place, (0.2, 0.1, 1.0), DEFAULT_MOMENT, DEFAULT_SHAPE)


def frames(layout: TableLayout, stones: list[Magnets], seed: int) -> Iterator[tuple[bool, bytes]]:
    """Whether a stone is carried, and the bytes of each frame."""
    rng = np.random.default_rng(seed)
    model = FieldModel.of(layout)
    rest: Floats = model.fields(stones[0].joined(*stones[1:])).sum(axis=0)
    quiet: list[Magnets | None] = [None] * 100
    for n, hand in enumerate([*quiet, *carried()]):
        field = rest if hand is None else rest + model.fields(hand)[0]
        counts = np.rint(512.0 + layout.gain * field + rng.normal(0.0, NOISE, layout.count))
        grams = STONE_G * len(stones) + rng.normal(0.0, 0.05)
        load = ((n * PERIOD_US, TARE + round(GRAM * grams)),)
        hall = np.clip(counts, 0, 1023).astype("<u2").tobytes()
        data = seal(Frame(1, n & 0xFFFF, n * PERIOD_US, load, hall).encode())
        hello = b"" if n else seal(Hello(PROTOCOL, DEFINITION, 1, layout.count, PERIOD_US, layout.table_id).encode())
        yield hand is not None, hello + data


def cost(tiles: int, count: int, seed: int) -> tuple[list[Spent], list[Spent], float]:
    """What each frame took, at rest and with one stone carried; bodies that are solved in a frame of these."""
    layout = row_of(tiles)
    stones = lying(layout, np.random.default_rng(seed), count)
    zero = Zero(np.full(layout.count, 512.0), np.full(layout.count, NOISE), np.full(layout.count, 0.05))
    bodies = tuple(Body((k,), s) for k, s in enumerate(stones, 1))
    sensing = Sensing(layout, None, Memory(layout.table_id, 0, zero, bodies, STONE_G * count), 1000)
    link = Handed()
    feed = Feed(link, sensing, sensors=layout.count)
    still, moving = list[Spent](), list[Spent]()
    events: list[TableEvent] = []
    solved = list[int]()
    watch = Watch()
    with watch.watching():
        for n, (hand, data) in enumerate(frames(layout, stones, seed)):
            link.data, link.now_us = data, n * PERIOD_US
            reports, spent = watch.frame(feed.step)
            events += [r for r in reports if isinstance(r, TableEvent)]
            if n > 60:
                (moving if hand else still).append(spent)
            if hand and sensing.tracker is not None:
                solved.append(sum(m.awake for m in sensing.tracker.movers))
    assert events[0].count == count
    assert any(e.kind is EventKind.APPROACH for e in events)
    return still, moving, float(np.mean(solved))


def full(tiles: int, count: int, seed: int) -> float:
    """Milliseconds of EVALUATIONS for all stones from near where they are, the least of some."""
    layout, rng = row_of(tiles), np.random.default_rng(seed)
    bodies = [Body((k,), s) for k, s in enumerate(lying(layout, rng, count))]
    whole = FieldModel.of(layout).fields(Group(bodies).stones).sum(axis=0)
    weight, spent = np.full(layout.count, 100.0), list[float]()
    for _ in range(SOLVES):
        start = [b.moved(rng.normal(size=UNKNOWNS) * [0.5, 0.5, 0.3, 0.03, 0.03, 0.03, 0.03]) for b in bodies]
        priors = [Prior(b.centre, np.full(3, 4.0), 0.5, float(np.log(DEFAULT_MOMENT)), 0.3) for b in start]
        field = whole + rng.normal(0.0, 0.1, layout.count)
        begun = process_time()
        fit(layout, start, priors, field, weight, limit=EVALUATIONS, tolerance=0.0)
        spent.append(1e3 * (process_time() - begun))
    return min(spent)


def told(name: str, frames: list[Spent]) -> str:
    spent = [each.ms for each in frames]
    median, high = float(np.median(spent)), float(np.percentile(spent, 99))
    return f"{name:42s} {len(spent):5d} frames: median {median:6.2f} ms, p99 {high:6.2f} ms, most {max(spent):6.2f} ms"


def least(runs: Iterable[Sequence[Spent]]) -> list[Spent]:
    """Each frame in the run in which it took least."""
    return [min(same, key=lambda each: each.ms) for same in zip(*runs, strict=True)]


def costs(name: str, repeats: int = REPEATS) -> list[str]:
    """Lines of figures with the arithmetic that is in use now."""
    lines, found = [name], dict[int, tuple[float, float, float]]()  # median, bodies solved, full solve
    boards, more = ((TILES, STONES), (2 * TILES, 2 * STONES)), range(repeats)
    runs = [[[cost(*board, seed) for seed in SEEDS] for board in boards] for _ in more]
    solves = [[[full(*board, seed) for seed in (1, 2, 3)] for board in boards] for _ in more]
    for k, (tiles, count) in enumerate(boards):
        still = [each for n in range(len(SEEDS)) for each in least(run[k][n][0] for run in runs)]
        moving = [each for n in range(len(SEEDS)) for each in least(run[k][n][1] for run in runs)]
        solve = float(np.median(np.min([run[k] for run in solves], axis=0)))
        solved = float(np.mean([each[2] for each in runs[0][k]]))
        found[count] = float(np.median([each.ms for each in moving])), solved, solve
        lines += [
            told(f"{count} stones on {tiles} tiles, at rest", still),
            told(f"{count} stones on {tiles} tiles, one carried", moving) + f", {solved:.1f} bodies solved",
            f"    {longest(moving)}",
            f"{count} stones on {tiles} tiles, full solve, {EVALUATIONS} evaluations: {solve:.2f} ms",
        ]
    carried, bodies, solve = (b / a for a, b in zip(found[STONES], found[2 * STONES], strict=True))
    lines.append(
        f"20 -> 40 stones: one carried {carried:.2f} times (asked 1.3), with {bodies:.2f} times as many bodies solved: "
        f"{carried / bodies:.2f} times for each; full solve {solve:.2f} times (asked 2.3)"
    )
    return lines


@pytest.mark.bench
def test_cost_of_a_frame(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    before = kernel.used()
    try:
        kernel.use(kernel.Kernel(compiled.build(tmp_path)))
        lines = costs("C kernel (asked of 20 stones, one carried: median 2 ms, p99 8 ms)")
        kernel.use(None)
        lines += costs("NumPy", 1)
    finally:
        kernel.use(before)
    with capsys.disabled():
        print("\n" + "\n".join(lines))
