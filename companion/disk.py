"""Why a file could not be written, in words that say what to do about it."""

import errno
from typing import Final

_WAYS: Final = {
    errno.ENOSPC: "there is no space left: delete something there",
    errno.EDQUOT: "there is no space left for this user: delete something there",
    errno.EROFS: "it can only be read, as a worn-out card can: put another in",
    errno.EACCES: "this user may not write there: check the folder's rights",
    errno.EPERM: "this user may not write there: check the folder's rights",
}


def why_unwritten(error: OSError) -> str:
    """The cause and the next step, the end of a sentence about what could not be written."""
    return _WAYS.get(error.errno or 0) or f"{error.strerror or error}: check the disk and the folder's rights"
