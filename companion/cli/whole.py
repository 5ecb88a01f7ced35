"""Files that are there whole or not at all."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from companion.cli.failure import UserError
from companion.cli.outputs import keep_others


def check_writable(path: Path) -> None:
    """What can be known beforehand. Raises UserError where a file cannot be put there, or another kind of file is."""
    path = path.resolve()
    if path.is_dir():
        raise UserError(f"{path} is a folder: give the name of a file.")
    if not path.parent.is_dir():
        raise UserError(f"Cannot write {path}, there is no folder {path.parent}: choose another place.")
    if not os.access(path if path.exists() and not path.is_file() else path.parent, os.W_OK):
        raise UserError(f"Cannot write {path} (permission denied): choose another place.")
    keep_others(path)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """Write text that takes the path's place at the end; after an error nothing of it is left.

    A link is followed; what is no regular file (a pipe, a device) cannot be replaced and is written through. Raises
    UserError where the place cannot be written.
    """
    path = path.resolve()
    check_writable(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        try:
            with path.open("w", encoding="utf-8") as stream:
                yield stream
        except OSError as error:
            raise UserError(f"Cannot write {path} ({error.strerror}): choose another place.") from error
        return
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        stream = part.open("w", encoding="utf-8")
    except OSError as error:
        raise UserError(f"Cannot write {path} ({error.strerror}): choose another place.") from error
    try:
        with stream:
            yield stream
        os.replace(part, path)
    except OSError as error:
        raise UserError(f"Cannot write {path} ({error.strerror}): choose another place.") from error
    finally:
        part.unlink(missing_ok=True)
