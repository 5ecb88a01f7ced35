"""The layout of a recording's table, and what recordings of the same table teach of it.

calibration.json: one stone on known points (gains), known weights (grams per count). guided.json with "what": "learn":
each stone shown once (the set of stones); with "what": "seams": a stone slid over the seams (how the tiles lay then,
which is learned only where it can be used: for the table that is played at).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from companion.process.common.guided import CalibrationError, point, showing, slide, told_list, told_object, weight
from companion.sensing.fields.stones import StoneSet
from companion.sensing.learning.calibration import Calibration, learn_gains
from companion.sensing.learning.learned import Learned
from companion.sensing.learning.seams import Laid, learn_tiles
from companion.sensing.learning.showing import learn_stones
from companion.sensing.learning.still import CalibrationRefusedError
from companion.sensing.learning.weighing import LoadGain, learn_load
from companion.sensing.sensors.layout import TableLayout
from drivers.links.replay import ReplayLink
from drivers.recording import Recording, RecordingError
from drivers.sample import Sample
from drivers.samples import samples_of

T = TypeVar("T")

POINTS_FILE = "calibration.json"
GUIDED_FILE = "guided.json"


def recorded_layout(recording: Recording) -> TableLayout:
    """The layout of a recording's table.json. Raises RecordingError where it is not sound."""
    try:
        return TableLayout.from_json(recording.table)
    except ValueError as error:
        cause = str(error).removeprefix("table.json: ")
        raise RecordingError(
            f"{recording.folder / 'table.json'} cannot be used ({cause}): copy the recording again."
        ) from error


def learned(recordings: Sequence[Recording], as_laid: bool = False) -> Learned | None:
    """What recordings of one table teach; None without recordings. The tiles may have lain elsewhere in each; as_laid:
    they still lie as in the seams recording.

    Raises CalibrationError where they are of several tables or sensors, two teach the same, or one cannot be trusted;
    RecordingError where a table.json is not sound.
    """
    if not recordings:
        return None
    first = recordings[0]
    layout = recorded_layout(first)
    for other in recordings[1:]:
        same_table(other, first.table_id, first.folder)
        same_sensors(other, layout.names, first.folder)
    found = Learned(first.table_id, layout.names)
    points = _only(recordings, POINTS_FILE, lambda r: (r.folder / POINTS_FILE).exists())
    if points is not None:
        found = replace(found, gains=learned_gains(points), load=learned_load(points))
    shown = _only(recordings, "learn " + GUIDED_FILE, lambda r: guided(r) == "learn")
    if shown is not None:
        found = replace(found, stones=learned_stones(shown, found))
    slid = _only(recordings, "seams " + GUIDED_FILE, lambda r: guided(r) == "seams")
    if slid is not None and as_laid:
        found = replace(
            found,
            laid=learned_laid(slid, found),
            middles=recorded_layout(slid).triangles.mean(axis=1),
        )
    return found


def learned_layout(recording: Recording, found: Learned | None) -> TableLayout:
    """A recording's layout with what was learned of its table.

    Raises CalibrationError where that is another table, RecordingError where table.json is not sound.
    """
    layout = recorded_layout(recording)
    if found is None:
        return layout
    if recording.table_id != found.table_id:
        raise CalibrationError(
            f"What was learned was recorded at table {found.table_id}, {recording.folder} at table "
            f"{recording.table_id}: give calibration recordings of the same table."
        )
    same_sensors(recording, found.sensors, "what was learned")
    return found.applied(layout)


def same_table(recording: Recording, table_id: str, whose: Path | str) -> None:
    """Raises CalibrationError where the recording is of another table."""
    if recording.table_id != table_id:
        raise CalibrationError(
            f"{recording.folder} was recorded at table {recording.table_id}, {whose} at table {table_id}: give "
            "calibration recordings of the same table."
        )


def same_sensors(recording: Recording, sensors: tuple[str, ...], whose: Path | str) -> None:
    """Raises CalibrationError where the recording's sensors are others."""
    if recorded_layout(recording).names != sensors:
        raise CalibrationError(
            f"{recording.folder} was recorded with other sensors than {whose}: give calibration recordings of the "
            "same tiles."
        )


def learned_gains(recording: Recording) -> Calibration:
    """The gains that one calibration recording gives. Raises CalibrationError or RecordingError."""
    points = told_list(recording.folder / POINTS_FILE, "points", point, "where the stone lay")
    layout = recorded_layout(recording)
    return _trusted(recording, lambda: learn_gains(layout, samples(recording), points))


def learned_load(recording: Recording) -> LoadGain | None:
    """Grams per count from the weights of a calibration recording, None where it has none. Raises as learned_gains."""
    path = recording.folder / POINTS_FILE
    layout = recorded_layout(recording)
    if not layout.load_gain or not told_object(path, "where the stone lay").get("weights"):
        return None
    weights = told_list(path, "weights", weight, "what was weighed")
    return _trusted(recording, lambda: learn_load(layout, samples(recording), weights))


def learned_stones(recording: Recording, found: Learned) -> StoneSet:
    """The set of stones that a learn recording shows, with the gains found before. Raises as learned_gains."""
    path = recording.folder / GUIDED_FILE
    told = told_object(path, "which stone lay where")
    steps = told_list(path, "steps", showing, "which stone lay where")
    name = str(told.get("set", f"stones of {recording.table_id}"))[:60]
    layout = found.applied(recorded_layout(recording))
    return _trusted(recording, lambda: learn_stones(layout, samples(recording), steps, name, layout.gain_spread))


def learned_laid(recording: Recording, found: Learned) -> Laid:
    """How the tiles lay in a seams recording, with what was found before. Raises as learned_gains."""
    path = recording.folder / GUIDED_FILE
    slides = told_list(path, "steps", slide, "where the stone was slid")
    numbers = {item.get("stone") for item in told_object(path, "where the stone was slid")["steps"]}
    known = [] if found.stones is None else [s for s in found.stones.stones if s.number in numbers]
    stone = known[0] if len(numbers) == 1 and known else None
    layout = found.applied(recorded_layout(recording))
    return _trusted(recording, lambda: learn_tiles(layout, samples(recording), slides, stone))


def guided(recording: Recording) -> str:
    """What a person was guided to do in a recording: "learn", "seams" or nothing. Raises CalibrationError."""
    path = recording.folder / GUIDED_FILE
    if not path.exists():
        return ""
    what = told_object(path, "what was done").get("what")
    if what not in ("learn", "seams"):
        raise CalibrationError(f"{path} says {what!r} was done, neither learn nor seams: copy the recording again.")
    return str(what)


def samples(recording: Recording) -> Iterator[Sample]:
    """As a board would send them."""
    return samples_of(ReplayLink(recording), recording.sensors)


def _only(recordings: Sequence[Recording], what: str, has: Callable[[Recording], bool]) -> Recording | None:
    having = [r for r in recordings if has(r)]
    if len(having) > 1:
        raise CalibrationError(
            f"{having[0].folder} and {having[1].folder} both have a {what}: give the newer one alone."
        )
    return having[0] if having else None


def _trusted(recording: Recording, learn: Callable[[], T]) -> T:
    try:
        return learn()
    except CalibrationRefusedError as error:
        raise CalibrationError(
            f"{recording.folder} does not calibrate this table, {error}: record it again or leave it out."
        ) from error
