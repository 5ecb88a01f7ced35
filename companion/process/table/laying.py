"""How the tiles lie, as one of the pictures: table.json of a live table is written anew.

How they lay before is kept beside it (earlier.py) and taken back step by step. Page and command write
the same files.
"""

import copy
import json
import math
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.process.common.earlier import Earlier, Poses, beside, earlier_layings, earlier_of, listed
from companion.sensing.sensors.layout import TableLayout
from drivers.recording import RecordingError, read_table

PICTURES: Final[Mapping[str, tuple[tuple[float, float, float], ...]]] = {
    "triangle": ((0, 0, 180), (1, -1, 0), (0, 2, 0), (-1, -1, 0)),
    "row": ((-1.5, -0.5, 0), (-0.5, 0.5, 180), (0.5, -0.5, 0), (1.5, 0.5, 180)),
    "star": ((0, 0, 0), (0, 4, 180), (-2, -2, 300), (2, -2, 60)),
}
"""Middles of the tiles in halves of the side (x) and thirds of the height (y), and degrees (hardware/geometry.toml)."""


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
    return _weighed(out, weighed)


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


def lay(file: Path, picture: str, when: str, weighed: bool = True) -> None:
    """Write a live table's table.json for a picture. when: it is now, as a person reads it. Raises LayingError, the
    file as it was.
    """
    lay_so(file, text_laid(file, picture, weighed), when)


def lay_back(file: Path) -> None:
    """As they lay before that. Raises LayingError, the file as it was."""
    lay_back_so(file, text_before(file))


def text_laid(file: Path, picture: str, weighed: bool = True) -> bytes:
    """What a live table's table.json would be for a picture; nothing is written. Raises LayingError."""
    return _text(file, laid(_table(file), picture, weighed))


def text_before(file: Path) -> bytes:
    """What table.json would be with the tiles as they lay before; nothing is written. Raises LayingError."""
    table = copy.deepcopy(dict(_table(file)))
    earlier = _other(earlier_layings(file), table)
    if not earlier:
        raise LayingError("nothing_laid", f"{file} was not laid anew: there is nothing to take back.")
    newest = earlier[-1]
    if len(newest.poses) != len(table["tiles"]):
        raise LayingError("other_table", f"{file} has other tiles than were laid before: pick a picture instead.")
    return _text(file, _weighed(_posed(table, newest.poses), newest.weighed))


def lay_so(file: Path, text: bytes, when: str) -> None:
    """The text takes the file's place; how the tiles lay until `when` is kept. Raises LayingError, table.json as it
    was.
    """
    now = _table(file)
    before = [*_other(earlier_layings(file), now), earlier_of(now, when)]
    _write(beside(file), listed(before))  # first: a cut between the two leaves an entry that is passed over
    _write(file, text)


def lay_back_so(file: Path, text: bytes) -> None:
    """The text, of text_before, takes the file's place, and is no earlier one any more. Raises LayingError."""
    before = _other(earlier_layings(file), _table(file))
    _write(file, text)
    _write(beside(file), listed(before[:-1]))


def lies_now(file: Path) -> tuple[str, int]:
    """Which picture the tiles of a live table make ("" for none), and how many earlier layings can be taken back to.

    Raises LayingError.
    """
    table = _table(file)
    try:
        return picture_of(table), len(_other(earlier_layings(file), table))
    except (KeyError, TypeError, ValueError) as error:
        raise LayingError("bad_table", f"{file} does not say how the tiles lie ({error}): copy it again.") from error


def picture_before(table: Mapping[str, Any], earlier: Earlier) -> str:
    """Which picture that was; "" for none."""
    return picture_of(_posed(copy.deepcopy(dict(table)), earlier.poses))


def _other(earlier: list[Earlier], table: Mapping[str, Any]) -> list[Earlier]:
    """Without the newest ones that lie as the table does now."""
    now = earlier_of(table, "")
    while earlier and replace(earlier[-1], until="") == now:
        earlier = earlier[:-1]
    return earlier


def _posed(table: dict[str, Any], poses: Poses) -> dict[str, Any]:
    for tile, (x, y, rot) in zip(table["tiles"], poses, strict=False):
        tile.update(x=x, y=y, rot=rot)
    return table


def _weighed(table: dict[str, Any], weighed: bool) -> dict[str, Any]:
    kept, unused = ("load_cell", "load_cell_unused") if weighed else ("load_cell_unused", "load_cell")
    if table.get(unused) is not None:
        table[kept] = table.pop(unused)
    return table


def _text(file: Path, table: Mapping[str, Any]) -> bytes:
    """The text of a table.json with which the table can start. Raises LayingError where there is no such."""
    try:
        TableLayout.from_json(table)
    except ValueError as error:
        raise LayingError("bad_table", f"{file} cannot be laid anew ({error}): copy it again.") from error
    return json.dumps(table, indent=1).encode()


def _write(file: Path, text: bytes) -> None:
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(part, file)
    except OSError as error:
        raise LayingError("not_kept", f"{file} cannot be written ({error.strerror}): make room on the disk.") from error
    finally:
        part.unlink(missing_ok=True)


def _table(file: Path) -> Mapping[str, Any]:
    try:
        return read_table(file)
    except RecordingError as error:
        raise LayingError("bad_table", str(error)) from error
