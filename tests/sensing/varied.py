"""Recordings as other hardware would have given them, scored against their truth.

python -m tests.sensing.varied FOLDER... [--variants plain,gains,...] [--seeds N|A,B] [--jobs N] [--keep OUT]
    [--json OUT] [--calibration FOLDER...]

A variant changes what the sensors gave, never what happened: a decision that it turns hung on a noise count. Prints by
variant events found/true (invented), counts that are wrong, turns, questions; then what fails when, in how many.
With --calibration the same hardware gave the calibration recordings too, and the board is calibrated by them.
"""

import argparse
import json
import multiprocessing
import shutil
import tempfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.blas import use_one_thread
from companion.cli.calibration import add_calibration
from companion.cli.replay import prepared, written
from companion.cli.score import by_table, table_id, with_truth
from companion.games.game import Ruling
from companion.process.table.offline import Referee
from companion.scoring import scorer, turns
from companion.sensing.sensors.layout import TableLayout
from companion.table import Health, TableReport
from tests.sensing.faulty import FAULTS, Raw, named
from tests.sensing.other_boards import of_other_places, of_other_stones

BASIC = ("plain", "gains", "noise", "mirror", "faults", "late")
BOARDS = ("stones", "places")
PUSHED = {
    "pushed1": (1.0, 0.0),
    "pushed2": (2.0, 0.0),
    "pushed3": (3.0, 0.0),
    "pushed5": (5.0, 0.0),
    "turned2": (0.0, 2.0),
}
"""One tile lies so many mm and degrees from where table.json has it: it was bumped."""

VARIANTS = (*BASIC, *FAULTS, *PUSHED, *BOARDS)
OFFSET_COUNTS, NOISE_COUNTS, FAULTY = 4.0, 0.8, 4
MOMENT_SPREAD = 0.12  # of the logarithm: a stone as strong as another of its size
SHIFT_MM = 5.0  # at most, of all sensors under their mats: a third of the distance between two
LATE_FRAMES = 61  # at most: the same counts, but what is done each third or tenth frame comes at other moments
CALIBRATED = ("plain", "late", "gains", "noise", *FAULTS)
"""Those that can be calibrated: the others would have the stone of a calibration elsewhere than it was told to be."""

_DEALT = ("gains", "noise")  # part of the hardware when it was calibrated; what fails, fails after that
_NEAR_S = 1.5


@dataclass(frozen=True, slots=True)
class Work:
    folder: Path
    variant: str
    seed: int
    keep: Path | None
    calibration: tuple[Path, ...] = ()

    @property
    def name(self) -> str:
        seed, sign = self.seed if self.variant != "plain" else "", "+" if self.calibration else ""
        return f"{self.folder.name}.{self.variant}{seed}{sign}"


