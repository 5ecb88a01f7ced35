"""`companion lay`: the tiles lie anew, as in a picture."""

import argparse
import copy
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from companion.cli.failure import UserError
from companion.cli.source import made_at
from companion.process.keeping import replace_keeping
from companion.settings import SettingsError, data_folder

PICTURES: Final[Mapping[str, tuple[tuple[float, float, float], ...]]] = {
    "triangle": ((0, 0, 180), (1, -1, 0), (0, 2, 0), (-1, -1, 0)),
    "row": ((-1.5, -0.5, 0), (-0.5, 0.5, 180), (0.5, -0.5, 0), (1.5, 0.5, 180)),
    "star": ((0, 0, 0), (0, 4, 180), (-2, -2, 300), (2, -2, 60)),
}
"""Middles of the tiles in halves of the side (x) and thirds of the height (y), and degrees (hardware/geometry.toml)."""

_DRAWN: Final = {
    "triangle": "    /C\\\n   /D\\A/B\\  (A upside down in the middle)",
    "row": "  /A\\B/C\\D/  (B and D upside down)",
    "star": "  B above A, C at the left corner of A, D at the right one; corners touch",
}
FILE: Final = "table.json"
LAST_FILE: Final = "table.last.json"


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "lay",
        help="the tiles lie anew: pick a picture, lay them so",
        description="Without PICTURE: shows the pictures. With one: table.json in the data folder then says that "
        "the tiles lie so; how they lay before is kept and comes back with --undo. Poses that were learned for another "
        "laying are not used any more.",
    )
    parser.add_argument("picture", nargs="?", choices=sorted(PICTURES), help="how the tiles lie")
    parser.add_argument("--data", metavar="DIR", help="data folder (default: ~/.local/share/table-companion)")
    parser.add_argument("--undo", action="store_true", help="as they lay before")


def run(args: argparse.Namespace) -> int:
    """Lay; exit code 0. Raises UserError."""
    if args.undo and args.picture:
        raise UserError("companion lay takes a picture or --undo, not both.")
    if not args.picture and not args.undo:
        for name, drawn in _DRAWN.items():
            print(f"{name}:\n{drawn}\n")
        return 0
    try:
        folder = data_folder(args.data)
    except SettingsError as error:
        raise UserError(str(error)) from error
    file, last = folder / FILE, folder / LAST_FILE
    if args.undo:
        if not last.is_file():
            raise UserError(f"{last} is not there: nothing was laid anew, there is nothing to take back.")
        _swap(file, last)
        print("The tiles lie as before.")
        return 0
    table = laid(_table(file), args.picture)
    _swap(file, last, json.dumps(table, indent=1))
    print(f"The tiles lie as {args.picture}: check that each lies where the picture has it.")
    return 0


def laid(table: Mapping[str, Any], picture: str) -> dict[str, Any]:
    """A table.json whose first tiles lie as in a picture. Raises UserError where it has other tiles."""
    out: dict[str, Any] = copy.deepcopy(dict(table))
    poses = PICTURES[picture]
    try:
        half = float(out["side"]) / 2.0
        if len(out["tiles"]) > len(poses):
            raise UserError(f"The picture {picture} has {len(poses)} tiles, not {len(out['tiles'])}: pick another.")
        for tile, (x, y, rot) in zip(out["tiles"], poses, strict=False):
            tile.update(x=round(x * half, 3), y=round(y * half / math.sqrt(3.0), 3), rot=float(rot))
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{FILE} does not say what tiles there are ({error}): copy it again.") from error
    return out


def _table(file: Path) -> dict[str, Any]:
    from drivers.recording import RecordingError, read_table

    if not file.is_file():
        raise UserError(f"There is no {file}: put the table.json there. {made_at(file)}")
    try:
        return dict(read_table(file))
    except RecordingError as error:
        raise UserError(str(error)) from error


def _swap(file: Path, last: Path, text: str | None = None) -> None:
    """The new text (or the last file) takes the file's place, and the file the last one's."""
    part = file.with_name(f".{FILE}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8") as stream:
            stream.write(last.read_text(encoding="utf-8") if text is None else text)
            stream.flush()
            os.fsync(stream.fileno())
        replace_keeping(part, file, last)
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}): make room on the disk.") from error
    finally:
        part.unlink(missing_ok=True)
