"""What a frame costs on the way from bytes to a sample."""

import time
from pathlib import Path

import pytest

from drivers.links import LinkClosed, ReplayLink
from drivers.recording import read_recording
from drivers.wire import Session

DATA = Path(__file__).parents[1] / "data" / "recordings"


@pytest.mark.bench
@pytest.mark.parametrize("name", ["ideal-snap2", "nominal-snap2-a"])
def test_decode_cost(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    recording = read_recording(DATA / name)
    link, reads = ReplayLink(recording), []
    started = time.perf_counter()
    try:
        while True:
            reads.append(link.read(0))
    except LinkClosed:
        encoded = time.perf_counter() - started
    best = float("inf")
    for _ in range(5):
        session = Session(recording.sensors)
        started = time.perf_counter()
        for data, now_us in reads:
            session.feed(data, now_us)
        best = min(best, time.perf_counter() - started)
    frames = session.counts.frames
    size = sum(len(data) for data, _ in reads) / frames
    with capsys.disabled():
        print(
            f"\n{name}: {recording.sensors} sensors, {size:.0f} bytes a frame; decode {1e6 * best / frames:.0f} us, "
            f"encode (replay) {1e6 * encoded / frames:.0f} us a frame"
        )
    assert frames == int((~recording.lost).sum())