def vary(folder: Path, out: Path, variant: str, seed: int, whose: str = "") -> tuple[float, Raw | None]:
    """Write the variant of a recording to `out`; seconds by which its time begins later, and what is at fault.

    whose: the name of the recording whose deal it is, its own by default: the gains of two recordings are dealt alike.
    """
    # By name, so that what is added to the list changes no deal; the first six had numbers before they had names.
    deal = BASIC.index(variant) if variant in BASIC else zlib.crc32(variant.encode())
    rng = np.random.default_rng([seed, deal, sum((whose or folder.name).encode())])
    files = {n: json.loads((folder / n).read_text(encoding="utf-8")) for n in ("table.json", "game.json", "truth.json")}
    arrays = dict(np.load(folder / "recording.npz"))
    poses = dict(np.load(folder / "poses.npz"))
    actual = files["truth.json"]["sensor_actual"]
    gain, offset = (np.array(actual[key], dtype=float) for key in ("gain", "offset"))
    counts = arrays["hall"].astype(float)
    rails = (counts <= 1) | (counts >= 1022)
    field = (counts - offset) / gain
    first = 0
    if variant in BOARDS:
        field = field + _other_board(variant, rng, files, poses, arrays["t_us"])
    if variant in ("gains", "mirror"):
        gain, offset = rng.permutation(gain), rng.permutation(offset) + rng.normal(0.0, OFFSET_COUNTS, len(offset))
    if variant == "mirror":
        field = -field
        _mirror(files, poses)
    new = np.where(rails, counts, offset + gain * field)
    if variant == "noise":
        new = new + np.where(rails, 0.0, rng.normal(0.0, NOISE_COUNTS, new.shape))
    if variant in ("gains", "mirror"):  # gives back the noise that a count's width is
        new = new + np.where(rails, 0.0, rng.uniform(-0.5, 0.5, new.shape))
    if variant == "faults":
        some = rng.choice(new.shape[1], FAULTY, replace=False)
        new[:, some[0]], new[:, some[1]], new[:, some[2]] = 0.0, 1023.0, float(rng.integers(300, 700))
        new[:, some[3]] += rng.normal(0.0, 12.0, len(new))
    raw = None
    if variant in FAULTS or variant in PUSHED:
        start = int(arrays["t_us"][0])
        t, load_t = ((arrays[key].astype(np.int64) - start) / 1e6 for key in ("t_us", "load_t_us"))
        cell = files["table.json"].get("load_cell") or {}
        at = TableLayout.from_json(files["table.json"]).position
        weigh = cell.get("gain", 0.0)
        raw = Raw(rng, new, arrays["load"], load_t, t, field, offset, gain, weigh, arrays["lost"].copy(), at)
        if variant in FAULTS:
            FAULTS[variant](raw)
        else:
            _push(files["table.json"]["tiles"], rng, *PUSHED[variant])
            raw.codes.add("tile_moved")
        arrays["lost"] = raw.lost
        arrays["load"], arrays["load_t_us"] = raw.load, (raw.load_t * 1e6).round().astype(np.uint64) + np.uint64(start)
    if variant == "late":
        first = int(rng.integers(1, LATE_FRAMES))
    arrays["hall"] = np.clip(np.rint(new), 0, 1023).astype(np.uint16)
    arrays["hall"][arrays["lost"]] = 0
    for key in ("t_us", "hall", "lost"):
        arrays[key] = arrays[key][first:]
    late = arrays["load_t_us"] >= arrays["t_us"][0]
    arrays["load_t_us"], arrays["load"] = arrays["load_t_us"][late], arrays["load"][late]
    for name, value in files.items():
        (out / name).write_text(json.dumps(value), encoding="utf-8")
    np.savez(out / "recording.npz", **arrays)
    np.savez(out / "poses.npz", **poses)
    return first / float(files["table.json"]["frame_rate"]), raw


def _other_board(variant: str, rng: np.random.Generator, files: dict[str, Any], poses: Any, t_us: Any) -> Any:
    """The field (T, S) mT that is added where every stone has another moment, or where all sensors lie elsewhere
    under the mats; truth and table say so.
    """
    stones, layout = files["truth.json"]["stones"], TableLayout.from_json(files["table.json"])
    moments = np.array([stone["moment"] for stone in stones])
    t = (t_us.astype(np.int64) - int(t_us[0])) / 1e6
    if variant == "stones":
        factors = np.exp(rng.normal(0.0, MOMENT_SPREAD, len(stones)))
        for stone, factor in zip(stones, factors, strict=True):
            stone["moment"] *= factor
        return of_other_stones(layout, poses, moments, factors, t)
    by = rng.uniform(-SHIFT_MM, SHIFT_MM, 2)
    for tile in files["table.json"]["tiles"]:
        for sensor in tile["sensors"]:
            sensor["x"], sensor["y"] = sensor["x"] + by[0], sensor["y"] + by[1]
    shift = TableLayout.from_json(files["table.json"]).position - layout.position
    return of_other_places(layout, shift, poses, moments, t)


