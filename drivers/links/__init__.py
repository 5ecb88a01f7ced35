"""Ways to a board: each is a `Link`. Those that need a library of their own are imported by name."""

from drivers.links.lasting import LastingLink
from drivers.links.link import Clock, Link, LinkClosed, LinkLost, LinkStatus
from drivers.links.replay import ReplayLink

__all__ = ["Clock", "LastingLink", "Link", "LinkClosed", "LinkLost", "LinkStatus", "ReplayLink"]
