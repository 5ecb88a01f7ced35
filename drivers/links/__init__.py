"""Ways to a board: each is a `Link`."""

from drivers.links.link import Clock, Link, LinkClosed
from drivers.links.replay import ReplayLink

__all__ = ["Clock", "Link", "LinkClosed", "ReplayLink"]
