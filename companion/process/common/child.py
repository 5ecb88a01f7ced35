"""A process of this very program, started by another of its processes."""

import os
import subprocess
from pathlib import Path
from typing import Protocol

import companion
from companion.blas import ONE_THREAD

_PROGRAM = str(Path(companion.__file__).parent.parent)


class Child(Protocol):
    """A started process: what `subprocess.Popen` offers of it."""

    pid: int

    def wait(self, timeout: float | None = None) -> int: ...

    def terminate(self) -> None: ...

    def kill(self) -> None: ...


def own_environment() -> dict[str, str]:
    """For `python -P -m companion...`: this program, whatever lies in the folder in which it is run."""
    path = os.pathsep.join([_PROGRAM, *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, **ONE_THREAD}


def end_child(child: Child, patience_s: float) -> int:
    """The child's exit code; one that does not leave by itself within patience_s (real time) is made to."""
    for end in (child.terminate, child.kill):
        try:
            return child.wait(timeout=patience_s)
        except subprocess.TimeoutExpired:
            end()
    return child.wait()
