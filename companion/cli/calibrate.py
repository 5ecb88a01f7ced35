"""`companion calibrate`: learn from guided recordings, say how good it is, and store it for the table."""

import argparse
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from companion.cli.failure import UserError
from companion.clock import SystemClock
from companion.process.common.lock import FolderLock
from companion.settings import SettingsError, data_folder

_IN_USE: Final = "take back on its page (Set up the table, What is kept), or stop it first"


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "calibrate",
        help="learn gains, grams, stones and how the tiles lie from guided recordings, and store them",
        description="Learns from recordings of one table: one stone on known points and known weights "
        "(calibration.json), each stone shown once, a stone slid over the seams (guided.json). Says how good each part "
        "is and stores it in the data folder; companion run uses it for that table from its next start on. What was "
        "stored before is kept, and comes back with --undo, while no companion run uses the data folder.",
    )
    parser.add_argument("folders", type=Path, nargs="*", metavar="FOLDER", help="recordings of one table")
    parser.add_argument("--data", metavar="DIR", help="data folder (default: ~/.local/share/table-companion)")
    parser.add_argument("--undo", metavar="TABLE", help="take back what was stored last for this table")
    parser.add_argument("--list", action="store_true", help="what is stored, oldest first")
    parser.add_argument("--try", dest="dry", action="store_true", help="learn and say how good it is; store nothing")


def run(args: argparse.Namespace) -> int:
    """Learn and store; exit code 0. Raises UserError."""
    from companion.process.common.guided import CalibrationError
    from companion.process.common.learned import learned
    from companion.process.common.stored import Entry, Store, StoredError
    from drivers.recording import RecordingError, read_recording

    if bool(args.folders) + bool(args.undo) + bool(args.list) != 1:
        raise UserError("companion calibrate takes recordings, or --undo TABLE, or --list: give one of these.")
    try:
        data = data_folder(args.data)
        store = Store(data)
        if args.list:
            entries = store.entries()
            if not entries:
                print(f"Nothing is stored in {data}.")
            for entry in entries:
                print(f"{entry.when}  table {entry.found.table_id}: {', '.join(entry.parts)}; from {entry.note}")
            return 0
        if args.undo:
            with closing(FolderLock(data, _IN_USE)):  # a service would go on with what is taken back
                gone = store.undo(args.undo)
            print(f"taken back: {', '.join(gone.parts)} of {gone.when}; what was stored before holds again")
            return 0
        found = learned([read_recording(folder) for folder in args.folders], as_laid=True)
        if found is None or not (entry := Entry(SystemClock().label(), _names(args.folders), found)).parts:
            raise UserError(
                "There is nothing to learn in these recordings: give some with calibration.json or guided.json."
            )
        for line in quality(found):
            print(line)
        if not args.dry:
            store.add(entry)
            print(f"stored for table {found.table_id}: {', '.join(entry.parts)}", file=sys.stderr)
        return 0
    except (CalibrationError, RecordingError, StoredError, SettingsError) as error:
        raise UserError(str(error)) from error


def quality(found: Any) -> list[str]:
    """A line for each part that was learned: how much was seen, and how good it is."""
    from companion.process.common.quality import figures

    lines = {
        "gains": "gains: {points} points, {percent} % of the field unexplained; {sure} of {n} sensors known within 2 %",
        "load": "grams: {n} weights, {gain:.2f} counts/g, within {percent:.2f} %",
        "stones": "stones: {n} of {set!r}; worst: stone {worst} with {percent} % of its field unexplained",
        "laid": "tiles: up to {far} mm and {turn} degrees off the picture; known within {within:.2f} mm by {n} frames",
    }
    return [lines[part].format(**told) for part, told in figures(found).items()]


def _names(folders: list[Path]) -> str:
    return ", ".join(folder.resolve().name for folder in folders)
