"""A file is replaced and the one before is kept, so that a cut at any moment leaves a whole one in place."""

import os
from pathlib import Path


def replace_keeping(part: Path, file: Path, last: Path) -> None:
    """part takes file's place; what was there before becomes last. Raises OSError, file then being as it was."""
    if file.exists():
        link = last.with_name(f".{last.name}.{os.getpid()}.part")
        link.unlink(missing_ok=True)
        try:
            os.link(file, link)
        except OSError:  # a file system without links, such as a USB stick's
            link.write_bytes(file.read_bytes())
        os.replace(link, last)
    os.replace(part, file)
