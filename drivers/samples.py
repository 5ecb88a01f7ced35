"""The samples of a link, for those who want nothing else of it."""

from collections.abc import Iterator

from drivers.links.link import Link, LinkClosed
from drivers.sample import Sample
from drivers.wire import Session

_WAIT_S = 0.1


def samples_of(link: Link, sensors: int | None, until_us: int | None = None) -> Iterator[Sample]:
    """Every sample of a table with so many sensors (None: any) until the link closes, or its clock shows until_us.

    The link is closed at the end, also where the caller wants no more.
    """
    session = Session(sensors)
    try:
        while True:
            data, now_us = link.read(_WAIT_S)
            for item in session.feed(data, now_us):
                if isinstance(item, Sample):
                    yield item
            if until_us is not None and now_us >= until_us:
                return
    except LinkClosed:
        return
    finally:
        link.close()
