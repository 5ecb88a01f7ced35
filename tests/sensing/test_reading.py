import numpy as np
import pytest

from companion.sensing.baseline.reading import Reader
from companion.sensing.baseline.zero import Zero
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.moments import noise_of
from drivers.sample import LoadSample, Sample


def feed(reader, frame, count, first=0, **kwargs):
    last = None
    for n in range(first, first + count):
        last = reader.read(frame(n, **kwargs))
    return last


def test_zeros_and_noise_come_from_the_empty_start(layout, frame):
    rng = np.random.default_rng(1)
    reader = Reader(layout)
    assert feed(reader, frame, 150, rng=rng) is None
    reading = feed(reader, frame, 100, 150, rng=rng)
    assert reader.ready
    assert reader.faults == ()
    assert reading.valid.all()
    # 0.4 counts of noise and rounding: 0.5 counts, 0.097 mT.
    assert np.median(reader.sigma) == pytest.approx(0.097, rel=0.1)
    assert np.abs(reading.field).max() < 5 * 0.1
    assert reading.t_us == 2_490_000


def test_field_in_mt_and_lost_frames_and_load(layout, frame):
    rng = np.random.default_rng(2)
    reader = Reader(layout)
    feed(reader, frame, 201, rng=rng)
    true = FieldModel.of(layout).fields(magnet((10, 20, 3.5), (0, 0, 1), 0.3))[0]
    plain = frame(201, field=true, rng=rng, load=(LoadSample(2_009_000, 84420),))
    reading = reader.read(Sample(plain.t_us, 205, plain.hall, None, plain.load, lost=4))
    assert np.abs(reading.field - true).max() < 0.6
    assert reading.lost == 4
    assert [(w.t_us, w.grams) for w in reading.load] == [(2_009_000, 1.0)]


def test_noise_includes_rounding_where_nothing_flickers(layout, frame):
    reader = Reader(layout)
    feed(reader, frame, 201)
    assert reader.ready
    count = 1 / 5.12
    assert (reader.sigma > 0.28 * count).all()
    assert (reader.sigma < 0.5 * count).all()
    noise, error = noise_of(np.array([0.0, 1.0]), np.array([200.0, 200.0]))
    assert noise == pytest.approx([12**-0.5, 1.0])
    assert error[0] > 0.2 > error[1]


@pytest.mark.failure("E5")
@pytest.mark.parametrize("axis", [(0, 0, 1), (0, 0, -1), (1, 0, 0), (0.7, 0.7, 0)])
@pytest.mark.parametrize("moment", [0.19, 0.4])
def test_a_stone_on_the_board_at_the_start_is_noticed(layout, frame, axis, moment):
    rng = np.random.default_rng(3)
    at = (31.0, 12.0, 3.4 if axis[2] else 6.0)
    stone = FieldModel.of(layout).fields(magnet(at, axis, moment))[0]
    reader = Reader(layout)
    feed(reader, frame, 250, rng=rng, field=stone)
    assert not reader.ready
    (fault,) = reader.faults
    kind, name = fault.split(":")
    assert kind == "zero_refused"
    assert np.hypot(*(layout.position[layout.names.index(name), :2] - at[:2])) < 25
    # When it has been taken away the zeros are learned after all.
    feed(reader, frame, 400, 250, rng=rng)
    assert reader.ready
    assert reader.faults == ()


@pytest.mark.failure("E5")
def test_the_last_good_zero_serves_where_a_new_one_is_refused(layout, frame):
    rng = np.random.default_rng(4)
    first = Reader(layout)
    feed(first, frame, 201, rng=rng)
    stone = FieldModel.of(layout).fields(magnet((31, 12, 3.4), (0, 0, 1), 0.2))[0]
    second = Reader(layout, Zero.from_json(first.zero.to_json()))
    reading = feed(second, frame, 210, rng=rng, field=stone)
    assert second.ready
    assert any(f.startswith("zero_refused") for f in second.faults)
    assert np.abs(reading.field - stone).max() < 0.7


@pytest.mark.failure("E5")
def test_a_start_with_movement_is_not_taken(layout, frame):
    rng = np.random.default_rng(5)
    reader = Reader(layout)
    for n in range(201):
        height = 10.0 + 200.0 * abs(n / 100 - 1)  # dips to 10 mm and is gone again
        passing = FieldModel.of(layout).fields(magnet((0, 20, height), (0, 0, 1), 0.3))[0]
        reader.read(frame(n, rng=rng, field=passing))
    assert not reader.ready
    assert reader.faults[0].split(":")[0] in ("zero_unsettled", "zero_refused")


def test_samples_of_another_table_and_broken_zeros_are_refused(layout, frame):
    with pytest.raises(ValueError, match="219 sensors"):
        Reader(layout).read(Sample(0, 0, bytes(2 * 219)))
    with pytest.raises(ValueError, match="not known"):
        _ = Reader(layout).sigma
    for obj in (
        {},
        {"counts": [1], "noise": [1, 2], "error": [1]},
        {"counts": ["x"], "noise": [1], "error": [1]},
    ):
        with pytest.raises(ValueError, match="malformed zero"):
            Zero.from_json(obj)
    with pytest.raises(ValueError, match="1 sensors"):
        Reader(layout, Zero(np.ones(1), np.ones(1), np.ones(1)))
