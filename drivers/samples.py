"""The samples of a link, for those who want nothing else of it."""

from collections.abc import Callable, Iterator

from drivers.links.link import Link, LinkClosed
from drivers.sample import Sample
from drivers.wire import Session

_WAIT_S = 0.1


def samples_of(
    link: Link, sensors: int | None, ends: Callable[[int, int], bool] = lambda now_us, came: False
) -> Iterator[Sample]:
    """Every sample of a table with so many sensors (None: any) until the link closes, or `ends` says so.

    ends: told after each reading what the link's clock shows and how many samples have come.
    The link is closed at the end, also where the caller wants no more.
    """
    session, came = Session(sensors), 0
    try:
        while True:
            data, now_us = link.read(_WAIT_S)
            for item in session.feed(data, now_us):
                if isinstance(item, Sample):
                    came += 1
                    yield item
            if ends(now_us, came):
                return
    except LinkClosed:
        return
    finally:
        link.close()
