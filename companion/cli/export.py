"""`companion export`: a game of the journal as text, JSON or CSV, beside a running service too."""

import argparse
import contextlib
import os
import sys
from pathlib import Path
from typing import Any

from companion.cli.failure import UserError
from companion.cli.outputs import keep_inputs
from companion.cli.whole import whole_file
from companion.journal import JournalError, SqliteReader
from companion.journal.store import FILE
from companion.process.kinds import known_kinds
from companion.process.referee.documents import Documents
from companion.settings import DEFAULT_FOLDER

_BESIDE = ("settings.json", "sensing.json", "table.json")
_FORMATS = ("text", "json", "csv")


def add_parser(subparsers: "argparse._SubParsersAction[Any]") -> None:
    """Add the subcommand."""
    parser = subparsers.add_parser(
        "export",
        help="a game of the journal as text, JSON or CSV",
        description="Writes one game of the journal to standard output or a file; without GAME, lists them.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", default="", help="its id, as `companion export` lists it")
    parser.add_argument("--format", choices=_FORMATS, default="text")
    parser.add_argument("--data", default=None, metavar="FOLDER", help="where the journal is")
    parser.add_argument("--out", type=Path, default=None, metavar="FILE", help="write there, not to standard output")


def run(args: argparse.Namespace) -> int:
    """Write the document; returns the exit code."""
    folder = Path(args.data or DEFAULT_FOLDER).expanduser()  # read only: it is neither made nor need it be writable
    if not (folder / FILE).is_file():
        raise UserError(f"there is no journal in {folder}: name the folder with --data FOLDER")
    keep_inputs(args.out, [folder / name for name in (FILE, f"{FILE}-wal", f"{FILE}-shm", *_BESIDE)])
    try:
        documents = Documents(SqliteReader(folder / FILE), known_kinds())
        data = _listed(documents) if not args.game else _exported(documents, args.game, args.format)
    except JournalError as error:
        raise UserError(str(error)) from error
    if args.out is None:
        return _print(data)
    with whole_file(args.out) as file:
        file.write(data.decode())
    return 0


def _print(data: bytes) -> int:
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        with contextlib.suppress(OSError):  # what is left in the buffer would be tried again at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise UserError(f"Standard output takes no more ({error.strerror}): choose a place with --out FILE.") from error
    return 0


def _exported(documents: Documents, game: str, form: str) -> bytes:
    document = documents.of(game, form)
    if document is None:
        raise UserError(f"there is no game {game!r} in the journal: `companion export` alone lists them")
    return document.data


def _listed(documents: Documents) -> bytes:
    lines = []
    for game in documents.history():
        names = ", ".join(str(player["name"]) for player in game["players"])
        lines.append(f"{game['game']:6} {game['kind']:8} {game['begun']:21} {names}\n")
    return "".join(lines).encode()
