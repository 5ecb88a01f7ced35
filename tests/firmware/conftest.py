"""Built once for all tests of the firmware: the core for this machine."""

import pytest

from firmware import build
from tests.firmware.core import Core


@pytest.fixture(scope="session")
def core(tmp_path_factory: pytest.TempPathFactory) -> Core:
    return Core(build.host(tmp_path_factory.mktemp("host")))
