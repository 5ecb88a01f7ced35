"""The stream budget: never more bytes than the link carries, nothing older than a second, the changed ones first."""

import random
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.wire.framing import seal
from drivers.wire.messages import Part, decode
from tests.firmware.core import Core, Parts

SENSORS, PERIOD_US = 220, 10_000
OLDEST_US = 1_000_000
HELLO_AND_HEALTH = (40, 70)  # wire bytes, once a second


def packed(values: list[int]) -> bytes:
    return struct.pack(f"<{SENSORS}H", *values)


def given_by(part: Part) -> dict[int, int]:
    marks = int.from_bytes(part.marks, "little")
    indices = [k for k in range(SENSORS) if marks >> k & 1]
    return dict(zip(indices, struct.unpack(f"<{len(indices)}H", part.hall), strict=True))


def run(parts: Parts, scans: list[list[int]], loads: bool = True) -> list[tuple[int, int, Part | None]]:
    """(time, wire bytes, part) of all that was sent: a second's hello and health, 80 conversions a second, parts."""
    sent: list[tuple[int, int, Part | None]] = []
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


@pytest.mark.failure("D11")
@pytest.mark.parametrize("moving", [0, 30, 220])
@pytest.mark.parametrize(("every", "budget"), [(4, 3000), (2, 4000), (10, 2000), (16, 1500)])
def test_no_second_carries_more_than_budget_and_one_part_and_nothing_is_older_than_the_bound(
    core: Core, every: int, budget: int, moving: int
) -> None:
    parts = Parts(core, every, budget)
    assert parts.accepted
    sent = run(parts, noisy(1, 800, moving))
    total = sum(size for _, size, _ in sent)
    assert budget * 8 * 0.9 <= total <= budget * 8  # what the link carries is used
    most = budget * (every + 2) // 100
    newest = dict.fromkeys(range(SENSORS), 0)
    for start, _, part in sent:
        assert sum(size for t, size, _ in sent if start <= t < start + 1_000_000) <= budget + most
        if part is not None:
            newest.update(dict.fromkeys(given_by(part), start))
        assert start - min(newest.values()) <= OLDEST_US


@given(st.integers(0, 20), st.integers(0, 65535))
@settings(max_examples=40)
def test_a_pace_is_refused_or_holds_the_bound(core: Core, every: int, budget: int) -> None:
    parts = Parts(core, every, budget)
    if not parts.accepted:
        assert not 1 <= every <= 16 or budget < 6000
        return
    newest = dict.fromkeys(range(SENSORS), 0)
    for t, _, part in run(parts, noisy(3, 250, 220)):
        if part is not None:
            newest.update(dict.fromkeys(given_by(part), t))
    assert min(newest.values()) >= 2_500_000 - OLDEST_US - 160_000


def mean(counts: list[int]) -> int:
    """Rounded; of more than four the later ones count more."""
    total, scans = 0, 0
    for value in counts:
        if scans == 4:
            total, scans = (total + 1) // 2, 2
        total, scans = total + value, scans + 1
    return (total + scans // 2) // scans


@pytest.mark.parametrize(("every", "budget"), [(4, 3000), (1, 6000), (7, 2000), (16, 1500)])
def test_every_part_gives_the_mean_of_the_scans_since_the_one_before(core: Core, every: int, budget: int) -> None:
    scans, before = noisy(4, 400, 60), 0
    for t, _, part in run(Parts(core, every, budget), scans):
        if part is not None:
            after = t // PERIOD_US + 1
            assert given_by(part) == {k: mean([scan[k] for scan in scans[before:after]]) for k in given_by(part)}
            before = after


def test_the_mean_does_not_overflow_where_the_budget_keeps_parts_back(core: Core) -> None:
    parts = Parts(core)
    parts.spend(120)
    given: dict[int, int] = {}
    for k in range(200):
        while k < 150 and parts.spend(1):
            pass  # another message takes all there is
        payload = parts.scan(k * PERIOD_US, packed([1023] * SENSORS))
        assert payload is None or k >= 150
        if payload is not None and not given:
            part = decode(payload)
            assert isinstance(part, Part)
            given = given_by(part)
    assert set(given.values()) == {1023}


def test_a_change_beyond_the_noise_goes_with_the_next_part_and_noise_does_not(core: Core) -> None:
    rest = [512] * SENSORS
    moved = rest.copy()
    moved[100:130] = [512 + 40 + k for k in range(30)]
    sent = run(Parts(core), [rest] * 100 + [moved] * 100)
    first = next(part for t, _, part in sent if part is not None and t >= 100 * PERIOD_US)
    assert set(range(100, 130)) <= set(given_by(first))


def test_what_has_changed_within_the_noise_goes_before_what_has_not(core: Core) -> None:
    """A hand that is still far off changes some sensors by one count."""
    rest = [512] * SENSORS
    moved = rest.copy()
    moved[100:120] = [513] * 20
    sent = run(Parts(core), [rest] * 100 + [moved] * 8, loads=False)
    told = [given_by(part) for _, _, part in sent if part is not None]
    first = next(given for given in told if 513 in given.values())
    assert {k for k in first if first[k] == 513} == set(range(100, 120))


def test_where_not_all_fit_the_most_changed_go_first(core: Core) -> None:
    rest = [512] * SENSORS
    moved = [512 + (100 if k % 11 == 0 else 4) for k in range(SENSORS)]
    sent = run(Parts(core), [rest] * 100 + [moved] * 4)
    first = next(part for t, _, part in sent if part is not None and t >= 100 * PERIOD_US)
    assert {k for k in range(SENSORS) if k % 11 == 0} <= set(given_by(first))


def test_every_load_conversion_travels_once_with_its_time(core: Core) -> None:
    sent = run(Parts(core), noisy(5, 800, 220))
    seen = [(t - 16 * before, value) for t, _, part in sent if part is not None for before, value in part.loads]
    assert [value for _, value in seen] == list(range(84_000, 84_000 + len(seen)))
    assert len(seen) > 630
    assert all(abs(t - (value - 84_000) * 12_500) < 16 for t, value in seen)
