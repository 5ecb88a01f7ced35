"""`companion run`: the table process, the referee and the pages, until Ctrl-C or SIGTERM."""

import argparse
import contextlib
import io
import pkgutil
import socket
import sys
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from companion.cli.calibration import add_calibration
from companion.cli.failure import USER_ERROR, UserError
from companion.clock import SystemClock
from companion.journal import JournalError, open_journal
from companion.process.kinds import known_kinds
from companion.process.lock import FolderLock
from companion.process.owner import TableFacts
from companion.process.service import Service
from companion.process.supervise import start_table
from companion.settings import Settings, SettingsError, data_folder, load, rotate_code, save

DEMO = "demo/game3-nominal"


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "run",
        help="referee a table (or a recording, as if it were live) and serve the pages",
        description="Starts the table process, the referee and the pages, and prints the address for the phones.",
    )
    parser.add_argument(
        "--source",
        default="",
        metavar="replay:FOLDER",
        help="where the samples come from (default: the recorded game that comes with the program)",
    )
    parser.add_argument("--speed", type=float, default=1.0, metavar="N", help="play a recording N times as fast")
    add_calibration(parser)
    parser.add_argument("--host", default="0.0.0.0", metavar="ADDRESS", help="address to listen on (default: all)")
    parser.add_argument("--port", type=int, default=None, metavar="P", help="TCP port (default: the table's, 8080)")
    parser.add_argument(
        "--data", default=None, metavar="FOLDER", help="data folder (default: ~/.local/share/table-companion)"
    )
    parser.add_argument("--name", default=None, metavar="NAME", help="the table's name on the pages (kept)")
    parser.add_argument(
        "--new-code", action="store_true", help="make a new table code: who joined before has to scan again"
    )
    parser.add_argument("--open", action="store_true", help="open the page in this machine's browser")


def run(args: argparse.Namespace) -> int:
    """Serve until stopped. Raises UserError."""
    if not 0.05 <= args.speed <= 100:
        raise UserError(f"--speed must be from 0.05 to 100, not {args.speed:g}")
    if args.port is not None and not 0 <= args.port <= 65535:
        raise UserError(f"--port must be from 0 (any free one) to 65535, not {args.port}")
    _check_host(args.host)
    with ExitStack() as stack:
        folder = _recording_folder(args.source, stack)
        table, game = _read(folder)
        for recorded in args.calibration:
            _read(recorded)
        try:
            data = data_folder(args.data)
            stack.callback(FolderLock(data).close)
            settings = _settings(data, args)
            journal = open_journal(data)
        except (SettingsError, JournalError) as error:
            raise UserError(str(error)) from error
        stack.callback(journal.close)
        if journal.notice:
            print(f"companion: {journal.notice}", file=sys.stderr)
        clock = SystemClock(args.speed)
        service = Service(
            journal,
            known_kinds(),
            clock,
            _facts(settings.table_name, table, folder),
            start=lambda: start_table(f"replay:{folder}", clock, args.calibration),
            code=lambda: settings.code,
        )
        stack.callback(service.close)
        tcp_port = settings.port if args.port is None else args.port
        serving = _serve(service.referee, args.host, tcp_port, settings.language)
        stack.callback(serving.close)
        try:
            service.follow_recording(game)
        except ValueError as error:
            raise UserError(f"{folder / 'game.json'} is no game that can be played: {error}") from error
        service.ending.listen()
        service.start()
        address = _address(args.host, serving.tcp_port) + service.referee.join_path()
        _print_address(address)
        if args.open:
            webbrowser.open(address)
        service.wait()
        if service.failed:
            return 1
        if not service.ending.signalled:
            return USER_ERROR  # the table process has said why on stderr
    return 0


def _check_host(host: str) -> None:
    """Raises UserError where nothing of that name can be listened on."""
    try:
        if not host:
            raise OSError("it is empty")
        socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise UserError(
            f"--host {host!r} is no address of this machine: give one such as 0.0.0.0 or 127.0.0.1"
        ) from error


def _settings(data: Path, args: argparse.Namespace) -> Settings:
    """The household's settings, with what the command line changes for good. Raises SettingsError or UserError."""
    settings = load(data)
    if args.name is not None:
        try:
            settings = replace(settings, table_name=args.name)
        except ValueError as error:
            raise UserError(f"--name: {error}") from error
        save(data, settings)
    return rotate_code(data, settings) if args.new_code else settings


def _serve(port: Any, host: str, tcp_port: int, tongue: str) -> Any:
    """Start the pages; loaded by name, because nothing else here may depend on them."""
    serve: Callable[..., Any] = pkgutil.resolve_name("web.serve:serve")
    try:
        return serve(port, host, tcp_port, tongue=tongue)
    except (OSError, RuntimeError, OverflowError) as error:
        raise UserError(str(error)) from error


def _recording_folder(source: str, stack: ExitStack) -> Path:
    if not source:
        return stack.enter_context(as_file(files("companion").joinpath(DEMO)))
    kind, _, place = source.partition(":")
    if kind != "replay" or not place:
        raise UserError(f"--source {source!r} is not known: give replay:FOLDER with the folder of a recording")
    folder = Path(place).expanduser()
    for name in ("recording.npz", "table.json", "game.json"):
        if not (folder / name).is_file():
            raise UserError(f"{folder} is not a recording, it has no {name}: give the folder of a recording")
    return folder.resolve()


def _read(folder: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """A recording's table and game, once all of it is known to be whole: before anything is begun or printed.

    The table process reads it again for itself.
    """
    from drivers.recording import RecordingError, read_recording

    try:
        recording = read_recording(folder)
    except RecordingError as error:
        raise UserError(str(error)) from error
    return recording.table, recording.game


def _facts(name: str, table: Mapping[str, Any], folder: Path) -> TableFacts:
    try:
        tiles = tuple((float(tile["x"]), float(tile["y"]), float(tile["rot"])) for tile in table["tiles"])
        side_mm = float(table.get("side", 150.0))
    except (KeyError, TypeError, ValueError) as error:
        path = folder / "table.json"
        raise UserError(f"{path} does not say where the tiles lie: copy the recording again") from error
    return TableFacts(name, tiles, side_mm)


def _address(host: str, tcp_port: int) -> str:
    """What phones in the room can reach: a literal address, since many do not resolve .local names."""
    if host not in ("0.0.0.0", "::"):
        return f"http://[{host}]:{tcp_port}" if ":" in host else f"http://{host}:{tcp_port}"
    base_url: Callable[[str], str] = pkgutil.resolve_name("web.address:base_url")
    return base_url(f"localhost:{tcp_port}")


def _print_address(address: str) -> None:
    import segno

    drawn = io.StringIO()
    segno.make(address, error="m").terminal(out=drawn, compact=True)
    with contextlib.suppress(UnicodeEncodeError):  # a terminal without block signs gets the address alone
        sys.stdout.write(drawn.getvalue())
    print(f"Scan to join, or open {address}\nStop with Ctrl-C.", flush=True)
