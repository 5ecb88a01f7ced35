"""How a phone proves that it is the one that entered a secret: a key that only it keeps, known here by its mark alone.

The key (128 random bits, a cookie that no script can read) comes with each request. The journal and the states hold
marks; from a mark no key can be worked out, so that nothing that is shown or downloaded opens anything.
"""

import hashlib


def mark_of(key: str) -> str:
    """The mark of a phone's key, "" of none."""
    return hashlib.sha256(b"phone " + key.encode("utf-8", "replace")).hexdigest()[:32] if key else ""
