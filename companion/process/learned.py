"""The layout of a recording's table, and what calibration recordings teach of it: the gains of its sensors."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.sensing.calibration import Calibration, CalibrationRefusedError, KnownPoint, learn_gains
from companion.sensing.layout import TableLayout
from drivers.links.link import LinkClosed
from drivers.links.replay import ReplayLink
from drivers.recording import Recording, RecordingError
from drivers.sample import Sample
from drivers.wire import Session

POINTS_FILE = "calibration.json"
_LONGEST_S = 1e5
_FARTHEST_MM = 2000.0


class CalibrationError(Exception):
    """A calibration recording cannot be used; one sentence with what to do."""


def recorded_layout(recording: Recording) -> TableLayout:
    """The layout of a recording's table.json. Raises RecordingError where it is not sound."""
    try:
        return TableLayout.from_json(recording.table)
    except ValueError as error:
        cause = str(error).removeprefix("table.json: ")
        raise RecordingError(
            f"{recording.folder / 'table.json'} cannot be used ({cause}): copy the recording again."
        ) from error


def learned_layout(recording: Recording, calibration: Sequence[Recording]) -> TableLayout:
    """A recording's layout with the gains that the one among these with a calibration.json gives.

    The others are for what is not learned yet; without a calibration.json the gains stay nominal. The tiles may
    have lain elsewhere. Raises CalibrationError where one is of another table, more than one has points, or the
    gains cannot be trusted; RecordingError where a table.json is not sound.
    """
    layout = recorded_layout(recording)
    for learned in calibration:
        if learned.table_id != recording.table_id:
            raise CalibrationError(
                f"{learned.folder} was recorded at table {learned.table_id}, {recording.folder} at table "
                f"{recording.table_id}: give calibration recordings of the same table."
            )
    known = [learned for learned in calibration if (learned.folder / POINTS_FILE).exists()]
    if len(known) > 1:
        raise CalibrationError(
            f"{known[0].folder} and {known[1].folder} both have a {POINTS_FILE}: give the newer one alone."
        )
    if not known:
        return layout
    if recorded_layout(known[0]).names != layout.names:
        raise CalibrationError(
            f"{known[0].folder} was recorded with other sensors than {recording.folder}: give a calibration "
            "recording of the same tiles."
        )
    return layout.calibrated(learned_gains(known[0]).gain)


def learned_gains(recording: Recording) -> Calibration:
    """The gains that one calibration recording gives. Raises CalibrationError or RecordingError."""
    points = _points(recording.folder / POINTS_FILE)
    try:
        return learn_gains(recorded_layout(recording), _samples(recording), points)
    except CalibrationRefusedError as error:
        raise CalibrationError(
            f"{recording.folder} does not calibrate this table, {error}: record it again or leave it out."
        ) from error


def _points(path: Path) -> list[KnownPoint]:
    try:
        return [_point(item) for item in json.loads(path.read_bytes())["points"]]
    except (OSError, KeyError, TypeError, ValueError, RecursionError) as error:
        cause = f"no {error}" if isinstance(error, KeyError) else str(error).split("\n")[0][:80]
        raise CalibrationError(
            f"{path} does not say where the stone lay ({cause}): copy the recording again."
        ) from error


def _point(item: Any) -> KnownPoint:
    start, end = (_number(item, key, _LONGEST_S) for key in ("t0", "t1"))
    x, y, z = (_number(item, key, _FARTHEST_MM) for key in ("x", "y", "z_centre_above_mat"))
    pole = item["pole_up"]
    if pole not in (1, -1) or not 0 <= start < end or z <= 0:
        raise ValueError("a point needs pole_up 1 or -1, t0 before t1, and a height above 0")
    return KnownPoint(round(start * 1e6), round(end * 1e6), x, y, z, int(pole))


def _number(item: Any, key: str, most: float) -> float:
    value = float(item[key])
    if not abs(value) <= most:
        raise ValueError(f"{key} is {value:g}")
    return value


def _samples(recording: Recording) -> Iterator[Sample]:
    """As a board would send them."""
    link, session = ReplayLink(recording), Session(recording.sensors)
    while True:
        try:
            data, now_us = link.read(0.0)
        except LinkClosed:
            return
        for item in session.feed(data, now_us):
            if isinstance(item, Sample):
                yield item
