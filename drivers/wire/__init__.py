"""The language between board and host, without any I/O. Standard library only."""

from drivers.wire.messages import Hello, Log
from drivers.wire.session import Counts, Fault, Gap, Item, Session

__all__ = ["Counts", "Fault", "Gap", "Hello", "Item", "Log", "Session"]
