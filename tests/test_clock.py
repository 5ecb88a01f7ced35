"""The clock, and that nobody else reads one."""

import ast
import threading
from pathlib import Path

import pytest

from companion.clock import HandClock, SystemClock, pause

ROOT = Path(__file__).parent.parent
FORBIDDEN = {"time", "datetime"}
CLOCK = ROOT / "companion" / "clock.py"


def clock_imports(source: str) -> set[str]:
    """Names of forbidden modules that a source text imports, in whatever form."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(str(node.module).split(".")[0])
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in (
            "__import__",
            "import_module",
        ):
            found |= {str(arg.value).split(".")[0] for arg in node.args if isinstance(arg, ast.Constant)}
    return found & FORBIDDEN


@pytest.mark.failure("G1")
def test_only_the_clock_module_reads_a_clock() -> None:
    readers = {
        str(path.relative_to(ROOT)): clock_imports(path.read_text("utf-8"))
        for folder in ("companion", "drivers", "web")
        for path in (ROOT / folder).rglob("*.py")
    }
    assert readers.pop(str(CLOCK.relative_to(ROOT))) == {"time"}
    assert {path: found for path, found in readers.items() if found} == {}


@pytest.mark.failure("G1")
def test_the_search_for_clock_readers_finds_every_form() -> None:
    for source in (
        "import time",
        "import time as t",
        "from time import monotonic",
        "def f():\n    from datetime import datetime",
        "import datetime.datetime",
        "__import__('time')",
        "importlib.import_module('time')",
    ):
        assert clock_imports(source), source
    assert not clock_imports("from companion.table.time import SECOND\nfrom . import time")


def test_scaled_clocks_of_two_processes_agree() -> None:
    one = SystemClock(8.0)
    other = SystemClock(8.0, one.origin_ns)
    first, second, third = one.now_us(), other.now_us(), one.now_us()
    assert first <= second <= third


def test_a_scaled_clock_runs_at_its_rate() -> None:
    origin = SystemClock().now_us() * 1000 - 10_000_000_000  # ten seconds ago
    real, fast = SystemClock(1.0, origin), SystemClock(3.0, origin)
    before = real.now_us()
    shown = fast.now_us()
    after = real.now_us()
    assert before + 2 * 10_000_000 - 1000 <= shown <= after + 2 * (after - origin // 1000) + 1000


@pytest.mark.parametrize("speed", [0, -1, float("inf"), float("nan")])
def test_a_speed_that_is_none_is_refused(speed: float) -> None:
    with pytest.raises(ValueError, match="speed"):
        SystemClock(speed)


def test_who_waits_on_a_hand_clock_wakes_when_it_is_turned() -> None:
    clock = HandClock()
    thread = threading.Thread(target=pause, args=(clock, 100))
    thread.start()
    while not clock.waiting():
        pass
    clock.advance(99)
    while not clock.waiting():  # it has looked, and waits on
        assert thread.is_alive()
    clock.advance(1)
    thread.join(60)
    assert not thread.is_alive()


def test_a_hand_clock_refuses_to_run_backwards() -> None:
    with pytest.raises(ValueError, match="backwards"):
        HandClock().advance(-1)
