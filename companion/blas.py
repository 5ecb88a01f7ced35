"""One thread of linear algebra: sensing solves many small systems, and more threads only get in each other's way."""

import os
from typing import Final

ONE_THREAD: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


def use_one_thread() -> None:
    """Before numpy is loaded; processes started later have it too. What the caller's environment says goes first."""
    for name, value in ONE_THREAD.items():
        os.environ.setdefault(name, value)
