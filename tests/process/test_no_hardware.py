"""Importing the program touches nothing: no port, no socket, no process, no thread (G10)."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent

_PROBE = """
import pkgutil, sys, threading
seen = []
def hook(event, args):
    if event in ("socket.__new__", "socket.bind", "socket.connect", "subprocess.Popen", "os.posix_spawn", "os.fork"):
        seen.append(event)
    if event == "open" and str(args[0]).startswith(("/dev/tty", "/dev/serial", "/dev/rfcomm", "/dev/hid")):
        seen.append(args[0])
for name in ("flask", "waitress", "segno", "numpy"):
    __import__(name)
sys.addaudithook(hook)
before = threading.active_count()
import companion, drivers, web
for package in (companion, drivers, web):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__") and module.name != "drivers.links.ble":
            __import__(module.name)
from web.app import create_app
assert threading.active_count() == before, threading.enumerate()
assert not seen, seen
"""


@pytest.mark.failure("G10")
def test_importing_every_module_opens_no_hardware_and_starts_nothing() -> None:
    found = subprocess.run([sys.executable, "-c", _PROBE], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
