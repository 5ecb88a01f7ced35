"""What the board's program costs on the emulated Arduino Mega, and how fast the emulator is."""

from pathlib import Path

import pytest

from firmware import build
from tests.firmware.board import Built, run


@pytest.mark.bench
@pytest.mark.parametrize("baud", [500_000, 1_000_000])
def test_the_boards_figures(baud: int, tmp_path: Path) -> None:
    built = Built(build.simulator(tmp_path), build.firmware(tmp_path, baud))
    heard = run(built, tmp_path, seconds=10.0)
    figures = heard.figures
    waits = ", ".join(f"{k} {v:.1f}" for k, v in figures["latency_us"].items() if v and not k.endswith("_out"))
    print(
        f"\nMega 2560 at {baud} baud: busy {figures['busy']:.1%}, waits of interrupts (us): {waits}; "
        f"flash {figures['flash']} B, RAM {figures['ram_fixed']} + stack {figures['ram_stack']} of {figures['ram']} B; "
        f"{len(heard.samples)} frames in 10 s, {heard.session.counts.lost} lost; "
        f"USB {figures['port0']['bytes'] / 10:.0f} B/s, bridge {figures['port1']['bytes'] / 10:.0f} B/s; "
        f"emulated at {figures['virtual_s'] / figures['wall_s']:.1f} times real time"
    )
