"""`companion score`: replay many recordings with a truth and print how well they were read and ruled."""

import argparse
import contextlib
import json
import multiprocessing
import os
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.cli.calibration import add_calibration
from companion.cli.failure import USER_ERROR, UserError
from companion.cli.outputs import keep_inputs, recording_files
from companion.cli.progress import Progress
from companion.cli.replay import prepared, written
from companion.cli.source import recording_folder
from companion.cli.whole import check_writable, whole_file
from companion.clock import SystemClock
from companion.disk import why_unread
from drivers.recording import RecordingError, read_recording

_LOOK_S = 0.2  # how often the progress of other processes is looked at
_NO_SCIPY = (
    "companion score needs scipy: ./test installs it, and so does, in the project's folder, "
    ".venv/bin/pip install -e '.[score]'"
)


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "score",
        help="replay recordings that have a truth and print how well they were read",
        description="Replays every recording and compares events and turns with its truth.json: tables by "
        "severity and by kind of scene, with the number behind each figure and its 95 % bound.",
    )
    parser.add_argument(
        "folders",
        type=Path,
        nargs="*",
        metavar="FOLDER",
        help="recordings, or folders of them; demo: the program's own, where none lies here",
    )
    add_calibration(parser, "as for replay; used by table_id; put it last, or -- before the recordings to score")
    parser.add_argument(
        "--table",
        action="store_true",
        help="print one table of all figures, as Markdown; with --calibration each is replayed without it too",
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write every figure as JSON too")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="recordings at a time (default: 2)")


def run(args: argparse.Namespace) -> int:
    """Score; exit code 0, USER_ERROR where a recording could not be. Raises UserError where none could."""
    if not 1 <= args.jobs <= 64:
        raise UserError(f"--jobs must be from 1 to 64, not {args.jobs}.")
    with contextlib.ExitStack() as stack:
        args.folders = [recording_folder(folder, stack) for folder in args.folders]
        return _scored(args)


def _scored(args: argparse.Namespace) -> int:
    folders = _folders(args)
    if args.json:  # before minutes of replay
        keep_inputs(args.json, recording_files([*folders, *args.calibration]))
        check_writable(args.json)
    calibration = by_table(args.calibration)
    unscored: dict[str, None] = {}  # what each says, once
    work: list[tuple[Path, list[Path]]] = []
    for folder in folders:
        try:
            work.append((folder, calibration.get(table_id(folder), [])))
        except UserError as error:
            unscored[str(error)] = None
    try:
        from companion.scoring import figures, pooled
    except ImportError as error:
        for folder in [*folders, *args.calibration]:  # what no scipy would mend is said first
            _check_whole(folder)
        raise UserError(_NO_SCIPY) from error
    if args.table:
        work = [*((folder, []) for folder in folders), *(each for each in work if each[1])]
    progress = Progress("score", sum(_size(folder) for folder, _ in work))
    scored = []
    try:
        for result in _results(work, max(1, min(args.jobs, len(work))), progress):
            if isinstance(result, str):
                unscored[result] = None
            else:
                scored.append(result)
    finally:
        progress.end()
    if not scored:
        raise UserError("\n".join(unscored))
    print(figures.figures(scored) if args.table else pooled.report(scored))
    if args.json:
        with whole_file(args.json) as file:
            json.dump(pooled.as_json(scored), file, indent=1, default=_plain)
    if not unscored:
        return 0
    print("companion: the figures are without what could not be scored:", *unscored, sep="\n", file=sys.stderr)
    return USER_ERROR


def _folders(args: argparse.Namespace) -> list[Path]:
    """The recordings to score. Raises UserError."""
    if not args.folders:
        if args.calibration:
            raise UserError("There is no FOLDER to score: --calibration takes all after it, put -- before the folders.")
        raise UserError("There is no FOLDER to score: give recordings, or folders of them.")
    return with_truth(args.folders)


def with_truth(folders: Sequence[Path]) -> list[Path]:
    """The recordings with a truth of turns and events among these folders and in them. Raises UserError."""
    found: list[Path] = []
    for folder in folders:
        if not folder.is_dir():
            raise UserError(f"There is no folder {folder}: give the folder of a recording, or a folder of them.")
        inside = [folder] if (folder / "recording.npz").exists() else sorted(folder.iterdir())
        found += [f for f in inside if (f / "truth.json").is_file() and not _guided(f)]
    if not found:
        raise UserError("None of these recordings has a truth.json to compare with: give recordings that do.")
    return found


class Share:
    """A recording's part of the work: of its size in bytes what its board time has reached."""

    def __init__(self, folder: Path, add: Callable[[int], None]) -> None:
        self._size = _size(folder)
        self._add = add
        self._told = 0
        self.duration_us = 1

    def reach(self, done: int) -> None:
        """So much of duration_us has been replayed."""
        now = min(self._size, self._size * done // self.duration_us)
        self._add(now - self._told)
        self._told = now

    def end(self) -> None:
        self.reach(self.duration_us)


def score_one(work: tuple[Path, list[Path]], add: Callable[[int], None]) -> Any:
    """The pooled.Scored of one recording, or the sentence that says why there is none.

    add: told how many bytes of the recording were done since it was last told.
    """
    from companion.scoring import naming, pooled, scorer, turns

    folder, calibration = work
    clock, share = SystemClock(), Share(folder, add)
    try:
        with tempfile.TemporaryDirectory() as place:
            events, rulings = Path(place) / "events.jsonl", Path(place) / "rulings.jsonl"
            recording, sensing, referee = prepared(folder, calibration)
            share.duration_us = max(1, recording.duration_us)
            started_us, worked_s = clock.now_us(), _worked_s()
            written(recording, sensing, referee, events, rulings, progress=share)
            speed = recording.duration_us / max(1, clock.now_us() - started_us)
            alone = recording.duration_us / 1e6 / max(0.01, _worked_s() - worked_s)
            seen, ruled = _lines(events), _lines(rulings)
    except UserError as error:
        return str(error)
    try:
        poses = scorer.Poses.load(folder)
    except (OSError, EOFError, LookupError, TypeError, ValueError, zipfile.BadZipFile, zlib.error) as error:
        return f"{folder / 'poses.npz'} is damaged or cut off ({error}): copy it again."
    try:
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        severity, scene = pooled.group_of(folder.name, truth)
        result = scorer.score(truth, seen, poses)
        ruled_right = turns.turns(truth, ruled)
        names = naming.named(seen, poses)
        return pooled.Scored(folder.name, severity, scene, result, ruled_right, speed, alone, bool(calibration), names)
    except (KeyError, TypeError, ValueError) as error:
        cause = f"no {error}" if isinstance(error, KeyError) else why_unread(error)
        return f"{folder / 'truth.json'} is not a truth that the scorer knows ({cause}): copy it again."


def _results(work: Sequence[tuple[Path, list[Path]]], jobs: int, progress: Progress) -> Iterator[Any]:
    """In the order of work; progress moves while they are made."""
    if jobs == 1:
        reached = 0

        def add(more: int) -> None:
            nonlocal reached
            reached += more
            progress.reach(reached)

        yield from (score_one(each, add) for each in work)
        return
    context = multiprocessing.get_context("spawn")
    told = context.Value("q", 0)
    with context.Pool(jobs, _keep, (told,)) as pool:
        results = pool.imap(_score_in_pool, work)
        while True:
            with contextlib.suppress(multiprocessing.TimeoutError):
                try:
                    yield results.next(timeout=_LOOK_S)
                except StopIteration:
                    return
            progress.reach(told.value)


_told: Any = None  # in a process of the pool: the bytes done, of all of them


def _keep(told: Any) -> None:
    global _told
    _told = told


def _score_in_pool(work: tuple[Path, list[Path]]) -> Any:
    def add(more: int) -> None:
        with _told.get_lock():
            _told.value += more

    return score_one(work, add)


def _check_whole(folder: Path) -> None:
    """Raises UserError where it is no recording, or a damaged one."""
    try:
        read_recording(folder)
    except RecordingError as error:
        raise UserError(str(error)) from error


def by_table(folders: Sequence[Path]) -> dict[str, list[Path]]:
    """Recordings by the table that they are of. Raises UserError."""
    out: dict[str, list[Path]] = {}
    for folder in folders:
        out.setdefault(table_id(folder), []).append(folder)
    return out


def table_id(folder: Path) -> str:
    """Which table a recording is of. Raises UserError."""
    try:
        return str(json.loads((folder / "table.json").read_text(encoding="utf-8"))["table_id"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        cause = f"no {error}" if isinstance(error, KeyError) else why_unread(error)
        raise UserError(f"{folder / 'table.json'} cannot be read ({cause}): copy the recording again.") from error


def _guided(folder: Path) -> bool:
    """Calibration and learn recordings tell a person what to do; there is no game in them to judge."""
    return (folder / "calibration.json").exists() or (folder / "guided.json").exists()


def _size(folder: Path) -> int:
    """Bytes of the samples, about in proportion to the time that it takes."""
    path = folder / "recording.npz"
    return path.stat().st_size if path.is_file() else 1


def _plain(value: Any) -> Any:
    """NumPy scalars among the scorer's figures."""
    return value.item()


def _worked_s() -> float:
    """Processor time of this process: what a replay costs, however busy the machine is."""
    times = os.times()
    return times.user + times.system


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
