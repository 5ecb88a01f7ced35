"""Serial ports by names that last, who may open them, and who has them open (Linux: udev's links, /proc).

A board that is plugged in again may be ttyUSB1 after having been ttyUSB0; /dev/serial/by-id names the device itself
and is resolved anew at each try (Klipper3d/klipper#299).
"""

import contextlib
import grp
import os
import pwd
from pathlib import Path

_BY_ID = "serial/by-id"
_PLAIN = ("ttyACM*", "ttyUSB*")
_MOST_LINKS = 20_000


def candidates(dev: Path = Path("/dev")) -> list[Path]:
    """Every plugged-in port that may be a board, names that last first; plain names only where there are no others."""
    with contextlib.suppress(OSError):
        named = sorted(path for path in (dev / _BY_ID).iterdir() if path.exists())
        if named:
            return named
    return sorted(path for pattern in _PLAIN for path in dev.glob(pattern))


def holders(port: Path, proc: Path = Path("/proc")) -> list[str]:
    """ "name (number)" of each process that has a port open, as far as this user may see; best effort."""
    device, looked = str(port.resolve()), 0
    found: list[str] = []
    for process in sorted(proc.glob("[0-9]*")):
        if int(process.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            for descriptor in (process / "fd").iterdir():
                looked += 1
                if looked > _MOST_LINKS:
                    return found
                if os.readlink(descriptor) == device:
                    name = (process / "comm").read_text(errors="replace").strip()
                    found.append(f"{name} ({process.name})")
                    break
    return found


def denied(port: Path) -> str:
    """Why this user may not open a port, and what gives the right, in one sentence."""
    user = _name(pwd.getpwuid, os.geteuid(), "pw_name")
    try:
        status = port.stat()
    except OSError:
        return f"{user} may not open {port}."
    group = _name(grp.getgrgid, status.st_gid, "gr_name")
    if not status.st_mode & 0o060:
        return f"{user} may not open {port}: only its owner may; the system's udev rules decide that."
    return (
        f"{user} may not open {port}: its group is {group}. Type `sudo usermod -aG {group} {user}`, "
        "then log out and in again."
    )


def _name(look: object, number: int, field: str) -> str:
    try:
        return str(getattr(look(number), field))  # type: ignore[operator]
    except KeyError:
        return str(number)