def _push(tiles: list[dict[str, Any]], rng: np.random.Generator, mm: float, degrees: float) -> None:
    """Believe that one of the tiles lies elsewhere: the same as if it had been pushed from there."""
    tile, angle = tiles[int(rng.integers(len(tiles)))], rng.uniform(0.0, 2.0 * np.pi)
    tile["x"] += mm * float(np.cos(angle))
    tile["y"] += mm * float(np.sin(angle))
    tile["rot"] += degrees * float(rng.choice([-1.0, 1.0]))


def _mirror(files: dict[str, Any], poses: dict[str, Any]) -> None:
    """x becomes -x. A field is an axial vector: its x stays, y and z turn round, and so do poles."""
    for tile in files["table.json"]["tiles"]:
        tile["x"], tile["rot"] = -tile["x"], -tile["rot"]
        for sensor in tile["sensors"]:
            sensor["x"] = -sensor["x"]
    for event in files["truth.json"]["events"]:
        if "x" in event:
            event["x"] = -event["x"]
        if "pole_up" in event:
            event["pole_up"] = -event["pole_up"]
    pose = poses["pose"].copy()
    pose[..., 0] *= -1.0
    w, x, y, z = (pose[..., k].copy() for k in (3, 4, 5, 6))
    y, z = -y, -z
    # A half turn about its own x, after the mirror: the pole that was up is down.
    pose[..., 3], pose[..., 4], pose[..., 5], pose[..., 6] = -x, w, z, -y
    poses["pose"] = pose


def judged(work: Work) -> dict[str, Any]:
    """A compact score of one variant."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / work.folder.name
        folder.mkdir()
        late_s, raw = vary(work.folder, folder, work.variant, work.seed)
        recording, sensing, judge = prepared(folder, list(_calibration(work, Path(place))))
        referee = _Listening(judge)
        files = [Path(place) / "events.jsonl", Path(place) / "rulings.jsonl"]
        written(recording, sensing, referee, *files)
        seen, ruled = ([json.loads(line) for line in f.read_text(encoding="utf-8").splitlines()] for f in files)
        for line in (*seen, *ruled):
            line["t"] += late_s
            for key in {"t_report", "t_complete"} & line.keys():
                line[key] += late_s
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        result = scorer.score(truth, seen, scorer.Poses.load(folder))
    if work.keep is not None:
        work.keep.mkdir(parents=True, exist_ok=True)
        for end, lines in (("events", seen), ("rulings", ruled)):
            text = "".join(json.dumps(line) + "\n" for line in lines)
            (work.keep / f"{work.name}.{end}.jsonl").write_text(text, encoding="utf-8")
    row = {"name": work.name, "recording": work.folder.name, "variant": work.variant}
    row |= _compact(truth, seen, ruled, result)
    names = TableLayout.from_json(json.loads((work.folder / "table.json").read_text(encoding="utf-8"))).names
    should, excused = _at_fault(truth, raw, names, work.variant)
    told = [(t + late_s, codes) for t, codes in referee.told]
    row["told"] = asdict(named(should, names, told, excused))
    return row


def _calibration(work: Work, place: Path) -> Iterator[Path]:
    """The calibration recordings as this hardware would have given them."""
    for original in work.calibration:
        if work.variant not in _DEALT:
            yield original
            continue
        out = place / original.name
        out.mkdir()
        for told in ("calibration.json", "guided.json"):
            if (original / told).exists():
                shutil.copy(original / told, out)
        vary(original, out, work.variant, work.seed, work.folder.name)
        yield out


def _at_fault(truth: Any, raw: Raw | None, names: Sequence[str], variant: str) -> tuple[dict[str, float], set[str]]:
    """Parts at fault and since when, s: those of the recording, by its truth, and those of the variant; and sensors
    of the recording that may be told or not: where noise is added none is stuck.
    """
    dead = truth["sensor_actual"].get("dead") or {}
    same = variant not in ("gains", "mirror", "noise")
    should = {names[int(k)]: float(since) for k, (how, since) in dead.items() if same or how != "stuck"}
    if raw is not None:
        should |= dict.fromkeys((*(names[k] for k in raw.sensors), *raw.codes), raw.since)
    return should, {names[int(k)] for k in dead}


class _Listening:
    """A referee that keeps what it hears of the table's health: told, (seconds, codes)."""

    def __init__(self, judge: Referee) -> None:
        self._judge, self.told = judge, list[tuple[float, Sequence[str]]]()

    def take(self, report: TableReport) -> Sequence[Ruling]:
        if isinstance(report, Health):
            self.told.append((report.t_us / 1e6, report.faults))
        return self._judge.take(report)


