"""`companion virtual`: a table without hardware, at a pseudo-terminal, with players and a page for the finger."""

import argparse
import json
import os
import select
import shlex
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from importlib.resources import files
from pathlib import Path
from typing import Any

from companion.cli.failure import UserError
from companion.clock import SystemClock
from drivers.virtual.misbehaviour import MISBEHAVIOURS

_LINK = "virtual-table"
_LEAVING_S = 2.0
_LOOK_S = 1.0
_UPRIGHTS = 0.1  # of the stones are stood on their edge


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "virtual",
        help="a table without hardware: the same bytes on a pseudo-terminal, players that play by themselves",
        description="Starts a virtual table and prints where its cable and its page are, and the line to type in "
        "another terminal that referees it, with its table.json. `companion run` alone starts one by itself.",
    )
    parser.add_argument("--link", type=Path, metavar="LINK", help="name of the cable's end (default: a new place)")
    parser.add_argument("--table", type=Path, metavar="TABLE.JSON", help="the table (default: its own)")
    parser.add_argument("--players", type=int, default=2, metavar="N", help="how many play, 2 to 6 (default: 2)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another number, another game")
    parser.add_argument(
        "--accidents", type=float, default=0.15, metavar="P", help="part of the turns that go wrong (default: 0.15)"
    )
    parser.add_argument(
        "--misbehave",
        action="append",
        default=[],
        metavar="NAME[=AMOUNT[,SECONDS]]",
        help="what goes wrong from the start, such as drop=20,60. AMOUNT: per cent; of sensor_dead, sensor_stuck and "
        "sensor_noisy which sensor, counted from 0, of multiplexer_lost which multiplexer, four a tile. "
        f"NAME: {', '.join(MISBEHAVIOURS)}",
    )
    parser.add_argument("--no-players", action="store_true", help="nobody plays until the page says so")
    parser.add_argument("--page-host", default="127.0.0.1", metavar="ADDRESS", help="who may move stones by the page")
    parser.add_argument("--page-port", type=int, default=0, metavar="P", help="its TCP port (default: any free one)")
    parser.add_argument("--speed", type=float, default=1.0, help=argparse.SUPPRESS)
    parser.add_argument("--origin-ns", type=int, default=None, help=argparse.SUPPRESS)
    parser.add_argument("--starts", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--attended", action="store_true", help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Run until Ctrl-C, or, attended, until standard input ends. Raises UserError."""
    from drivers.recording import RecordingError, read_table
    from drivers.virtual.cable import Cable
    from drivers.virtual.misbehaviour import parse
    from drivers.virtual.place import Place
    from drivers.virtual.server import PageServer
    from drivers.virtual.table import VirtualTable

    if not 2 <= args.players <= 6 or not 0 <= args.accidents <= 1:
        raise UserError("--players is from 2 to 6 and --accidents from 0 to 1")
    try:
        place = Place.of(read_table(args.table) if args.table else own_table())
    except (RecordingError, KeyError, TypeError, ValueError) as error:
        if args.attended and _left_alone():  # and its file was taken away with who began it
            return 0
        raise UserError(f"--table: {error}") from error
    with ExitStack() as stack:
        link = args.link or _new_folder(stack) / _LINK
        said = _tell if args.attended else _nothing
        try:
            cable = Cable(link)
            stack.callback(cable.unplug)
            clock = SystemClock(args.speed, args.origin_ns)
            table = VirtualTable(
                place,
                cable,
                clock,
                players=args.players,
                seed=args.seed,
                starts=args.starts,
                accidents=args.accidents,
                said=said,
                attended=args.attended,
                uprights=_UPRIGHTS,
            )
            table.playing = not args.no_players
            for text in args.misbehave:
                name, amount, seconds = parse(text)
                table.do({"do": "misbehave", "name": name, "amount": amount, "seconds": seconds or 1e6})
            page = PageServer(table, args.page_host, args.page_port)
        except (OSError, OverflowError) as error:
            if args.attended and _left_alone():
                return 0
            raise UserError(f"The virtual table cannot be set up ({error}): choose another --link or port") from error
        except ValueError as error:
            raise UserError(f"--misbehave: {error}") from error
        stack.callback(page.close)
        page.start()
        if args.attended:
            _tell("ready", link=str(link), page=page.address)
            threading.Thread(target=_attend, args=(table, args.table), name="attend", daemon=True).start()
        else:
            table_file = args.table or _own_file(_new_folder(stack))
            left = threading.Event()
            stack.callback(left.set)
            threading.Thread(target=_follow, args=(table, table_file, left), name="follow", daemon=True).start()
            print(f"cable: {link}\npage:  {page.address}\nTo referee it, type in another terminal:")
            print(f"  {_refereed_by(link, table_file)}\nStop with Ctrl-C.", flush=True)
        table.run()
    return 0


def own_table() -> dict[str, Any]:
    """The table.json of the virtual table."""
    table: dict[str, Any] = json.loads(files("drivers.virtual").joinpath("table.json").read_text("utf-8"))
    return table


def _new_folder(stack: ExitStack) -> Path:
    return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))


def _own_file(folder: Path) -> Path:
    """A table.json for who referees it: what that lays anew is written there, and must leave the original alone."""
    file = folder / "table.json"
    file.write_text(json.dumps(own_table(), indent=1), encoding="utf-8")
    return file


def _refereed_by(link: Path, table_file: Path) -> str:
    """The line that referees this table, from any folder."""
    typed = ["companion", "run", "--source", f"serial:{link.absolute()}", "--table", str(table_file.absolute())]
    return shlex.join(typed)


def _left_alone() -> bool:
    """Whether who attends it is ending, and has taken its place away: that is no fault to speak of."""
    ready, _, _ = select.select([sys.stdin], [], [], _LEAVING_S)
    return bool(ready) and not os.read(sys.stdin.fileno(), 1)


def _follow(table: Any, file: Path, left: threading.Event) -> None:
    """Nobody says when who referees it has laid the tiles anew: its table.json is looked at now and then."""
    look = laid_anew(table, file)
    while not left.wait(_LOOK_S):
        look()


def laid_anew(table: Any, file: Path) -> Callable[[], None]:
    """What lays the tiles as the file says, each time that it is another one than before."""
    known = [_bytes_of(file)]

    def look() -> None:
        now = _bytes_of(file)
        if now == known[0]:
            return
        known[0] = now
        _lay(table, file)

    return look


def _lay(table: Any, file: Path) -> None:
    """Lay the tiles as the file says; where it says nothing of use they stay, and who started the table is told."""
    from drivers.recording import RecordingError, read_table
    from drivers.virtual.place import Place

    try:
        table.lay(Place.of(read_table(file)))
    except (RecordingError, KeyError, TypeError, ValueError) as error:
        print(f"The tiles stay as they were: {file} cannot be used ({error})", file=sys.stderr, flush=True)


def _bytes_of(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _attend(table: Any, file: Path | None) -> None:
    """A line of standard input lets the next round begin; "lay": the tiles lie as the file says now; its end ends the
    table.
    """
    for line in sys.stdin:
        if line.strip() != "lay":
            table.players.go_on = True
        elif file is not None:
            _lay(table, file)
    table.close()


def _tell(what: str, **more: Any) -> None:
    print(json.dumps({"said": what, **more}), flush=True)


_nothing: Callable[..., None] = lambda what, **more: None  # noqa: E731
