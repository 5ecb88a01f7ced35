"""The figures of a thin link beside the plain replay count what they say."""

from pathlib import Path

from companion.games.game import Ruling
from drivers.recording import read_recording
from firmware import build
from tests.drivers.reordered import reordered
from tests.drivers.thin import thin_stream
from tests.drivers.thin_play import Figures, since
from tests.firmware.core import Core


def ruling(t_s: float, kind: str, **data: object) -> Ruling:
    return Ruling(round(t_s * 1e6), kind, "Y1", 0, data)


def end(t_s: float, *piles: int, outcome: str = "ten_seconds") -> Ruling:
    return ruling(t_s, "turn_end", piles=list(piles), outcome=outcome)


def test_rulings_are_told_apart_by_what_they_say_and_when() -> None:
    plain = [end(10, 9, 10), ruling(15, "collapse"), end(20, 9, 9), ruling(25, "collapse"), end(30, 8, 9)]
    thin = [
        *(end(10.1, 9, 10), ruling(15.3, "collapse"), end(20.3, 9, 8)),
        *(ruling(22, "collapse"), ruling(22, "fell_off"), end(31, 8, 9, outcome="collapse"), ruling(31, "question")),
    ]
    figures = Figures()
    figures.add(plain, thin, [20.2, 31])
    assert (figures.ends, figures.same) == (3, 1)
    assert [round(each, 3) for each in figures.apart_s] == [0.1, 0.1, 0]
    assert str(figures) == "| 1 | 3 | 1 | 3 (0.1 s) | 1 of 2 (1) | 0 of 0 (1) | 1 (0) |"


def test_where_an_end_is_missing_none_is_compared_in_time() -> None:
    figures = Figures()
    figures.add([end(10, 9, 10), end(20, 9, 9)], [end(10, 9, 10)], [])
    figures.add([end(10, 9, 10)], [end(10.5, 9, 10)], [])
    assert str(figures) == "| 2 | 3 | 2 | 0 (0.5 s) | 0 of 0 (0) | 0 of 0 (0) | 0 (0) |"


def test_what_began_later_is_dated_from_the_same_zero() -> None:
    later = since([end(9.95, 9, 10), ruling(19.95, "collapse")], 50_000)
    assert [each.t_us for each in later] == [10_000_000, 20_000_000]
    assert [each.kind for each in later] == ["turn_end", "collapse"]


def test_reordered_scans_make_the_same_parts(tmp_path: Path) -> None:
    core = Core(build.host(tmp_path))
    recording = read_recording(Path(__file__).parents[1] / "data" / "recordings" / "nominal-off_edge-a")
    other = reordered(recording, 1)
    assert list(thin_stream(other, core)) == list(thin_stream(recording, core))
    assert (other.hall != recording.hall).mean() > 0.1
    assert abs(other.hall.std(axis=0) - recording.hall.std(axis=0)).max() < 0.01
