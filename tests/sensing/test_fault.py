import numpy as np
import pytest

from companion.sensing.baseline.reading import Reader
from companion.sensing.fields.dipole import FieldModel
from companion.sensing.fields.magnets import magnet
from companion.sensing.sensors.multiplexers import SAME_IN_A_FRAME, MultiplexerWatch, between
from drivers.sample import Sample


def ready(layout, frame, rng, noise=0.4):
    reader = Reader(layout)
    for n in range(201):
        reader.read(frame(n, rng=rng, noise=noise))
    assert reader.ready
    return reader


@pytest.mark.parametrize("value", [0, 1023, 40, 1000])
def test_a_saturated_sensor_is_dropped_at_once_and_dead_when_it_stays(layout, frame, value):
    rng = np.random.default_rng(1)
    reader = ready(layout, frame, rng)
    for n in range(201, 203):
        reading = reader.read(frame(n, rng=rng, change={17: value}))
        assert not reading.valid[17]
        assert reading.field[17] == 0.0
        assert reader.faults == ()
    for n in range(203, 240):
        reader.read(frame(n, rng=rng, change={17: value}))
    assert reader.faults == ("sensor_dead:A17",)
    for n in range(240, 500):
        reading = reader.read(frame(n, rng=rng))
    assert reader.faults == ()
    assert reading.valid.all()


def test_dead_from_the_start(layout, frame):
    rng = np.random.default_rng(2)
    reader = Reader(layout)
    for n in range(250):
        reading = reader.read(frame(n, rng=rng, change={3: 0, 60: 1023}))
    assert reader.faults == ("sensor_dead:A3", "sensor_dead:B5")
    assert list(np.flatnonzero(~reading.valid)) == [3, 60]


@pytest.mark.parametrize("first", [0, 300])
def test_a_stuck_sensor_is_found_by_its_missing_noise(layout, frame, first):
    rng = np.random.default_rng(3)
    reader = Reader(layout)
    for n in range(first + 600):
        reading = reader.read(frame(n, rng=rng, change={100: 515} if n >= first else None))
    assert reader.faults == ("sensor_stuck:B45",)
    assert not reading.valid[100]


@pytest.mark.failure("E2")
@pytest.mark.parametrize("noise", [0.2, 0.27, 0.4])
def test_a_stuck_sensor_that_is_well_again_is_used_again(layout, frame, noise):
    """A quiet one gives the same count twice all the time."""
    rng = np.random.default_rng(9)
    reader = ready(layout, frame, rng, noise)
    for n in range(201, 7000):
        reader.read(frame(n, rng=rng, noise=noise, change={100: 515}))
        if reader.faults:
            break
    assert reader.faults == ("sensor_stuck:B45",)
    for later in range(n + 1, n + 801):
        reading = reader.read(frame(later, rng=rng, noise=noise))
    assert reader.faults == ()
    assert reading.valid.all()
    for later in range(n + 801, n + 1801):
        reader.read(frame(later, rng=rng, noise=noise))
        assert reader.faults == ()


@pytest.mark.failure("E2")
def test_a_stuck_sensor_that_jumps_now_and_then_stays_stuck(layout, frame):
    """Each second another count, as of a loose contact: its noise would give one in every tenth frame."""
    rng = np.random.default_rng(10)
    reader = ready(layout, frame, rng)
    for n in range(201, 800):
        reader.read(frame(n, rng=rng, change={100: 515}))
    for n in range(800, 3000):
        reader.read(frame(n, rng=rng, change={100: 515 + n // 100 % 2}))
        assert reader.faults == ("sensor_stuck:B45",)


def test_quiet_sensors_are_not_taken_for_stuck(layout, frame):
    reader = Reader(layout)
    for n in range(1500):
        reader.read(frame(n))
    assert reader.faults == ()


@pytest.mark.failure("E2")
@pytest.mark.parametrize("noise", [0.2, 0.27])
def test_no_sound_sensor_is_stuck_because_a_stone_brings_it_to_the_middle_of_a_count(layout, frame, noise):
    """Its own variance, as it was between two counts, would make it noisier than it is: at 0.2 counts one in the middle
    gives another count in one frame of eighty only."""
    rng = np.random.default_rng(8)
    reader = ready(layout, frame, rng, noise)
    counts = np.frombuffer(frame(0).hall, dtype="<u2").astype(float)
    exact = np.random.default_rng(7).normal(512.0, 4.0, layout.count)  # as of every frame
    middle = (counts - exact) / layout.gain
    for n in range(201, 1700):
        reader.read(frame(n, rng=rng, noise=noise, field=middle))
        assert reader.faults == ()


def test_a_noisy_sensor_is_named_and_a_passing_stone_names_none(layout, frame):
    rng = np.random.default_rng(4)
    reader = ready(layout, frame, rng)
    model = FieldModel.of(layout)
    for n in range(201, 601):
        x = 60.0 * np.sin(2 * np.pi * n / 100)  # up to 3.8 m/s
        field = model.fields(magnet((x, 10, 4.0), (0, 0, 1), 0.4))[0]
        reader.read(frame(n, rng=rng, field=field))
    assert reader.faults == ()
    for n in range(601, 801):
        reader.read(frame(n, rng=rng, change={30: 512 + rng.normal(0, 30)}))
    assert reader.faults == ("sensor_noisy:A30",)


def test_entries_not_measured_yet_are_not_valid(layout, frame):
    rng = np.random.default_rng(5)
    reader = Reader(layout)
    some = bytes([1] * 200 + [0] * 20)
    for n in range(210):
        raw = frame(n, rng=rng)
        reading = reader.read(Sample(raw.t_us, n, raw.hall, some))
    assert list(np.flatnonzero(~reading.valid)) == list(range(200, 220))


def test_a_multiplexer_that_shows_one_sensor_on_all_addresses_is_named_until_it_is_well(layout):
    watch = MultiplexerWatch(layout)
    rng = np.random.default_rng(6)
    zero = rng.uniform(490.0, 530.0, layout.count)
    joined = zero.copy()
    joined[14:28] = zero[14]
    none = np.zeros(layout.count, dtype=np.bool_)
    assert between(joined, np.array([0, 14, 28]))[1] <= SAME_IN_A_FRAME
    assert not watch.update(joined).any()  # zeros are not known: they may be alike
    watch.zeros_known(zero)
    for n in range(30):
        assert list(np.flatnonzero(watch.update(joined))) == list(range(14, 28))
        assert watch.faults(none) == (("multiplexer_missing:A-1",) if n >= 24 else ())
    assert watch.faults(watch.joined) == ()
    for _ in range(201):
        assert watch.joined.any()
        watch.update(zero)
    assert not watch.joined.any()


@pytest.mark.parametrize("end", [0.0, 1023.0])
def test_a_multiplexer_without_power_is_named_as_one_where_all_zeros_are_alike_too(layout, end):
    """No stone brings fourteen sensors to the end of their range."""
    watch, none = MultiplexerWatch(layout), np.zeros(layout.count, dtype=np.bool_)
    counts = np.full(layout.count, 512.0)
    watch.zeros_known(counts)
    for _ in range(30):
        assert not watch.update(counts).any()
    counts[14:28] = end
    counts[40:42] = end  # two under a strong stone
    for _ in range(25):
        assert list(np.flatnonzero(watch.update(counts))) == list(range(14, 28))
    assert watch.faults(none) == ("multiplexer_missing:A-1",)
