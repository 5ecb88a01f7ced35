"""Where `companion run` takes its samples from: a virtual table, a recording, a board at a cable or by radio.

A recording comes as it is, or through the board's very program on an emulated Arduino (in the source tree only).
"""

import json
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.cli.failure import UserError
from companion.clock import SystemClock
from companion.process.referee.virtual import VirtualError, VirtualProcess
from drivers.recording import RecordingError, read_recording, read_table

DEMO = "demo/game3-nominal"
PARTS = ("recording.npz", "table.json", "game.json")
"""The files of a recording."""
BOARDS = "serial[:PORT], ble[:ADDRESS], replay:FOLDER, replay:demo or emulator:FOLDER"
KINDS = f"virtual, {BOARDS}"


@dataclass(frozen=True)
class Source:
    """One source, known to be whole.

    spec: what the table process is told, "" for a virtual table, whose cable is only known when it runs. table: the
    object of table.json, table_file: where it lies (live tables). game: a game that follows it from the start.
    origin: what to name when something of it is wrong.
    """

    spec: str
    table: Mapping[str, Any]
    origin: Path
    table_file: Path | None = None
    game: Mapping[str, Any] | None = None

    @property
    def virtual(self) -> bool:
        """Whether a virtual table has to be started."""
        return not self.spec


def recording_folder(place: Path, stack: ExitStack) -> Path:
    """The folder of a recording that is named on a command line: `demo` is the program's own, where none of that name
    lies here.
    """
    if place == Path("demo") and any((place / name).exists() for name in PARTS):
        print(f"companion: {place.resolve()} is played, not the program's own demo.", file=sys.stderr)
    elif place == Path("demo"):
        return stack.enter_context(as_file(files("companion").joinpath(DEMO)))
    return place.expanduser()


def made_at(path: Path) -> str:
    """How to make a table.json, as a sentence with the whole line."""
    return (
        f"`python3 -m hardware.geometry --layout triangle > {shlex.quote(str(path))}`, typed in the folder of this "
        "program's source, makes one; hardware/README.md has the other layouts."
    )


def source_of(
    text: str, table_file: Path | None, data: Callable[[], Path], stack: ExitStack, kinds: str = KINDS
) -> Source:
    """The source that --source and --table name; everything of it is read before anything is begun or printed.

    data: gives the data folder, where a household's table.json is looked for. kinds: to be offered where the source is
    not known. Raises UserError.
    """
    kind, _, place = (text or "virtual").partition(":")
    if kind in ("replay", "emulator") and place:
        return _recorded(kind, place, stack)
    if kind == "virtual" and not place:
        from drivers.virtual.players import NAMES

        if table_file is not None:
            _live_table(table_file)  # what is wrong is said of the file that was named
        own = _own_copy(table_file, stack)  # what is laid by its page must leave the original alone
        game = {"game": "yikerz", "players": list(NAMES[:2]), "first": 0, "piles": [10, 10], "bag": 0, "stones": 20,
                "settings": {"last_call": "assumed"}}  # fmt: skip
        return Source("", _live_table(own), own, own, game)
    if kind in ("serial", "ble"):
        own = table_file or data() / "table.json"
        if not own.exists():
            raise UserError(
                f"Where the sensors of this table are is not known: give --table TABLE.JSON, or put it at {own}. "
                + made_at(own)
            )
        return Source(f"{kind}:{place}", _live_table(own), own, own)
    raise UserError(f"--source {text!r} is not known: give {kinds}, with the folder of a recording")


def start_virtual(source: Source, clock: SystemClock, stack: ExitStack, page_host: str = "127.0.0.1") -> VirtualProcess:
    """The virtual table of a source, ended with the stack. page_host: where its page listens. Raises UserError."""
    assert source.table_file is not None
    folder = stack.enter_context(TemporaryDirectory(prefix="companion-"))
    try:
        virtual = VirtualProcess(Path(folder) / "table", clock, source.table_file, page_host)
    except (VirtualError, OSError) as error:
        raise UserError(f"The virtual table cannot be started: {error}") from error
    stack.callback(virtual.close)
    return virtual


def _own_copy(table_file: Path | None, stack: ExitStack) -> Path:
    """The virtual table's table.json, its own until it ends."""
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="companion-")))
    given = table_file or stack.enter_context(as_file(files("drivers.virtual").joinpath("table.json")))
    return Path(shutil.copyfile(given, folder / "table.json"))


def _recorded(kind: str, place: str, stack: ExitStack) -> Source:
    folder = recording_folder(Path(place), stack).resolve()
    for name in PARTS:
        if not (folder / name).is_file():
            raise UserError(f"{folder} is not a recording, it has no {name}: give the folder of a recording")
    try:
        recording = read_recording(folder)
    except RecordingError as error:
        raise UserError(str(error)) from error
    if recording.doubt:
        print(f"companion: {recording.doubt}", file=sys.stderr)
    _check_layout(recording.table, folder / "table.json")
    return Source(f"{kind}:{folder}", recording.table, folder, game=recording.game)


def _live_table(path: Path) -> Mapping[str, Any]:
    try:
        table = read_table(path)
    except RecordingError as error:
        raise UserError(str(error)) from error
    _check_layout(table, path)
    return table


def _check_layout(table: Mapping[str, Any], path: Path) -> None:
    """Sensing's own demands on a table.json: refused here, not after an address has been printed."""
    from companion.sensing.sensors.layout import TableLayout

    try:
        TableLayout.from_json(table)
    except (ValueError, json.JSONDecodeError) as error:
        cause = str(error).removeprefix("table.json: ")
        raise UserError(f"{path} cannot be used ({cause}): copy it again, or make one anew.") from error
