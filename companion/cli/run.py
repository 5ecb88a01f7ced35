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
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion.cli.calibration import add_calibration
from companion.cli.failure import USER_ERROR, UserError
from companion.cli.source import KINDS, Source, source_of, start_virtual
from companion.clock import SystemClock
from companion.journal import JournalError, open_journal
from companion.process.common.clips import CLIPS
from companion.process.common.lock import FolderLock
from companion.process.kinds import known_kinds
from companion.process.referee.facts import TableFacts
from companion.process.referee.service import Service
from companion.process.referee.supervise import start_table
from companion.process.referee.virtual import Attendant
from companion.process.table.looking import Looking
from companion.settings import Household, Settings, SettingsError, data_folder, load, rotate_code, save
from companion.sound.cues import Words
from companion.sound.tools import find_tools
from companion.sound.voice import Voice
from drivers.recording import RecordingError, read_recording


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
        metavar="SOURCE",
        help=f"where the samples come from: {KINDS} (default: virtual, a table without hardware)",
    )
    parser.add_argument(
        "--table",
        type=Path,
        metavar="TABLE.JSON",
        help="a live table's geometry (default: table.json in the data folder)",
    )
    parser.add_argument(
        "--speed", type=float, default=1.0, metavar="N", help="play a recording or the virtual table N times as fast"
    )
    add_calibration(parser)
    parser.add_argument("--host", default="0.0.0.0", metavar="ADDRESS", help="address to listen on (default: all)")
    parser.add_argument(
        "--page-host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="who may move the virtual table's stones by its page (default: this machine; 0.0.0.0: all)",
    )
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
    _check_host(args.page_host, "--page-host")
    with ExitStack() as stack:
        try:
            source = source_of(args.source, args.table, lambda: data_folder(args.data), stack)
            if source.table_file is not None and not source.virtual and args.speed != 1:
                raise UserError("--speed is for recordings and the virtual table: a real one has its own time")
            for recorded in args.calibration:
                read_recording(recorded)
            data = data_folder(args.data)
            stack.callback(FolderLock(data).close)
            settings = _settings(data, args)
            journal = open_journal(data)
        except (SettingsError, JournalError, RecordingError) as error:
            raise UserError(str(error)) from error
        stack.callback(journal.close)
        if journal.notice:
            print(f"companion: {journal.notice}", file=sys.stderr)
        clock = SystemClock(args.speed)
        household = Household(data, settings)
        looking = Looking(clock)
        voice = Voice(settings.loudness(), find_tools(), spoken, household.sound, looking.sound)
        beside = stack.enter_context(ExitStack())  # ended after the service: to it, a table that goes first has failed
        service = Service(
            journal,
            known_kinds(),
            clock,
            _facts(settings.name, source),
            start=lambda: start_table(
                f"serial:{virtual.link}" if virtual else source.spec, clock, args.calibration, source.table_file, data
            ),
            code=household.code,
            rotate=household.rotate,
            clips=data / CLIPS,
            looking=looking,
            voice=voice,
        )
        stack.callback(service.close)
        tcp_port = settings.port if args.port is None else args.port
        serving = _serve(service.referee, args.host, tcp_port, settings.language)
        stack.callback(serving.close)
        virtual = start_virtual(source, clock, beside, args.page_host) if source.virtual else None
        if virtual:
            service.set_up.relaid = virtual.lay
        if source.game is not None:
            try:
                service.follow_recording(source.game)
            except ValueError as error:
                raise UserError(f"{source.origin / 'game.json'} is no game that can be played: {error}") from error
        service.ending.listen()
        service.start()
        if virtual and source.game is not None:
            attendant = Attendant(virtual, service.referee, known_kinds()["yikerz"], source.game)
            beside.callback(attendant.close)
            stack.callback(attendant.stop)
            attendant.start()
        address = _address(args.host, serving.tcp_port) + service.referee.join_path()
        _print_address(address)
        if virtual:
            page = _address(args.page_host, urlsplit(virtual.page).port or 0) + "/"
            print(f"The table is a virtual one: move its stones at {page}", flush=True)
        if args.open:
            webbrowser.open(address)
        service.wait()
        if service.failed:
            return 1
        if not service.ending.signalled:
            return USER_ERROR  # the table process has said why on stderr
    return 0


def _check_host(host: str, option: str = "--host") -> None:
    """Raises UserError where nothing of that name can be listened on."""
    try:
        if not host:
            raise OSError("it is empty")
        socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise UserError(
            f"{option} {host!r} is no address of this machine: give one such as 0.0.0.0 or 127.0.0.1"
        ) from error


def _settings(data: Path, args: argparse.Namespace) -> Settings:
    """The household's settings, with what the command line changes for good. Raises SettingsError or UserError."""
    settings = load(data)
    if args.name is not None:
        try:
            settings = replace(settings, name=args.name)
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


def spoken(tongue: str) -> Words:
    """The words of the table's speaker: those of the pages' calls."""
    texts: Mapping[str, Any] = pkgutil.resolve_name("web.language:texts_of")(tongue, "calls")
    translate: Callable[..., str] = pkgutil.resolve_name("web.language:translate")
    return lambda key, values: translate(texts, key, **values) if key in texts else ""


def _facts(name: str, source: Source) -> TableFacts:
    table = source.table
    try:
        tiles = tuple((float(tile["x"]), float(tile["y"]), float(tile["rot"])) for tile in table["tiles"])
        side_mm = float(table.get("side", 150.0))
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{source.origin} does not say where the tiles lie: copy it again") from error
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
