"""What is filled in between the parts of a thin link: straight lines, nothing fresh, weighings at their time."""

import struct
from dataclasses import replace

from companion.sensing.between import MOST, NOISE, Between
from companion.sensing.layout import TableLayout
from drivers.sample import LoadSample, Sample
from tests.drivers.rig import TABLE

LAYOUT = TableLayout.from_json(TABLE)
FRESH = bytes([1, 0] * 110)


def part(t_us: int, counts: int, *loads: int, lost: int = 0) -> Sample:
    hall = struct.pack("<220H", *[counts] * 220)
    return Sample(t_us, t_us // 40_000, hall, FRESH, tuple(LoadSample(t, 84_000) for t in loads), lost)


def test_whole_frames_are_passed_as_they_are() -> None:
    between = Between(LAYOUT)
    for k in range(3):
        sample = replace(part(k * 10_000, 500), fresh=None)
        assert list(between.filled(sample)) == [sample]
    assert between.noise == 1.0


def test_the_scans_that_were_not_sent_lie_on_a_straight_line() -> None:
    between = Between(LAYOUT)
    assert len(between.filled(part(0, 500))) == 1
    filled = between.filled(part(40_000, 540, 3_000, 12_000, 39_000))
    assert [each.t_us for each in filled] == [10_000, 20_000, 30_000, 40_000]
    assert [struct.unpack_from("<H", each.hall)[0] for each in filled] == [510, 520, 530, 540]
    assert [any(each.fresh or b"") for each in filled] == [False, False, False, True]
    assert [[load.t_us for load in each.load] for each in filled] == [[3_000], [12_000], [], [39_000]]
    assert between.noise == NOISE


def test_a_gap_is_never_filled() -> None:
    between = Between(LAYOUT)
    between.filled(part(0, 500))
    assert len(between.filled(part(40_000, 540, lost=1))) == 1
    assert len(between.filled(part(40_000 + (MOST + 1) * 10_000, 500))) == 1
