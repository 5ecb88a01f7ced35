"""`companion lay`: the tiles lie anew, as in a picture."""

import argparse
from pathlib import Path
from typing import Any, Final

from companion.cli.failure import UserError
from companion.cli.source import made_at
from companion.clock import SystemClock
from companion.process.table.laying import PICTURES, LayingError, lay, lay_back, lies_now
from companion.settings import DEFAULT_FOLDER, SettingsError, data_folder

_DRAWN: Final = {
    "triangle": "    /C\\\n   /D\\A/B\\  (A upside down in the middle)",
    "row": "  /A\\B/C\\D/  (B and D upside down)",
    "star": "  B above A, C at the left corner of A, D at the right one; corners touch",
}
FILE: Final = "table.json"


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "lay",
        help="the tiles lie anew: pick a picture, lay them so",
        description="Without PICTURE: shows the pictures, and how the tiles lie now. With one: table.json in the data "
        "folder then says that the tiles lie so; how they lay before is kept and comes back with --undo, step by step. "
        "Poses that were learned for another laying are not used any more.",
    )
    parser.add_argument("picture", nargs="?", choices=sorted(PICTURES), help="how the tiles lie")
    parser.add_argument("--data", metavar="DIR", help="data folder (default: ~/.local/share/table-companion)")
    parser.add_argument(
        "--table",
        type=Path,
        metavar="FILE",
        help="the table.json that companion run was given with --table (default: table.json in the data folder)",
    )
    parser.add_argument(
        "--without-weight",
        action="store_true",
        help="a tile lies beside the plate: the load cell is not listened to",
    )
    parser.add_argument("--undo", action="store_true", help="as they lay before")


def run(args: argparse.Namespace) -> int:
    """Lay; exit code 0. Raises UserError."""
    if args.undo and args.picture:
        raise UserError("companion lay takes a picture or --undo, not both.")
    if args.without_weight and not args.picture:
        raise UserError("--without-weight is said with a picture, such as companion lay row --without-weight.")
    if not args.picture and not args.undo:
        _show(args)
        return 0
    try:
        folder = data_folder(args.data)
    except SettingsError as error:
        raise UserError(str(error)) from error
    file = args.table or folder / FILE
    try:
        if args.undo:
            if not file.is_file():
                raise UserError(f"There is no {file}: there is nothing to take back.")
            lay_back(file)
            print(f"They lie as before. {_lying(file)}")
            return 0
        if not file.is_file():
            raise UserError(f"There is no {file}: put the table.json there. {made_at(file)}")
        lay(file, args.picture, SystemClock().label(), not args.without_weight)
    except LayingError as error:
        raise UserError(str(error)) from error
    print(f"The tiles lie as {args.picture}: check that each lies where the picture has it.")
    return 0


def _show(args: argparse.Namespace) -> None:
    """The pictures, and how the tiles lie now where a table is stored; no folder is made for that. Raises UserError."""
    for name, drawn in _DRAWN.items():
        print(f"{name}:\n{drawn}\n")
    file = args.table or Path(args.data or DEFAULT_FOLDER).expanduser() / FILE
    if args.table and not file.is_file():
        raise UserError(f"There is no {file}: put the table.json there. {made_at(file)}")
    if file.is_file():
        try:
            print(f"{_lying(file)} ({file})")
        except LayingError as error:
            raise UserError(str(error)) from error
    else:
        print(
            f"How the tiles of your table lie is not kept yet: there is no {file}. {made_at(file)}\n"
            "The virtual table of companion run has one of its own: lay that on its page, under Set up the table."
        )


def _lying(file: Path) -> str:
    """Raises LayingError."""
    picture, left = lies_now(file)
    earlier = f"{left or 'no'} earlier laying{'' if left == 1 else 's'} left for --undo."
    return f"The tiles lie {f'as {picture}' if picture else 'in none of the pictures'}; {earlier}"