def _compact(truth: Any, seen: list[Any], ruled: list[Any], result: Any) -> dict[str, Any]:
    kinds = {
        kind: {k: result[kind][k] for k in ("truth", "reported", "matched", "missed_t", "false_t")}
        for kind in scorer.WINDOWS
    }
    row = result["collapse"]
    score = turns.turns(truth, ruled)
    true = [e for e in truth["events"] if e["event"] == "collapse"]
    told = [e for e in seen if e["event"] == "collapse"]
    wrong = []
    for e in true:
        near = [s for s in told if -0.2 <= s["t"] - e["t"] <= _NEAR_S]
        counts = {e["count"], len(e.get("new_ids", e["ids"]))}
        if near and near[0].get("count") not in counts:
            wrong.append([round(e["t"], 2), e["count"], near[0].get("count")])
    late = [round(v, 3) for v in row.get("report_lat_all", [])]
    failed, silent = _turns(truth, ruled)
    return {
        "kinds": kinds,
        "count_wrong": wrong,
        "report_lat": late,
        "turns": [score.right, score.truth, score.ruled],
        "asked": score.asked,
        "failed_turns": failed,
        "silent": silent,
        "rest": {k: result["rest"][k] for k in ("stones", "missing", "invented")},
    }


def _turns(truth: Any, ruled: list[Any]) -> tuple[list[float], list[float]]:
    """Ends of the true turns that were ruled wrong; those of them with no question since the last right one."""
    failed, silent = [], []
    ends = [r for r in ruled if r["ruling"] == "turn_end"]
    asked = [r["t"] for r in ruled if r.get("asked")]
    last, start = 0.0, 0
    for turn in [t for t in truth.get("turns", ()) if t.get("t_end") is not None]:
        hit = next((k for k in range(start, len(ends)) if turns._same(turn, ends[k])), None)
        if hit is not None:
            start, last = hit + 1, turn["t_end"]
            continue
        failed.append(turn["t_end"])
        if not any(last - turns.NEAR_S <= t <= turn["t_end"] + turns.NEAR_S for t in asked):
            silent.append(turn["t_end"])
    return failed, silent


def table(results: Sequence[dict[str, Any]]) -> str:
    """By variant, and the failures by recording."""
    lines = []
    for group in ("game", "scene"):
        some = [r for r in results if r["recording"].startswith("game") == (group == "game")]
        for key in ("nominal", "hard", "ideal"):
            of = [r for r in some if key in r["recording"]]
            for variant in [v for v in VARIANTS if any(r["variant"] == v for r in of)]:
                lines.append(_row(f"{key} {group}s {variant}", [r for r in of if r["variant"] == variant]))
            if of:
                lines.append(_row(f"{key} {group}s ALL", of))
    lines += ["", "failures: time (variants)"]
    for recording in sorted({r["recording"] for r in results}):
        of = [r for r in results if r["recording"] == recording]
        lines += [
            f"{recording} n={len(of)} turns "
            + " ".join(f"{r['name'].split('.')[1]}:{r['turns'][0]}/{r['turns'][1]}" for r in of)
        ]
        found: dict[str, Counter[float]] = defaultdict(Counter)
        for r in of:
            for kind, row in r["kinds"].items():
                for what in ("missed", "false"):
                    for t in row[f"{what}_t"]:
                        near = next((k for k in found[f"{kind} {what}"] if abs(k - t) < _NEAR_S), t)
                        found[f"{kind} {what}"][near] += 1
            for t, true, told in r["count_wrong"]:
                found[f"collapse count {told} of {true}"][t] += 1
            for t in r["failed_turns"][:1]:
                found["first wrong turn"][t] += 1
        for what, times in sorted(found.items()):
            lines.append(f"   {what}: " + ", ".join(f"{t} ({n})" for t, n in sorted(times.items())))
    return "\n".join(lines)


