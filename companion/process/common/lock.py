"""One service for a data folder, one writer at a time: locks that the kernel lets go when their holder dies, so none is
ever stale (G8).
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from companion.clock import SystemClock, pause
from companion.settings import SettingsError

FILE = "running.lock"
_TRIES: Final = 20
_PAUSE_US: Final = 50_000


class FolderLock:
    """Holds the lock from construction to `close`. Raises SettingsError where another service holds it.

    way: what to do then.
    """

    def __init__(self, folder: Path, way: str = "stop that one, or choose another folder with --data FOLDER") -> None:
        path = folder / FILE
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise SettingsError(f"{path} cannot be opened ({error.strerror}): check the folder's rights") from error
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(self._handle, 20, 0).decode("ascii", "replace").strip()
            os.close(self._handle)
            raise SettingsError(
                f"the data folder {folder} is in use by another companion (process {holder or 'unknown'}): {way}"
            ) from error
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, str(os.getpid()).encode(), 0)

    def close(self) -> None:
        os.close(self._handle)


@contextmanager
def only_writer(folder: Path) -> Iterator[None]:
    """The only one who reads, changes and replaces files of a folder, of all who do it so; the folder itself is locked.

    Waits a second at most. Raises BlockingIOError where another one writes all the time, OSError without the folder.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for left in reversed(range(_TRIES)):
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if not left:
                    raise
                pause(SystemClock(), _PAUSE_US)
        yield
    finally:
        os.close(handle)
