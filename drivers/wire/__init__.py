"""The language between board and host, without any I/O. Standard library only."""

from drivers.wire.messages import Diagnosis, Done, Hello, Log
from drivers.wire.messages import Health as BoardHealth
from drivers.wire.session import Counts, Fault, Gap, Item, Session

__all__ = ["BoardHealth", "Counts", "Diagnosis", "Done", "Fault", "Gap", "Hello", "Item", "Log", "Session"]
