"""Built once for all tests of the firmware: the core for this machine, the board's program and its emulator."""

import pytest

from firmware import build
from tests.firmware.board import Built
from tests.firmware.core import Core


@pytest.fixture(scope="session")
def core(tmp_path_factory: pytest.TempPathFactory) -> Core:
    return Core(build.host(tmp_path_factory.mktemp("host")))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    out = tmp_path_factory.mktemp("board")
    return Built(build.simulator(out), build.firmware(out))
