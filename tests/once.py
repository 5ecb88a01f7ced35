"""What several tests of a run look at is worked out once, by whichever of its workers comes first."""

import fcntl
import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


class Once:
    """Keeps what was made in a folder of this run alone; the others wait for who makes it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._had: dict[tuple[Any, ...], Any] = {}

    def __call__(self, make: Callable[[], T], *key: Any) -> T:
        """What `make` gives, or gave; key: all that it depends on, such as the folder and the settings."""
        if key not in self._had:
            path = self._folder / f"once-{hashlib.sha256(repr(key).encode()).hexdigest()}"
            with path.with_suffix(".lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not path.exists():
                    part = path.with_suffix(".part")
                    part.write_bytes(pickle.dumps(make()))
                    part.replace(path)
            self._had[key] = pickle.loads(path.read_bytes())
        kept: T = self._had[key]
        return kept
