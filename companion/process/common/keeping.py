"""A file is replaced and the one before is kept, so that a cut at any moment leaves a whole one in place."""

import os
from pathlib import Path


def replace_keeping(part: Path, file: Path, last: Path) -> None:
    """part takes file's place; what was there before becomes last. Raises OSError, file then being as it was."""
    if file.exists():
        link = last.with_name(f".{last.name}.{os.getpid()}.part")
        link.unlink(missing_ok=True)
        try:
            try:
                os.link(file, link)
            except OSError:  # a file system without links, such as a USB stick's
                _copy(file, link)
            os.replace(link, last)
        finally:
            link.unlink(missing_ok=True)
    os.replace(part, file)


def _copy(file: Path, to: Path) -> None:
    """On the disk when it returns."""
    with to.open("wb") as copy:
        copy.write(file.read_bytes())
        copy.flush()
        os.fsync(copy.fileno())
