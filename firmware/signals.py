"""The file of signals that the emulated board measures (simulator/signals.h): from a recording, or by hand."""

import struct
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from drivers.recording import Recording
from hardware.geometry import channels

CHANNELS, ADDRESSES = 256, 16
_MAGIC = 0x31534354
_PERIOD_US = 10_000
_SPARE_COUNTS = {"half_rail": 511, "ground": 0, "temperature": 307, "tile_type": 200, "free": 640}
_SENSOR_AT = np.array([c.multiplexer * ADDRESSES + c.address for c in channels() if c.sensor is not None])


def channel_counts(hall: Sequence[int]) -> list[int]:
    """Counts of all channels, multiplexer by multiplexer: the sensors' and what the spare ones carry."""
    out = [0] * CHANNELS
    for channel in channels():
        at = channel.multiplexer * ADDRESSES + channel.address
        kind = channel.name.partition("_")[2]
        out[at] = int(hall[channel.sensor]) if channel.sensor is not None else _SPARE_COUNTS[kind]
    return out


def still(hall: Sequence[int], load: int | None) -> bytes:
    """One frame that stays, and a load cell that shows `load` counts (None: signals without any)."""
    frame = struct.pack("<H256H", 0, *channel_counts(hall))
    loads = struct.pack("<qiI", 0, load, 0) if load is not None else b""
    return _header(1, len(loads) // 16) + _padded(frame) + loads


def moving(hall: NDArray[np.uint16]) -> bytes:
    """Counts of all sensors, a row a scan, without a load cell; the last row stays."""
    return _header(len(hall), 0) + _padded(_frames(hall).tobytes())


def recorded(recording: Recording) -> bytes:
    """Every frame of a recording in turn, one a scan; its lost frames are lost again.

    Raises ValueError where the board has another number of sensors.
    """
    if recording.sensors != len(_SENSOR_AT):
        raise ValueError(f"the board has {len(_SENSOR_AT)} sensors, the recording {recording.sensors}")
    count = len(recording.hall)
    frames = _frames(recording.hall)
    frames[:, 0] = recording.lost
    # conversions at their place among the frames, which the board scans at exactly its own pace
    at = np.interp(recording.load_t_us.astype(float), recording.t_us.astype(float), np.arange(count) * _PERIOD_US)
    inside = (recording.load_t_us >= recording.t_us[0]) & (recording.load_t_us <= recording.t_us[-1])
    loads = np.zeros(int(inside.sum()), dtype=[("t_us", "<i8"), ("value", "<i4"), ("unused", "<u4")])
    loads["t_us"], loads["value"] = at[inside].round(), recording.load[inside]
    return _header(count, len(loads)) + _padded(frames.tobytes()) + loads.tobytes()


def _frames(hall: NDArray[np.uint16]) -> NDArray[np.uint16]:
    frames = np.zeros((len(hall), 1 + CHANNELS), dtype="<u2")
    frames[:, 1:] = channel_counts([0] * hall.shape[1])
    frames[:, 1 + _SENSOR_AT] = hall
    return frames


def _header(frames: int, loads: int) -> bytes:
    return struct.pack("<4I", _MAGIC, frames, loads, 0)


def _padded(frames: bytes) -> bytes:
    return frames + bytes(-len(frames) % 8)


def spare_counts() -> Mapping[str, int]:
    """What the channels without a sensor carry, by their kind."""
    return dict(_SPARE_COUNTS)
