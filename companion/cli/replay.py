"""`companion replay`: referee a recording without a person and write what was seen and what was ruled."""

import argparse
import contextlib
import json
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO

from companion.cli.calibration import add_calibration
from companion.cli.failure import UserError
from companion.cli.outputs import keep_inputs, recording_files
from companion.cli.progress import Progress, Watch
from companion.cli.source import recording_folder
from companion.cli.whole import whole_file
from companion.clock import SystemClock
from companion.compiled import choose
from companion.games.game import Ruling
from companion.process.common.guided import CalibrationError
from companion.process.common.learned import learned
from companion.process.common.lines import Lines, ruling_object
from companion.process.common.recorded import recorded_game, recorded_sensing
from companion.process.referee.judge import Judge
from companion.process.table.feed import Sensing
from companion.process.table.offline import Referee, replay
from companion.sensing.learning.learned import Learned
from companion.table import TableEvent
from drivers.links.link import Clock
from drivers.recording import Recording, RecordingError, read_recording

_NOTHING = (
    "Nothing was seen. Was the board empty and at rest for 2 s at the beginning? With stones on it from the first "
    "frame the zeros of its sensors cannot be learned: begin the capture before the first stone is put."
)


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "replay",
        help="referee a recording without a person; write what was seen and what was ruled",
        description="Plays a recording through the same steps as a live table and writes JSON Lines: what was "
        "seen, what was ruled. Times are seconds of board time after the first frame. Nobody answers questions: "
        'a ruling that a person would have been asked about carries "asked": true.',
    )
    parser.add_argument(
        "folder",
        type=Path,
        help="recording (or demo: the program's own, where none lies here)",
    )
    parser.add_argument("--events", type=Path, metavar="E.jsonl", help="write what was seen")
    parser.add_argument("--rulings", type=Path, metavar="R.jsonl", help="write what was ruled")
    add_calibration(parser)
    parser.add_argument(
        "--speed",
        type=speed,
        default=None,
        metavar="max|N",
        help="N times as fast as it was recorded; max, the default: as fast as it goes",
    )


def run(args: argparse.Namespace) -> int:
    """Replay; exit code 0. Raises UserError."""
    if args.events is not None and args.events == args.rulings:
        raise UserError("--events and --rulings name the same file: give two names.")
    with contextlib.ExitStack() as stack:
        folder = recording_folder(args.folder, stack)
        for output in (args.events, args.rulings):
            keep_inputs(output, recording_files([folder, *args.calibration]))
        recording, sensing, referee = prepared(folder, args.calibration)
        clock = SystemClock(args.speed) if args.speed else None
        progress = Progress(recording.folder.name, recording.duration_us)
        events, rulings = written(recording, sensing, referee, args.events, args.rulings, clock, progress)
    print(f"{recording.folder}: {events} events, {rulings} rulings", file=sys.stderr)
    if not events:
        print(_NOTHING, file=sys.stderr)
    return 0


def speed(text: str) -> float | None:
    """The value of --speed: None for max. Raises argparse.ArgumentTypeError."""
    if text == "max":
        return None
    with contextlib.suppress(ValueError):
        if 0.05 <= float(text) <= 100:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text!r} is neither max nor a number from 0.05 to 100")


def prepared(folder: Path, calibration: Sequence[Path]) -> tuple[Recording, Sensing, Referee]:
    """A recording with the sensing and the game that it needs. Raises UserError."""
    choose()
    try:
        recording = read_recording(folder)
        if recording.doubt:
            print(f"companion: {recording.doubt}", file=sys.stderr)
        sensing = recorded_sensing(recording, _learned(tuple(calibration)))
    except (RecordingError, CalibrationError) as error:
        raise UserError(str(error)) from error
    try:
        game, settings = recorded_game(recording.game)
        return recording, sensing, Judge(game, settings)
    except ValueError as error:
        raise UserError(f"{folder / 'game.json'} cannot be played ({error}): correct it.") from error


@lru_cache(maxsize=4)
def _learned(folders: tuple[Path, ...]) -> Learned | None:
    return learned([read_recording(f) for f in folders])


def written(
    recording: Recording,
    sensing: Sensing,
    referee: Referee,
    events: Path | None,
    rulings: Path | None,
    clock: Clock | None = None,
    progress: Watch | None = None,
) -> tuple[int, int]:
    """Replay into the two files, whole or not at all; how many lines each got. Raises UserError.

    progress: told the board time that was reached, in microseconds.
    """
    counts, lines = [0, 0], Lines()
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(whole_file(p)) if p else None for p in (events, rulings)]
        if progress:
            stack.callback(progress.end)
        for told in replay(recording, sensing, referee, clock):
            if isinstance(told, TableEvent):
                counts[0] += sum(_line(files[0], line) for line in lines.take(told))
            elif isinstance(told, Ruling):
                counts[1] += _line(files[1], ruling_object(told))
            elif progress:
                progress.reach(told.t_us)
        counts[0] += sum(_line(files[0], line) for line in lines.end())
    return counts[0], counts[1]


def _line(file: TextIO | None, obj: dict[str, Any]) -> int:
    if file is not None:
        file.write(json.dumps(obj, ensure_ascii=False, allow_nan=False) + "\n")
    return 1
