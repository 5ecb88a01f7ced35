"""The emulated board's bridge port, carried by the real bleak over a virtual radio to the product's own link."""

from pathlib import Path

import pytest
import serial

from companion.clock import SystemClock
from drivers.links.ble import BleLink
from drivers.links.radio import Radio
from drivers.sample import Sample
from drivers.wire import Done, Hello, Session
from drivers.wire.greeting import GREETING
from firmware.emulate import Emulator
from firmware.signals import still
from tests.drivers.bumble_backend import air_and_bridge
from tests.firmware.board import HALL, SENSORS, WEIGHT, Built, counts


@pytest.mark.slow
@pytest.mark.failure("D10")
def test_its_parts_come_whole_by_bluetooth_and_it_hears_the_greeting(built: Built, tmp_path: Path) -> None:
    signals = tmp_path / "signals"
    signals.write_bytes(still(HALL, WEIGHT))
    radio = Radio()

    air, bridge = radio.start(air_and_bridge()).result()
    link = BleLink(radio, SystemClock(), backend=air.backend)
    session, items = Session(SENSORS), []
    try:
        while link.status.state != "live":
            link.read(0.05)
        with (
            Emulator(built.simulator, built.elf, signals, "--seconds", "3", "--await-host", "--lossless") as board,
            serial.Serial(str(board.bridge), exclusive=True, timeout=0.2) as port,
        ):
            bridge.on_write = lambda data: port.write(data)
            link.send(GREETING)  # the board stands still until it hears something
            carried = came = 0
            while True:
                over = board.told
                data = port.read(max(1, port.in_waiting))
                if not data and over:
                    break
                radio.start(bridge.notify(data)).result()
                carried += len(data)
                while came < carried:
                    data, now_us = link.read(1.0)
                    came += len(data)
                    items += session.feed(data, now_us)
            bridge.on_write = lambda data: None
            figures = board.report()
    finally:
        link.close()
        radio.close()
    samples = [item for item in items if isinstance(item, Sample)]
    assert len(samples) > 50
    assert {tuple(counts(sample)) for sample in samples} == {tuple(HALL)}
    assert session.counts.lost == 0
    assert [item.code for item in items if isinstance(item, Done)] == [0]
    assert any(isinstance(item, Hello) for item in items)
    assert figures["port1"]["bytes"] <= 3000 * 3 + 200
