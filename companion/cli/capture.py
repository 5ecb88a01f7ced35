"""`companion capture`: what a live table sends, kept as a recording."""

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.cli.failure import UserError
from companion.cli.progress import Progress
from companion.cli.source import source_of, start_virtual
from companion.clock import MICRO, SystemClock
from companion.settings import data_folder
from drivers.capture import Spool, doubt, finish
from drivers.recording import RecordingError, read_recording, read_table
from drivers.sample import Sample
from drivers.samples import samples_of
from drivers.wire import Session

if TYPE_CHECKING:
    from drivers.links.link import Clock, Link

_PIECE = 4096
_PATIENCE_US: Final = 5_000_000  # beyond the seconds, for the first sample of a board that has said hello


def add_parser(subparsers: Any) -> None:
    """Add the subcommand."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "capture",
        help="keep what a table sends as a recording, or turn recordings into bytes and back",
        description="Keeps samples in FOLDER until Ctrl-C or --seconds; then the recording is whole. What was captured "
        "before a power cut or a full disk is finished by --finish.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the recording's folder")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--source", default="serial", help="serial[:PORT], ble[:ADDRESS] or virtual (default: serial)")
    what.add_argument("--finish", action="store_true", help="make the recording of an interrupted capture")
    what.add_argument("--from-bytes", type=Path, metavar="FILE", help="of the bytes of a board in a file")
    what.add_argument("--to-bytes", type=Path, metavar="FILE", help="write the bytes that a board would have sent")
    parser.add_argument("--table", type=Path, metavar="TABLE.JSON", help="the table's geometry")
    parser.add_argument("--seconds", type=float, default=None, metavar="S", help="how long (default: until Ctrl-C)")
    parser.add_argument("--players", nargs="+", default=["A", "B"], metavar="NAME", help="for game.json")
    parser.add_argument("--piles", nargs="+", type=int, default=None, metavar="N", help="stones of each at the start")


def run(args: argparse.Namespace) -> int:
    """Capture or convert; exit code 0. Raises UserError."""
    try:
        if args.to_bytes:
            return _to_bytes(args.folder, args.to_bytes)
        if args.finish:
            print(f"{finish(args.folder)} is whole.")
            _tell_doubt(args.folder)
            return 0
        if args.from_bytes:
            if args.table is None:
                raise UserError("--from-bytes needs --table TABLE.JSON.")
            return _keep(args, read_table(args.table), _file_samples(args.from_bytes, read_table(args.table)))
        with ExitStack() as stack:
            return _live(args, stack)
    except RecordingError as error:
        raise UserError(str(error)) from error


def _live(args: argparse.Namespace, stack: ExitStack) -> int:
    from companion.process.table.live import live_link

    if args.seconds is not None and not 0 < args.seconds <= 1e5:
        raise UserError(f"--seconds must be above 0 and at most 100000, not {args.seconds:g}")
    source = source_of(args.source, args.table, lambda: data_folder(None), stack)
    if source.table_file is None:
        raise UserError("--source is a recording already: give serial, ble or virtual")
    clock = SystemClock()
    spec = source.spec
    if source.virtual:
        spec = f"serial:{start_virtual(source, clock, stack).link}"
    kind, _, place = spec.partition(":")
    link = live_link(kind, place, clock)
    stack.callback(link.close)
    return keep_live(args, source.table, link, clock)


def keep_live(args: argparse.Namespace, table: Any, link: "Link", clock: "Clock") -> int:
    """Keep what a link gives. The seconds are the board's; where none of them come, those of the clock end it."""
    until_us = None if args.seconds is None else clock.now_us() + round(args.seconds * MICRO)

    def ends(now_us: int, came: int) -> bool:
        if until_us is None or now_us < until_us:
            return False
        mute = not came and link.status.state == "live" and now_us >= until_us + _PATIENCE_US
        return mute or bool(link.status.trouble)

    def why() -> str:
        return link.status.detail or "`companion diagnose` says what is wrong with the board."

    return _keep(args, table, samples_of(link, len(_sensors(table)), ends), why)


def _keep(
    args: argparse.Namespace, table: Any, samples: Iterator[Sample], why: Callable[[], str] = lambda: "Capture again."
) -> int:
    """Spool samples until they end, the time is over, or Ctrl-C; then finish. why: no samples came, and what to do."""
    limit_us = None if args.seconds is None else round(args.seconds * MICRO)
    progress = Progress("capture", limit_us or 1)
    full = ""
    with Spool(args.folder, table, _game(args)) as spool:
        try:
            with contextlib.suppress(KeyboardInterrupt):
                for sample in samples:
                    if limit_us is not None and sample.t_us >= limit_us:
                        break
                    spool.add(sample)
                    progress.reach(sample.t_us if limit_us else 0)
        except OSError as error:
            full = f" The disk took no more ({error.strerror})."
        finally:
            progress.end()
    if not spool.samples:
        spool.discard()
        raise UserError(f"No samples came, nothing is kept.{full} {why()}")
    target = finish(args.folder)
    print(f"{target}: {spool.samples} frames, {spool.lost} lost.{full}")
    _tell_doubt(args.folder)
    return 0


def _tell_doubt(folder: Path) -> None:
    if told := doubt(folder):
        print(f"companion: {told}", file=sys.stderr)


def _file_samples(path: Path, table: Any) -> Iterator[Sample]:
    """Of bytes in a file: arrival is not known, so board time stands for it."""
    session, now_us = Session(len(_sensors(table))), 0
    try:
        with path.open("rb") as file:
            while data := file.read(_PIECE):
                for item in session.feed(data, now_us):
                    if isinstance(item, Sample):
                        now_us = max(now_us, item.t_us)
                        yield item
    except OSError as error:
        raise UserError(f"Cannot read {path} ({error.strerror}): check the name.") from error


def _to_bytes(folder: Path, path: Path) -> int:
    from drivers.links.replay import wire_frames

    recording = read_recording(folder)
    try:
        with path.open("xb") as file:
            for _, data in wire_frames(recording):
                file.write(data)
    except FileExistsError as error:
        raise UserError(f"{path} is there already: give another name.") from error
    except OSError as error:
        raise UserError(f"Cannot write {path} ({error.strerror}): choose another place.") from error
    return 0


def _sensors(table: Any) -> list[Any]:
    return [sensor for tile in table["tiles"] for sensor in tile["sensors"]]


def _game(args: argparse.Namespace) -> dict[str, Any]:
    players = list(args.players)
    if not 1 <= len(players) <= 6:
        raise UserError("--players: 1 to 6 names")
    piles = args.piles or [20 // len(players)] * len(players)
    if len(piles) != len(players) or min(piles) < 0 or sum(piles) > 20:
        raise UserError("--piles: as many numbers as players, at most 20 stones together")
    return {"game": "yikerz", "players": players, "first": 0, "piles": piles, "bag": 20 - sum(piles), "stones": 20,
            "settings": {}}  # fmt: skip
