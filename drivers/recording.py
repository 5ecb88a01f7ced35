"""Recordings of a table, read and checked: a folder with recording.npz, table.json and game.json.

recording.npz: t_us uint64[T] board time of each frame's start; hall uint16[T, S] raw counts in table.json's
order; lost bool[T], the frame never arrived and its row holds zeros; load_t_us uint64[L], load int32[L]
conversions of the load cell, 0x7FFFFF for a read error.
"""

import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

LOAD_READ_ERROR = 0x7FFFFF
_FORMAT = 1
_FASTEST, _SLOWEST, _AS_TOLD = 0.8, 20.0, 1.25
"""Periods of table.json from frame to frame, in the median: none comes sooner than the board scans; over a thin radio
link fewer come (every fourth of 100 a second), but from 5 a second nothing can be refereed; up to the last all is well.
"""
TOO_FEW = "too seldom for a referee. Bring the board nearer to the computer, or put it at the cable, and capture again"
_LARGEST = 1 << 31  # bytes unpacked; a recording of a whole evening is under 1 GB
_ARRAYS: dict[str, tuple[str, int]] = {
    "t_us": ("u", 1),
    "hall": ("u", 2),
    "lost": ("b", 1),
    "load_t_us": ("u", 1),
    "load": ("i", 1),
}
Array: TypeAlias = NDArray[Any]


class RecordingError(Exception):
    """The folder is not a recording that can be played; one sentence that says why and what to do."""


@dataclass(frozen=True, eq=False)
class Recording:
    """A checked recording.

    t_us int64[T] rising; hall uint16[T, S] within adc_bits; lost bool[T]; load_t_us int64[L] rising;
    load int32[L].
    table, game: the JSON objects beside it.
    """

    folder: Path
    table: Mapping[str, Any]
    game: Mapping[str, Any]
    t_us: NDArray[np.int64]
    hall: NDArray[np.uint16]
    lost: NDArray[np.bool_]
    load_t_us: NDArray[np.int64]
    load: NDArray[np.int32]

    @property
    def sensors(self) -> int:
        return int(self.hall.shape[1])

    @property
    def table_id(self) -> str:
        return str(self.table["table_id"])

    @property
    def period_us(self) -> int:
        return round(1e6 / float(self.table["frame_rate"]))

    @property
    def doubt(self) -> str:
        """What a person should look at though it can be played: a sentence, "" for nothing."""
        periods = _periods(self.t_us, self.table)
        if periods <= _AS_TOLD:
            return ""
        return (
            f"{self.folder / 'recording.npz'} has a frame every {periods * self.period_us / 1000:g} ms, and by "
            f"table.json one comes every {self.period_us / 1000:g} ms: its times are believed. Unless it came by "
            "radio, put the table.json there with which it was recorded."
        )

    @property
    def duration_us(self) -> int:
        return int(self.t_us[-1] - self.t_us[0])


def read_recording(folder: Path) -> Recording:
    """The recording in a folder. Raises RecordingError."""
    if not folder.is_dir():
        raise RecordingError(f"There is no folder {folder}: give the folder of a recording.")
    table = read_table(folder / "table.json", "copy the recording again")
    game = _object(folder / "game.json", "copy the recording again")
    _check_game(folder / "game.json", game)
    arrays = _arrays(folder / "recording.npz")
    count = sum(len(tile["sensors"]) for tile in table["tiles"])
    hall = arrays["hall"]
    if hall.shape[1] != count:
        raise RecordingError(
            f"{folder / 'recording.npz'} has {hall.shape[1]} sensors but table.json beside it has {count}: "
            "put the table.json there with which it was recorded."
        )
    if int(hall.max()) >> int(table["adc_bits"]):
        raise RecordingError(
            f"{folder / 'recording.npz'} has counts of more than the {table['adc_bits']} bits of table.json: "
            "put the table.json there with which it was recorded."
        )
    periods, step_ms = _periods(arrays["t_us"], table), _step_us(arrays["t_us"]) / 1000
    if periods > _SLOWEST:
        raise RecordingError(
            f"{folder / 'recording.npz'} has a frame every {step_ms:g} ms, {TOO_FEW}. If more came, its times are "
            "wrong: copy it again."
        )
    if periods < _FASTEST:
        raise RecordingError(
            f"{folder / 'recording.npz'} has a frame every {step_ms:g} ms, which does not fit the frame_rate "
            f"of table.json beside it, {table['frame_rate']:g} a second: put the table.json there with which it was "
            "recorded."
        )
    return Recording(folder, table, game, **arrays)


def too_slow(t_us: Array, table: Mapping[str, Any]) -> bool:
    """Whether frames at these times (us) come too seldom for `read_recording`."""
    return _periods(t_us, table) > _SLOWEST


def _step_us(t_us: Array) -> float:
    return float(np.median(np.diff(t_us))) if len(t_us) > 1 else 0.0


def _periods(t_us: Array, table: Mapping[str, Any]) -> float:
    """From frame to frame, in the median, in periods of the table; 1 where there is one frame."""
    return _step_us(t_us) * float(table["frame_rate"]) / 1e6 if len(t_us) > 1 else 1.0


