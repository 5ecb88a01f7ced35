"""How the tiles lie, as one of the pictures: table.json of a live table is written anew, and the one before is kept."""

import copy
import json
import math
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.process.keeping import replace_keeping
from drivers.recording import RecordingError, read_table

PICTURES: Final[Mapping[str, tuple[tuple[float, float, float], ...]]] = {
    "triangle": ((0, 0, 180), (1, -1, 0), (0, 2, 0), (-1, -1, 0)),
    "row": ((-1.5, -0.5, 0), (-0.5, 0.5, 180), (0.5, -0.5, 0), (1.5, 0.5, 180)),
    "star": ((0, 0, 0), (0, 4, 180), (-2, -2, 300), (2, -2, 60)),
}
"""Middles of the tiles in halves of the side (x) and thirds of the height (y), and degrees (hardware/geometry.toml)."""

LAST: Final = "table.last.json"


class LayingError(Exception):
    """The tiles cannot be said to lie so. code: for pages; the text: a sentence with what to do."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def laid(table: Mapping[str, Any], picture: str, weighed: bool = True) -> dict[str, Any]:
    """A table.json whose first tiles lie as in a picture. weighed: all of them on the plate; where one lies beside it,
    the load cell cannot tell what lies on the board, and is not listened to.

    Raises LayingError where the table has other tiles.
    """
    out: dict[str, Any] = copy.deepcopy(dict(table))
    poses = PICTURES[picture]
    try:
        half = float(out["side"]) / 2.0
        if len(out["tiles"]) > len(poses):
            raise LayingError(
                "too_many_tiles",
                f"The picture {picture} has {len(poses)} tiles, not {len(out['tiles'])}: pick another.",
            )
        for tile, (x, y, rot) in zip(out["tiles"], poses, strict=False):
            tile.update(x=round(x * half, 3), y=round(y * half / math.sqrt(3.0), 3), rot=float(rot))
    except (KeyError, TypeError, ValueError) as error:
        raise LayingError(
            "bad_table", f"table.json does not say what tiles there are ({error}): copy it again."
        ) from error
    kept, unused = ("load_cell", "load_cell_unused") if weighed else ("load_cell_unused", "load_cell")
    if out.get(unused) is not None:
        out[kept] = out.pop(unused)
    return out


def picture_of(table: Mapping[str, Any]) -> str:
    """Which picture the tiles of a table.json make, whichever lies where; "" for none."""

    def poses(of: Mapping[str, Any]) -> set[tuple[int, ...]]:
        return {(round(tile["x"]), round(tile["y"]), round(tile["rot"]) % 120) for tile in of["tiles"]}

    for name in PICTURES:
        with suppress(LayingError):
            if poses(laid(table, name)) == poses(table):
                return name
    return ""


def corners_of(table: Mapping[str, Any]) -> list[float]:
    """x, y of the three corners of each tile (mm), in a row."""
    out = []
    for tile in table["tiles"]:
        for degrees in (90.0, 210.0, 330.0):
            angle, far = math.radians(degrees + tile["rot"]), table["side"] / math.sqrt(3.0)
            out += [round(tile["x"] + far * math.cos(angle), 1), round(tile["y"] + far * math.sin(angle), 1)]
    return out


def lay(file: Path, picture: str, weighed: bool = True) -> None:
    """Write a live table's table.json for a picture. Raises LayingError, the file as it was."""
    lay_so(file, text_laid(file, picture, weighed))


def lay_back(file: Path) -> None:
    """As they lay before. Raises LayingError, the file as it was."""
    lay_so(file, text_before(file))


def text_laid(file: Path, picture: str, weighed: bool = True) -> bytes:
    """What a live table's table.json would be for a picture; nothing is written. Raises LayingError."""
    return json.dumps(laid(_table(file), picture, weighed), indent=1).encode()


def text_before(file: Path) -> bytes:
    """What table.json was before it was laid; nothing is written. Raises LayingError."""
    last = file.with_name(LAST)
    if not last.is_file():
        raise LayingError("nothing_laid", f"{last} is not there: nothing was laid anew, there is nothing to take back.")
    _table(last)
    try:
        return last.read_bytes()
    except OSError as error:
        raise LayingError("bad_table", f"{last} cannot be read ({error.strerror}): copy it again.") from error


def lay_so(file: Path, text: bytes) -> None:
    """The text takes the file's place, and the file that of the one before. Raises LayingError, the file as it was."""
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        replace_keeping(part, file, file.with_name(LAST))
    except OSError as error:
        raise LayingError("not_kept", f"{file} cannot be written ({error.strerror}): make room on the disk.") from error
    finally:
        part.unlink(missing_ok=True)


def _table(file: Path) -> Mapping[str, Any]:
    try:
        return read_table(file)
    except RecordingError as error:
        raise LayingError("bad_table", str(error)) from error
