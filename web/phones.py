"""The phones that act at this table: who they are, which are locked, how fast each may press; and whose word counts.

Kept in memory: a phone is known by the key in its cookie, shown by a mark of it. The host is the phone that came first
with the present code, and the table's own screen. Locking ends with the program; a new code shuts others out for good.
"""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock

MOST_PHONES = 64
BURST = 24
"""Presses that a phone may make at once; then PER_SECOND more each second. People press less than that."""
PER_SECOND = 4.0
WRONG_CODES = 12
"""Wrong codes that an address may try at once; then one more every 10 s."""


@dataclass(slots=True)
class Phone:
    """name: what it calls itself, said by its pages and when it presses. seen_s: when it last asked for something."""

    mark: str
    name: str = ""
    seen_s: float = 0.0
    locked: bool = False


@dataclass(slots=True)
class Bucket:
    """Counts what may still be done; fills with time."""

    left: float
    at_s: float

    def take(self, now_s: float, most: float, per_second: float) -> bool:
        self.left = min(most, self.left + max(0.0, now_s - self.at_s) * per_second)
        self.at_s = now_s
        if self.left < 1:
            return False
        self.left -= 1
        return True


def mark_of(key: str) -> str:
    """What a phone's key is shown as: nobody can work the key out from it."""
    return hashlib.sha256(b"shown " + key.encode("utf-8", "replace")).hexdigest()[:12]


class Phones:
    """Thread-safe. Times are seconds of the caller's clock."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._phones: OrderedDict[str, Phone] = OrderedDict()
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()
        self._host = ""

    def seen(self, key: str, now_s: float, name: str = "") -> Phone:
        """The phone of this key, seen now; the first one is the host."""
        mark = mark_of(key)
        with self._lock:
            phone = self._phones.setdefault(mark, Phone(mark))
            phone.seen_s, phone.name = now_s, name or phone.name
            if not self._host and not phone.locked:
                self._host = mark
            while len(self._phones) > MOST_PHONES:
                oldest = min((p for p in self._phones.values() if p.mark != self._host), key=lambda p: p.seen_s)
                del self._phones[oldest.mark]
            return phone

    def call(self, key: str, name: str) -> None:
        """A phone says its name, or that it has none (it is nobody's own)."""
        with self._lock:
            if phone := self._phones.get(mark_of(key)):
                phone.name = name

    def is_host(self, key: str) -> bool:
        return bool(key) and mark_of(key) == self._host

    def is_locked(self, key: str) -> bool:
        with self._lock:
            phone = self._phones.get(mark_of(key))
            return phone is not None and phone.locked

    def lock(self, mark: str, locked: bool) -> bool:
        """Whether there is such a phone; the host cannot be locked."""
        with self._lock:
            phone = self._phones.get(mark)
            if phone is None or mark == self._host:
                return False
            phone.locked = locked
            return True

    def forget_others(self, key: str) -> None:
        """A new code has been made by this phone: it is the only one, and the host."""
        with self._lock:
            mark = mark_of(key)
            self._phones = OrderedDict((m, p) for m, p in self._phones.items() if m == mark)
            self._host = mark if mark in self._phones else ""

    def may_press(self, who: str, now_s: float) -> bool:
        """Whether this phone (or address) may press once more now."""
        return self._take("press " + who, now_s, BURST, PER_SECOND)

    def may_try_code(self, address: str, now_s: float) -> bool:
        """Whether a code from this address is looked at."""
        return self._take("code " + address, now_s, WRONG_CODES, 0.1)

    def _take(self, name: str, now_s: float, most: float, per_second: float) -> bool:
        with self._lock:
            bucket = self._buckets.setdefault(name, Bucket(most, now_s))
            self._buckets.move_to_end(name)
            while len(self._buckets) > 4 * MOST_PHONES:
                self._buckets.popitem(last=False)
            return bucket.take(now_s, most, per_second)

    def listed(self) -> list[Phone]:
        """Every phone, the newest seen first."""
        with self._lock:
            return sorted(self._phones.values(), key=lambda phone: -phone.seen_s)

    @property
    def host(self) -> str:
        """The mark of the host, "" while there is none."""
        return self._host