def read_table(path: Path, remedy: str = "copy it again, or make one anew") -> dict[str, Any]:
    """A table.json whose tiles, sensors, rate and bits have been checked. Raises RecordingError.

    remedy: what to do where it is damaged.
    """
    table = _object(path, remedy)
    try:
        tiles = table["tiles"]
        for tile in tiles:
            float(tile["x"]), float(tile["y"]), float(tile["rot"])
            for sensor in tile["sensors"]:
                float(sensor["x"]), float(sensor["y"]), float(sensor["z"])
        sound = (
            bool(tiles)
            and 1 <= sum(len(tile["sensors"]) for tile in tiles) <= 512
            and 1 <= float(table["frame_rate"]) <= 1000
            and table["adc_bits"] == 10
            and isinstance(table["table_id"], str)
            and len(table["table_id"].encode()) <= 120
        )
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise RecordingError(f"{path} does not describe a table ({_cause(error)}): copy it again.") from error
    if not sound:
        raise RecordingError(f"{path} describes a table that this program cannot read: give another one.")
    return table


def _object(path: Path, remedy: str) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise _missing(path) from error
    except OSError as error:
        raise RecordingError(f"Cannot read {path} ({error.strerror}): check its permissions.") from error
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"{path} is not JSON, or is cut off: {remedy}.") from error
    if not isinstance(value, dict):
        raise RecordingError(f"{path} is not a JSON object: {remedy}.")
    version = value.get("format", _FORMAT)
    if version != _FORMAT:
        raise RecordingError(f"{path} is of format {version}, this program reads {_FORMAT}: update it.")
    return value


def _check_game(path: Path, game: Mapping[str, Any]) -> None:
    players, piles, first = game.get("players"), game.get("piles"), game.get("first", 0)
    sound = (
        isinstance(players, list)
        and 1 <= len(players) <= 6
        and all(isinstance(p, str) for p in players)
        and isinstance(piles, list)
        and len(piles) == len(players)
        and all(isinstance(n, int) and 0 <= n <= 1000 for n in piles)
        and isinstance(first, int)
        and 0 <= first < len(players)
    )
    if not sound:
        raise RecordingError(f"{path} does not say players, piles and who is first: copy it again.")


def _arrays(path: Path) -> dict[str, Array]:
    try:
        with zipfile.ZipFile(path) as file:
            if sum(entry.file_size for entry in file.infolist()) > _LARGEST:
                raise RecordingError(f"{path} is far larger than any recording: give another one.")
        with np.load(path, allow_pickle=False) as file:
            missing = sorted(_ARRAYS.keys() - set(file.files))
            if missing:
                raise RecordingError(
                    f"{path} has no {missing[0]}: it is not a recording of format {_FORMAT}, record it again "
                    "or convert it."
                )
            arrays = {name: file[name] for name in _ARRAYS}
    except FileNotFoundError as error:
        raise _missing(path) from error
    except zipfile.BadZipFile as error:
        raise RecordingError(f"{path} is no recording, damaged or cut off: copy it again.") from error
    except (ValueError, EOFError, KeyError, NotImplementedError, RuntimeError, zlib.error) as error:
        raise RecordingError(f"{path} is damaged ({_cause(error)}): copy it again.") from error
    except OSError as error:
        raise RecordingError(f"Cannot read {path} ({error.strerror or error}): copy it again.") from error
    _check_arrays(path, arrays)
    return {
        "t_us": arrays["t_us"].astype(np.int64),
        "hall": arrays["hall"].astype(np.uint16),
        "lost": arrays["lost"],
        "load_t_us": arrays["load_t_us"].astype(np.int64),
        "load": arrays["load"].astype(np.int32),
    }


def _check_arrays(path: Path, arrays: Mapping[str, Array]) -> None:
    for name, (kind, dimensions) in _ARRAYS.items():
        array = arrays[name]
        if array.dtype.kind != kind or array.ndim != dimensions:
            raise RecordingError(f"{path}: {name} is not as in format {_FORMAT}: record it again.")
    frames, loads = len(arrays["t_us"]), len(arrays["load_t_us"])
    if not frames or bool(arrays["lost"].all()) or not arrays["hall"].size:
        raise RecordingError(f"{path} holds no frame: give a longer recording.")
    if len(arrays["hall"]) != frames or len(arrays["lost"]) != frames or len(arrays["load"]) != loads:
        raise RecordingError(f"{path}: its arrays differ in length, it is cut off: copy it again.")
    for name in ("t_us", "load_t_us"):
        times = arrays[name]
        if len(times) and (int(times.max()) >> 62 or bool((np.diff(times.astype(np.int64)) <= 0).any())):
            raise RecordingError(f"{path}: the times of {name} do not rise: it is damaged, copy it again.")


def _missing(path: Path) -> RecordingError:
    return RecordingError(f"{path} is missing: a recording needs recording.npz, table.json and game.json.")


def _cause(error: Exception) -> str:
    return f"no {error}" if isinstance(error, KeyError) else str(error).split("\n")[0][:80]
