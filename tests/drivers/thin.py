"""A recording as a board sends it over a thin link: through the firmware's own core, compiled for this machine."""

from collections.abc import Iterator

from drivers.recording import LOAD_READ_ERROR, Recording
from drivers.wire import Session
from drivers.wire.framing import seal
from drivers.wire.messages import DEFINITION, LOAD_ERRORS, PROTOCOL, Hello
from tests.firmware.core import Core, Parts

BUDGET, EVERY = 3000, 4
_READ_ERROR = next(value for value, code in LOAD_ERRORS.items() if code == "read_error")


def thin_stream(recording: Recording, core: Core) -> Iterator[tuple[int, bytes]]:
    """(microseconds after the first frame when it is sent, bytes): parts within the budget, a hello once a second."""
    parts = Parts(core, EVERY, BUDGET)
    assert parts.accepted
    first, period = int(recording.t_us[0]), recording.period_us
    hello = seal(Hello(PROTOCOL, DEFINITION, 1, recording.sensors, period * EVERY, recording.table_id).encode())
    scan_us = round(float(recording.table["scan_fraction"]) * period)
    weighed, greeted = 0, -1_000_000
    for t, hall, lost in zip(recording.t_us.tolist(), recording.hall, recording.lost.tolist(), strict=True):
        if lost:  # the board has measured it; a recording does not know it
            continue
        while weighed < len(recording.load) and recording.load_t_us[weighed] <= t + scan_us:
            value = int(recording.load[weighed])
            value = _READ_ERROR if value == LOAD_READ_ERROR else value
            parts.weigh(int(recording.load_t_us[weighed]) % 2**32, value)
            weighed += 1
        if t - first - greeted >= 1_000_000 and parts.spend(len(hello)):
            greeted = t - first
            yield t - first + period, hello
        payload = parts.scan(t % 2**32, hall.astype("<u2").tobytes())
        if payload is not None:
            yield t - first + period, seal(payload)


def zero_us(recording: Recording, core: Core) -> int:
    """Where board time begins over the thin link, in microseconds after the recording's first frame: with the first
    part, some 50 ms later."""
    session = Session(recording.sensors)
    for at_us, data in thin_stream(recording, core):
        session.feed(data, at_us)
        if session.counts.parts:
            return at_us - recording.period_us
    raise ValueError("No part was sent.")
