"""Settings for all tests."""

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from companion.compiled import choose
from tests.once import Once

# The machines that run this are noisy: no wall-clock pass mark, not even hypothesis' own. CI repeats itself, so that a
# change is judged by what it changed; elsewhere every run looks at new examples.
settings.register_profile(
    "companion",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("companion")

# As every program does: the C kernel where it is built, else NumPy. The tests of the kernel itself take both.
choose()

# Started in the background by a script, a run ignores Ctrl-C, and so would every program that it starts to press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

pytest_plugins = ["tests.web.harness"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first: with several workers none is left with one when the others have nothing more to do."""
    items.sort(
        key=lambda item: sum(item.get_closest_marker(name) is not None for name in ("slow", "recordings")), reverse=True
    )


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """For what several tests of this run look at; the folder is the run's, with one of its own for each worker."""
    own = tmp_path_factory.getbasetemp()
    return Once(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)
