"""The stream budget: never more bytes than the link carries, means as they were, no lie after a loss."""

import random
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.wire.framing import seal
from drivers.wire.messages import PART_BLOCK, PART_UNIT, Part, decode
from drivers.wire.partial import Newest
from tests.firmware.core import Core, Parts

SENSORS, PERIOD_US = 220, 10_000
OLDEST_US = 2_000_000
HELLO_AND_HEALTH = (40, 70)  # wire bytes, once a second
LONGEST = 11 + 16 * 8 + 275  # bytes of payload that the board keeps room for
HELD = 100  # bytes that are kept for them
BLOCKS = SENSORS // PART_BLOCK

Sent = tuple[int, int, Part | None]


def packed(values: list[int]) -> bytes:
    return struct.pack(f"<{SENSORS}H", *values)


def run(parts: Parts, scans: list[list[int]], loads: bool = True) -> list[Sent]:
    """(time, wire bytes, part) of all that was sent: a second's hello and health, 80 conversions a second, parts."""
    sent: list[Sent] = []
    owed: list[int] = []
    weighed = 0
    for k, hall in enumerate(scans):
        t = k * PERIOD_US
        while loads and weighed * 12_500 < t:
            parts.weigh(weighed * 12_500, 84_000 + weighed)
            weighed += 1
        if k % 100 == 50:
            owed += HELLO_AND_HEALTH
        payload = parts.scan(t, packed(hall))
        if payload is not None:
            part = decode(payload)
            assert isinstance(part, Part)
            sent.append((t, len(seal(payload)), part))
        if owed and parts.spend(owed[0]):
            sent.append((t, owed.pop(0), None))
    return sent


def noisy(seed: int, count: int, moving: int = 0) -> list[list[int]]:
    """Scans of a table at rest, `moving` sensors of which change all the time."""
    rng = random.Random(seed)
    base = [512 + rng.randrange(-20, 20) for _ in range(SENSORS)]
    chosen = rng.sample(range(SENSORS), moving)
    scans = []
    for k in range(count):
        scan = [value + round(rng.gauss(0, 0.5)) for value in base]
        for n, sensor in enumerate(chosen):
            scan[sensor] = 512 + round(300 * ((k / 37 + n / 11) % 1))
        scans.append(scan)
    return scans


def means(scans: list[list[int]], sent: list[Sent], lost: frozenset[int] = frozenset()) -> list[float]:
    """The largest error, in counts, of what is known by each part beside the mean of the scans that it is of; only of
    parts after which all sensors are known."""
    worst, newest = [], Newest()
    for number, (t, _, part) in enumerate(each for each in sent if each[2] is not None):
        assert part is not None
        if number in lost:
            newest.forget()
            continue
        fresh = newest.part(part)
        if newest.complete:
            heard = struct.unpack(f"<{SENSORS}H", newest.hall)
            last = t // PERIOD_US + 1
            past = scans[last - part.scans : last]
            means = [sum(scan[k] for scan in past) / len(past) for k in range(SENSORS)]
            worst.append(max((abs(heard[k] / PART_UNIT - means[k]) for k in range(SENSORS) if fresh[k]), default=0.0))
    return worst


@pytest.mark.failure("D11")
@pytest.mark.parametrize("moving", [0, 30, 220])
@pytest.mark.parametrize(("every", "budget"), [(4, 3000), (2, 4000), (10, 2000), (16, 1500)])
def test_no_second_carries_more_than_budget_and_one_part_and_nothing_is_older_than_the_bound(
    core: Core, every: int, budget: int, moving: int
) -> None:
    parts = Parts(core, every, budget)
    assert parts.accepted
    sent = run(parts, noisy(1, 800, moving))
    assert sum(size for _, size, _ in sent) <= budget * 8
    most = budget * (every + 2) // 100 + HELD
    based = [0] * BLOCKS
    for start, _, part in sent:
        assert sum(size for t, size, _ in sent if start <= t < start + 1_000_000) <= budget + most
        if part is not None:
            for k in range(part.bases):
                based[(part.turn + k) % BLOCKS] = start
        assert start - min(based) <= OLDEST_US


