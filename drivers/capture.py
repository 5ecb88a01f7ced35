"""Samples as they come, kept so that nothing is lost: a spool beside the recording that it becomes.

    with Spool(folder, table, game) as spool:
        spool.add(sample)
    finish(folder)                # recording.npz appears whole, then the spool goes

Each sample is on its way to the disk when `add` returns. A cut, a kill or a full disk leaves a spool whose whole
samples `finish` still turns into a recording.
"""

import json
import os
import struct
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from drivers.recording import TOO_FEW, RecordingError, read_table, too_slow
from drivers.rows import arrays_of, load_value
from drivers.sample import LoadSample, Sample

SPOOL: Final = "capture.spool"
_MAGIC: Final = b"TCSPOOL1"
_HEAD: Final = struct.Struct("<QIB")  # t_us, frames lost before, loads
_LOAD: Final = struct.Struct("<Qi")


class Spool:
    """Writes. Raises RecordingError where the folder cannot be used, or holds a recording or a spool already."""

    def __init__(self, folder: Path, table: Mapping[str, Any], game: Mapping[str, Any]) -> None:
        self.samples, self.lost = 0, 0
        self._folder = folder
        self._made: list[Path] = []  # the inmost first; what was there before stays in any case
        self._size = 2 * sum(len(tile["sensors"]) for tile in table["tiles"])
        try:
            self._made = [each for each in (folder, *folder.parents) if not each.exists()]
            folder.mkdir(parents=True, exist_ok=True)
            for name in ("recording.npz", SPOOL):
                if (folder / name).exists():
                    raise RecordingError(f"{folder} already has a {name}: give a new folder, or finish that one.")
            for name, value in (("table.json", table), ("game.json", game)):
                self._made[:0] = [] if (folder / name).exists() else [folder / name]
                (folder / name).write_text(json.dumps(value, indent=1), encoding="utf-8")
            self._file: BinaryIO = (folder / SPOOL).open("xb", buffering=0)
            self._write(_MAGIC)
        except OSError as error:
            raise RecordingError(f"Cannot write to {folder} ({error.strerror}): choose another place.") from error

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def add(self, sample: Sample) -> None:
        """Raises OSError where the disk takes no more (it may be full); what was added before is safe."""
        if len(sample.hall) != self._size:
            return
        loads = [_LOAD.pack(max(load.t_us, 0), load_value(load)) for load in sample.load[:255]]
        self._write(_HEAD.pack(sample.t_us, min(sample.lost, 1 << 31), len(loads)) + b"".join(loads) + sample.counts)
        self.samples += 1
        self.lost += sample.lost

    def close(self) -> None:
        self._file.close()

    def discard(self) -> None:
        """Where no sample came: leave nothing behind that was not there before."""
        self.close()
        for path in (self._folder / SPOOL, *self._made):
            with suppress(OSError):  # a folder that holds something else by now
                if path.is_dir():
                    path.rmdir()
                else:
                    path.unlink()

    def _write(self, data: bytes) -> None:
        while data:
            written = self._file.write(data)
            data = data[written or 0 :]


def finish(folder: Path) -> Path:
    """Make recording.npz of a folder's spool; its path. Raises RecordingError; the spool then stays."""
    spool, target = folder / SPOOL, folder / "recording.npz"
    table = read_table(folder / "table.json")
    size = 2 * sum(len(tile["sensors"]) for tile in table["tiles"])
    try:
        arrays: Any = arrays_of(_spooled(spool, size), round(1e6 / float(table["frame_rate"])))
    except OSError as error:
        raise RecordingError(f"Cannot read {spool} ({error.strerror}): is it the folder of a capture?") from error
    except ValueError as error:
        raise RecordingError(f"{spool} holds no whole sample: capture again.") from error
    part = target.with_name(f".recording.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            np.savez_compressed(file, **arrays)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RecordingError(
            f"Cannot write {target} ({error.strerror}): what was captured is safe in {SPOOL}. Make room, then "
            f"`companion capture {folder} --finish`."
        ) from error
    spool.unlink()
    return target


def doubt(folder: Path) -> str:
    """Why the recording that `finish` made cannot be played, as a sentence; "" where it can."""
    with np.load(folder / "recording.npz", allow_pickle=False) as file:
        slow = too_slow(file["t_us"], read_table(folder / "table.json"))
    return f"{folder} is kept, but its frames came {TOO_FEW}." if slow else ""


def _spooled(path: Path, size: int) -> Iterator[Sample]:
    """The whole samples of a spool in rising time; a torn one ends it."""
    newest = -1
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            return
        while len(head := file.read(_HEAD.size)) == _HEAD.size:
            t_us, lost, count = _HEAD.unpack(head)
            loads, hall = file.read(count * _LOAD.size), file.read(size)
            if len(hall) < size:
                return
            if t_us > newest:
                newest = t_us
                told = tuple(LoadSample(at_us, value) for at_us, value in _LOAD.iter_unpack(loads))
                yield Sample(t_us, 0, hall, None, told, lost)
