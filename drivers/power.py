"""Whether the Raspberry Pi has too little voltage: USB serial drops out then (raspberrypi/linux#2512)."""

import subprocess
from collections.abc import Callable
from pathlib import Path

_FIRMWARE = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
_COMMAND = ("vcgencmd", "get_throttled")
_NOW, _BEFORE = 1 << 0, 1 << 16


def power_faults(read: Callable[[], str] | None = None) -> tuple[str, ...]:
    """ "undervoltage" now, or "undervoltage_before" since the start of the machine; () where it is well or not told.

    read: gives what the firmware says, such as "throttled=0x50005"; raises OSError where it says nothing.
    """
    try:
        flags = int((read or _throttled)().strip().rpartition("=")[2], 16)
    except (OSError, ValueError, subprocess.SubprocessError):
        return ()
    if flags & _NOW:
        return ("undervoltage",)
    return ("undervoltage_before",) if flags & _BEFORE else ()


def _throttled() -> str:
    if _FIRMWARE.exists():
        return _FIRMWARE.read_text()
    return subprocess.run(_COMMAND, capture_output=True, text=True, timeout=1, check=True).stdout