@given(st.integers(0, 20), st.integers(0, 65535))
@settings(max_examples=40)
def test_a_pace_is_refused_or_holds_the_bound(core: Core, every: int, budget: int) -> None:
    parts = Parts(core, every, budget)
    if not parts.accepted:
        assert not 1 <= every <= 16 or budget < 9000
        return
    scans, based = noisy(3, 250, 220), [0] * BLOCKS
    sent = run(parts, scans)
    for t, _, part in sent:
        for k in range(0 if part is None else part.bases):
            assert part is not None
            based[(part.turn + k) % BLOCKS] = t
    assert min(based) >= 2_500_000 - OLDEST_US - 160_000


@pytest.mark.parametrize(("every", "budget"), [(4, 3000), (3, 4000), (2, 6000), (1, 14000)])
def test_at_rest_every_part_gives_the_mean_of_its_scans_to_quarters_of_a_count(
    core: Core, every: int, budget: int
) -> None:
    scans = noisy(4, 600)
    sent = run(Parts(core, every, budget), scans)
    assert {part.scans for _, _, part in sent[1:] if part is not None} == {every}
    found = means(scans, sent)
    assert len(found) > 500 // every
    assert max(found[20:]) <= 1.0
    assert sorted(found)[len(found) // 2] <= 0.5


def test_at_rest_quarters_of_a_count_are_told(core: Core) -> None:
    quarters = [[512 + (k + n % 4 < 4) for k in (0, 1, 2, 3)] * 55 for n in range(400)]
    assert max(means(quarters, run(Parts(core), quarters))) == 0.0


def test_a_noisy_table_is_told_nearly_as_well_as_it_is_measured(core: Core) -> None:
    """With 0.63 counts of noise not all parts go in quarters of a count. What rounding does to them must be little
    beside the noise of a mean, 0.32 counts, and make it no larger."""
    rng = random.Random(4)
    scans = [[512 + round(rng.gauss(0, 0.56)) for _ in range(SENSORS)] for _ in range(1600)]
    newest, wrong, told = Newest(), [], []
    for t, _, part in run(Parts(core), scans):
        if part is None:
            continue
        newest.part(part)
        if newest.complete:
            n = t // PERIOD_US + 1
            heard = struct.unpack(f"<{SENSORS}H", newest.hall)
            mean = [sum(each) / 4 for each in zip(*scans[n - 4 : n], strict=True)]
            wrong += [h / PART_UNIT - m for h, m in zip(heard, mean, strict=True)]
            told += [h / PART_UNIT - 512 for h in heard]
    rms = [(sum(each * each for each in of) / len(of)) ** 0.5 for of in (wrong, told)]
    assert rms[0] < 0.13
    assert rms[1] < 0.33
    assert abs(sum(wrong) / len(wrong)) < 0.01


def test_what_rounding_leaves_over_is_made_up_for(core: Core) -> None:
    """Much moves on one tile, so that values are coarse; their mean tells quarters of a count none the less."""
    rng = random.Random(9)
    scans = [
        [512 + (k + n) % 4 // 3 for k in range(165)] + [rng.randrange(470, 550) for _ in range(55)] for n in range(500)
    ]
    newest, heard, coarse = Newest(), [], []
    for _, _, part in run(Parts(core), scans):
        if part is not None:
            newest.part(part)
            coarse.append(part.coarse)
            heard.append(struct.unpack(f"<{SENSORS}H", newest.hall)[:165])
    assert max(coarse[-75:]) > 0
    mean = [sum(each) / len(each) / PART_UNIT for each in zip(*heard[-75:], strict=True)]
    assert max(abs(each - 512.25) for each in mean) < 0.1


def test_where_much_moves_values_are_coarser_but_no_more_than_they_say(core: Core) -> None:
    scans = noisy(5, 800, 100)
    sent = run(Parts(core), scans)
    assert max(part.coarse for _, _, part in sent[50:] if part is not None) > 1
    assert max(means(scans, sent)) <= 2**5 * 2**3 / PART_UNIT


@pytest.mark.failure("B3")
def test_after_lost_parts_nothing_is_told_that_was_not_so(core: Core) -> None:
    """All values jump by 90 counts again and again: beside values of another time they would be as far off."""
    rng = random.Random(6)
    scans = [[100 + 90 * (n // 40 % 10)] * SENSORS for n in range(4000)]
    sent = run(Parts(core), scans)
    for share in (0.003, 0.02, 0.5):
        found = means(scans, sent, frozenset(k for k in range(1000) if rng.random() < share))
        assert found or share > 0.1
        assert max(found, default=0.0) < 45.0


def test_after_a_loss_all_is_known_again_within_the_bound_and_at_once_where_it_is_asked_for(core: Core) -> None:
    scans = noisy(7, 400)
    for asks, most_us in ((False, OLDEST_US), (True, 300_000)):
        parts, newest = Parts(core), Newest()
        for _, _, part in run(parts, scans, loads=False):
            assert part is None or newest.part(part)
        assert newest.complete
        newest.forget()
        if asks:
            parts.anew()
        known_us = None
        for t, _, part in run(parts, scans, loads=False):
            if part is not None and known_us is None:
                newest.part(part)
                known_us = t if newest.complete else None
        assert known_us is not None
        assert known_us <= most_us


def test_the_sum_does_not_overflow_where_the_budget_keeps_parts_back(core: Core) -> None:
    parts = Parts(core)
    parts.spend(120)
    newest = Newest()
    for k in range(300):
        while k < 150 and parts.spend(1):
            pass  # another message takes all there is
        payload = parts.scan(k * PERIOD_US, packed([1023] * SENSORS))
        assert payload is None or k >= 150
        if payload is not None:
            part = decode(payload)
            assert isinstance(part, Part)
            newest.part(part)
    assert set(struct.unpack(f"<{SENSORS}H", newest.hall)) == {1023 * PART_UNIT}


@pytest.mark.failure("D11")
@pytest.mark.parametrize(("every", "budget"), [(16, 2500), (16, 9000), (4, 3000), (1, 9000), (2, 6000)])
def test_blocks_that_swing_from_rail_to_rail_take_no_more_than_the_link_has_left(
    core: Core, every: int, budget: int
) -> None:
    """Blocks that do not fit are left out; what is told of the others is so, to half of the coarsest step."""
    rng = random.Random(10)
    scan, left, absent, said, whole = [512] * SENSORS, 0, 0, -1, True
    most = budget * (every + 2) // 100  # what is kept for other messages is no part's
    parts, newest = Parts(core, every, budget), Newest()
    assert parts.accepted
    for n in range(400 * every):
        if n % every == 1 % every and rng.randrange(2):
            whole = said == n - 1  # with a part's first scan, so that its means swing wholly
            for block in rng.sample(range(BLOCKS), rng.randrange(8, 15)):
                first = block * PART_BLOCK
                scan[first : first + PART_BLOCK] = [1023 if scan[first] < 512 else 0] * PART_BLOCK
        if n % 5:
            parts.weigh(n * PERIOD_US, 84_000 + n)
        left = min(left + budget // 100, most)
        payload = parts.scan(n * PERIOD_US, packed(scan))
        if payload is None:
            continue
        left -= len(seal(payload))
        assert left >= 0
        assert len(payload) <= LONGEST
        part = decode(payload)
        assert isinstance(part, Part)
        fresh = newest.part(part)
        heard = struct.unpack(f"<{SENSORS}H", newest.hall)
        apart = [abs(heard[k] / PART_UNIT - scan[k]) for k in range(SENSORS) if fresh[k]]
        assert not whole or max(apart, default=0) <= 2**7 / PART_UNIT
        said, whole = n, True
        absent += part.hall.count(None) if newest.complete else 0
    assert newest.complete
    assert absent or budget // 100 * every > 224


def test_a_change_goes_with_the_next_part(core: Core) -> None:
    rest = [512] * SENSORS
    moved = rest.copy()
    moved[100:130] = [512 + 40 + k for k in range(30)]
    scans = [rest] * 100 + [moved] * 100  # 24 or 25 parts after the change
    sent = run(Parts(core), scans)
    assert max(means(scans, sent)[-24:]) <= 2.0


def test_hello_and_health_make_no_part_small(core: Core) -> None:
    sent = run(Parts(core), noisy(8, 800))
    sizes = [size for t, size, part in sent if part is not None and t > 1_000_000]
    assert min(sizes) > 80  # of halves of a count after quarters, which had taken more
    assert max(part.coarse for t, _, part in sent if part is not None and t > 1_000_000) <= 1


def test_every_load_conversion_travels_once_with_its_time(core: Core) -> None:
    sent = run(Parts(core), noisy(5, 800, 220))
    seen = [(t - 16 * before, value) for t, _, part in sent if part is not None for before, value in part.loads]
    assert [value for _, value in seen] == list(range(84_000, 84_000 + len(seen)))
    assert len(seen) > 630
    assert all(abs(t - (value - 84_000) * 12_500) < 16 for t, value in seen)
