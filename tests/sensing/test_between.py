"""What is filled in between the parts of a thin link: straight lines, nothing fresh, weighings at their time."""

import struct
from dataclasses import replace

import numpy as np
import pytest

from companion.sensing.baseline.reading import Reader
from companion.sensing.between import DOUBT, LATELY, MEAN_DOUBT, MOST, NOISE, Between
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import TableLayout
from drivers.sample import LoadSample, Sample
from tests.drivers.rig import TABLE

LAYOUT = TableLayout.from_json(TABLE)
FRESH = bytes([1, 0] * 110)


def part(t_us: int, counts: int, *loads: int, lost: int = 0) -> Sample:
    hall = struct.pack("<220H", *[4 * counts] * 220)
    load = tuple(LoadSample(t, 84_000) for t in loads)
    return Sample(t_us, t_us // 40_000, hall, FRESH, load, lost, unit=4, scans=4)


def test_whole_frames_are_passed_as_they_are() -> None:
    between = Between(LAYOUT)
    for k in range(3):
        sample = replace(part(k * 10_000, 500), fresh=None, unit=1, scans=1)
        assert list(between.filled(sample)) == [(sample, None)]
    assert between.noise == 1.0
    assert between.apart_us == 0


def test_the_scans_that_were_not_sent_lie_on_a_straight_line() -> None:
    between = Between(LAYOUT)
    assert len(between.filled(part(0, 500))) == 1
    filled = [frame for frame, _ in between.filled(part(40_000, 541, 3_000, 12_000, 39_000))]
    assert [each.t_us for each in filled] == [10_000, 20_000, 30_000, 40_000]
    assert [struct.unpack_from("<H", each.hall)[0] / each.unit for each in filled] == [510.25, 520.5, 530.75, 541]
    assert [any(each.fresh or b"") for each in filled] == [False, False, False, True]
    assert [[load.t_us for load in each.load] for each in filled] == [[3_000], [12_000], [], [39_000]]
    assert between.noise == NOISE
    assert between.apart_us == 40_000


def test_what_changes_much_is_doubtful_in_between_and_less_so_where_it_was_measured() -> None:
    between = Between(LAYOUT)
    between.filled(part(0, 500))
    doubts = [doubt for _, doubt in between.filled(part(40_000, 540))]
    first, middle, last, measured = (abs(float(doubt[0])) for doubt in doubts if doubt is not None)
    assert first == last < middle == DOUBT * 40
    assert measured == MEAN_DOUBT * 40
    still = [doubt for _, doubt in between.filled(part(80_000, 540))]
    assert all(doubt is None or not doubt.any() for doubt in still)


def test_halves_of_a_count_are_doubtful_by_the_quarter_that_every_second_value_lacks() -> None:
    """They are rounded to even, each by itself (firmware/PROTOCOL.md)."""
    quarters = np.random.default_rng(3).integers(4000, 4400, 100_000)
    wrong = 2.0 * np.rint(quarters / 2.0) - quarters
    between = Between(LAYOUT)
    between.filled(part(0, 500))
    between.filled(part(40_000, 500))
    doubt = between.filled(replace(part(80_000, 500), step=2))[-1][1]
    assert doubt is not None
    assert abs(float(doubt[0]) / (float(np.std(wrong)) / 4.0) - 1.0) < 0.02


def test_a_coarse_part_is_doubtful_by_two_roundings_and_what_lies_between_by_its_share() -> None:
    """What rounding leaves over of a part is added to the next one; a quarter of a count is in the noise already."""
    rng, between = np.random.default_rng(2), Between(LAYOUT)
    left = wrong = np.zeros(100_000)
    for _ in range(3):
        values = rng.uniform(1000.0, 1100.0, 100_000)
        told = 8.0 * np.rint((values + left) / 8.0)
        wrong, left = told - values, values + left - told
    between.filled(part(0, 500))
    between.filled(part(40_000, 500))
    doubts = [doubt for _, doubt in between.filled(replace(part(80_000, 500), step=8))]
    first, middle, last, measured = (float(doubt[0]) for doubt in doubts if doubt is not None)
    assert abs(measured / (float(np.std(wrong)) / 4.0) - 1.0) < 0.02
    assert [first, middle, last] == [measured / 4.0, measured / 2.0, 3.0 * measured / 4.0]
    again = [doubt for _, doubt in between.filled(part(120_000, 500))]
    assert [float(doubt[0]) for doubt in again if doubt is not None] == [last, middle, first, 0.0]
    for k in range(4, 5 + LATELY):  # the noise was learned of finer ones, however long ago
        doubts = [doubt for _, doubt in between.filled(replace(part(40_000 * k, 500), step=8))]
        assert doubts[-1] is not None
        assert float(doubts[-1][0]) == measured
    between.learned()  # of so coarse ones: then it is in the noise
    doubts = [doubt for _, doubt in between.filled(replace(part(40_000 * (5 + LATELY), 500), step=8))]
    assert not any(doubt.any() for doubt in doubts if doubt is not None)


@pytest.mark.parametrize(("t_us", "lost"), [(80_000, 1), (50_000, 0), ((MOST + 5) * 10_000, 0)])
def test_a_coarse_part_is_doubtful_also_where_nothing_is_filled_in_before_it(t_us: int, lost: int) -> None:
    between = Between(LAYOUT)
    between.filled(part(0, 500))
    between.filled(part(40_000, 500))
    ((_, doubt),) = between.filled(replace(part(t_us, 500, lost=lost), step=8))
    assert doubt is not None
    assert doubt == pytest.approx(np.full(220, np.sqrt((8**2 - 1) / 6.0) / 4.0))
    ((_, doubt),) = between.filled(part(t_us + 40_000, 500, lost=1))
    assert doubt is None


def test_the_first_part_of_a_session_is_doubtful_where_it_is_coarse() -> None:
    """Its noise may be that of another session, and finer."""
    ((_, doubt),) = Between(LAYOUT).filled(replace(part(0, 500), step=8))
    assert doubt is not None
    assert doubt.all()


@pytest.mark.parametrize("step", [1, 8])
def test_how_coarse_parts_are_in_the_noise_is_that_of_the_time_when_it_was_learned(step: int) -> None:
    """Single finer parts among them make it no finer; later coarser ones are doubtful."""
    sensing = Sensing(LAYOUT)
    rng, coarse = np.random.default_rng(3), []
    for k in range(300):
        now = step if k < 150 else 8
        counts = now * np.rint(4.0 * (512 + rng.normal(0.0, 0.5, 220)) / now)
        fine = k % 10 == 9
        sample = replace(part(40_000 * k, 0), hall=counts.astype("<u2").tobytes(), step=1 if fine else now)
        sensing.feed(sample)
        reading = sensing.reading
        if k >= 290 and not fine:
            assert reading is not None
            assert reading.doubt is not None
            coarse.append(float(np.median(reading.doubt * LAYOUT.gain**2)))
    assert (min(coarse) > 0.5) is (step == 1)


def test_a_gap_is_never_filled() -> None:
    between = Between(LAYOUT)
    between.filled(part(0, 500))
    assert len(between.filled(part(40_000, 540, lost=1))) == 1
    assert len(between.filled(part(40_000 + (MOST + 1) * 10_000, 500))) == 1


def test_the_noise_of_a_scan_is_learned_from_what_is_filled_in() -> None:
    """White noise of a scan, means of four, straight lines between them: as learned of whole frames, within a tenth."""
    rng, quiet, between = np.random.default_rng(1), Reader(LAYOUT), Between(LAYOUT)
    for k in range(70):
        mean = np.rint(512 + rng.normal(0.0, 0.6, (4, 220))).sum(axis=0).astype("<u2")
        for frame, doubt in between.filled(replace(part(k * 40_000, 0), hall=mean.tobytes(), fresh=bytes([1] * 220))):
            quiet.read(frame, doubt)
    assert quiet.zero is not None
    assert abs(float(np.median(quiet.zero.noise)) / np.hypot(0.6, 12**-0.5) - 1.0) < 0.1