def _row(name: str, some: Sequence[dict[str, Any]]) -> str:
    cells = []
    for kind in scorer.WINDOWS:
        truth, matched, reported = (sum(r["kinds"][kind][k] for r in some) for k in ("truth", "matched", "reported"))
        cells.append(f"{kind} {matched}/{truth}({reported - matched})")
    wrong = sum(len(r["count_wrong"]) for r in some)
    late = [v for r in some for v in r["report_lat"]]
    p95 = f"{np.percentile(late, 95):.2f}" if late else "-"
    right, of, ruled = (sum(r["turns"][k] for r in some) for k in range(3))
    rest = [sum(r["rest"][k] for r in some) for k in ("missing", "invented", "stones")]
    silent = sum(len(r["silent"]) for r in some)
    asked = sum(r["asked"] for r in some)
    return (
        f"{name} n={len(some)}: "
        + " ".join(cells)
        + f" | counts wrong {wrong}, told after p95 {p95} s | rest -{rest[0]} "
        f"+{rest[1]} of {rest[2]} | turns {right}/{of} ({ruled}), silently wrong {silent}, asked {asked}"
        + _all_told(some)
    )


def _all_told(some: Sequence[dict[str, Any]]) -> str:
    """How many of the faults were named, and after how long; how many codes were of sound parts."""
    told = [r["told"] for r in some if "told" in r]
    parts = [v for each in told for v in each["found"].values()]
    false = sum(len(each["wrong"]) for each in told)
    if not parts:
        return f" | named {false}"
    after = [v for v in parts if v is not None]
    p50 = float(np.median(after)) if after else float("nan")
    false = sum(len(each["wrong"]) for each in told)
    return (
        f" | named {len(after)}/{len(parts)} after {p50:.1f} s (p50), {max(after, default=0.0):.1f} s, falsely {false}"
    )


def _told(result: dict[str, Any]) -> str:
    told = result.get("told")
    return "" if told is None else f", named {told['found']}, falsely {told['wrong']}"


def _seeds(text: str) -> tuple[int, ...]:
    """3 is 1, 2, 3; 3,4 these two, 4, that one alone."""
    return tuple(range(1, 1 + int(text))) if text.isdigit() else tuple(int(part) for part in text.split(",") if part)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--variants", default=",".join((*BASIC, *BOARDS)))
    parser.add_argument("--seeds", type=_seeds, default=(1,), metavar="N|A,B", help="deals 1 to N, or those named")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--json", type=Path)
    add_calibration(parser, "calibrate each table by these of it; put it last, or -- before the recordings")
    args = parser.parse_args()
    variants, calibration = args.variants.split(","), by_table(args.calibration)
    if args.calibration and not set(variants) <= set(CALIBRATED):
        parser.error(f"with --calibration there is no {', '.join(sorted(set(variants) - set(CALIBRATED)))}")
    work = [
        Work(folder, variant, seed, args.keep, tuple(calibration.get(table_id(folder), ())))
        for variant in variants
        for seed in (args.seeds if variant != "plain" else (1,))
        for folder in with_truth(args.folders)
    ]
    results = []
    use_one_thread()
    with multiprocessing.get_context("spawn").Pool(args.jobs) as pool:
        for result in pool.imap_unordered(judged, work):
            results.append(result)
            right, of, ruled = result["turns"]
            print(f"{result['name']}: turns {right}/{of} ({ruled}), asked {result['asked']}{_told(result)}", flush=True)
            if args.json is not None:
                args.json.write_text(json.dumps(results), encoding="utf-8")
    print(table(results))


if __name__ == "__main__":
    main()
