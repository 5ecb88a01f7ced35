"""The command `companion`."""

import argparse
import logging
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

from companion.blas import use_one_thread
from companion.cli.failure import USER_ERROR, UserError
from companion.cli.start import INTERRUPTED, STOPPED

_COMMANDS = ("run", "virtual", "capture", "board", "lay", "calibrate", "diagnose", "plot", "replay", "score", "export")

_DESCRIPTION = """\
Referees the magnet game ¡Yikerz! from the sensors under a real table and serves it live to phones."""

_EPILOG = """\
examples:
  companion run                               a virtual table that plays by itself: open the address on a phone
  companion run --source serial               the board at the USB cable
  companion run --source replay:FOLDER        a recording, as if it were live
  companion replay FOLDER --events E.jsonl --rulings R.jsonl
                                              what the table saw and what was ruled, as fast as it goes
  companion score FOLDER...                   how well many recordings were read
  companion export GAME --format csv          a game of the journal as text, JSON or CSV; without GAME, the list

`companion COMMAND --help` says more about each. A wrong argument, a missing folder or a port in use ends with one
sentence and exit code 2."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    use_one_thread()
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        args = _parser(arguments).parse_args(arguments)
        code: int = args.run(args)
    except UserError as error:
        print(f"companion: {error}", file=sys.stderr)
        return USER_ERROR
    except KeyboardInterrupt:  # while a command's modules are loaded, too
        print(STOPPED, file=sys.stderr)
        return INTERRUPTED
    return code


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="companion",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {_version()}")
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    # Only the wanted command's module is loaded: help for one does not wait for another's sensing.
    wanted = [name for name in _COMMANDS if name in arguments[:1]] or _COMMANDS
    for name in wanted:
        module = import_module(f"companion.cli.{name}")
        module.add_parser(subparsers)
        subparsers.choices[name].set_defaults(run=module.run)
    return parser


def _version() -> str:
    try:
        return version("table-companion")
    except PackageNotFoundError:
        return "unknown"


if __name__ == "__main__":
    sys.exit(main())
