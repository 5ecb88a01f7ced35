"""The samples of a link, for those who want nothing else of it."""

from collections.abc import Iterator

from drivers.links.link import Link, LinkClosed
from drivers.sample import Sample
from drivers.wire import Session

_WAIT_S = 0.5


def samples_of(link: Link, sensors: int) -> Iterator[Sample]:
    """Every sample of a table with so many sensors until the link closes."""
    session = Session(sensors)
    while True:
        try:
            data, now_us = link.read(_WAIT_S)
        except LinkClosed:
            return
        for item in session.feed(data, now_us):
            if isinstance(item, Sample):
                yield item
