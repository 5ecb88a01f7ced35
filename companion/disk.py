"""Why a file could not be read or written, in words of people."""

import errno
import json
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_WAYS: Final = {
    errno.ENOSPC: "there is no space left: delete something there",
    errno.EDQUOT: "there is no space left for this user: delete something there",
    errno.EFBIG: "there is no space left for so large a file: delete something there",
    errno.EROFS: "it can only be read, as a worn-out card can: put another in",
    errno.EACCES: "this user may not write there: check the folder's rights",
    errno.EPERM: "this user may not write there: check the folder's rights",
}

_SQLITE_WAYS: Final = {
    sqlite3.SQLITE_FULL: _WAYS[errno.ENOSPC],
    sqlite3.SQLITE_READONLY: "it can only be read: check the folder's rights, or put another card in",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened: check the folder and its rights",
    sqlite3.SQLITE_IOERR: "the disk does not take it: delete something there, or check the disk",
    sqlite3.SQLITE_BUSY: "another program is writing it: check that only one runs",
}


def why_unread(error: Exception) -> str:
    """What is wrong with a file that was to hold JSON values, the middle of a sentence; one line, no parser's words.

    A ValueError of the program's own says itself what is wrong.
    """
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, UnicodeDecodeError):
        return "it holds bytes that are no text"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, json.JSONDecodeError):
        if not error.doc.strip("\x00 \t\r\n"):
            return "there is nothing in it"
        if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated"):
            return "it is cut off"
        return f"line {error.lineno} is no JSON from column {error.colno} on"
    return str(error).split("\n")[0][:90]


def why_unwritten(error: OSError | sqlite3.Error) -> str:
    """The cause and the next step, the end of a sentence about what could not be written."""
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the primary one of an extended one
        return _SQLITE_WAYS.get(code) or f"{error}: check the disk and the folder's rights"
    return _WAYS.get(error.errno or 0) or f"{error.strerror or error}: check the disk and the folder's rights"


class Writing:
    """Files that the program goes on without: a failure is said once, and again only after one could be written."""

    def __init__(self, log: logging.Logger, what: str) -> None:
        """what: what cannot be kept then, the beginning of a sentence."""
        self._log, self._what = log, what
        self.failed = False
        """The last one."""

    @contextmanager
    def to(self, place: Path) -> Iterator[None]:
        """Write there within; an OSError ends it and goes no further."""
        try:
            yield
        except OSError as error:
            if not self.failed:
                self._log.warning("%s (%s): %s", self._what, place, why_unwritten(error))
            self.failed = True
        else:
            self.failed = False
