"""How a host says who it is, and asks a board to do the same."""

from typing import Final

from drivers.wire.framing import seal
from drivers.wire.messages import DEFINITION, PROTOCOL, Greet

GREETING: Final = b"\0" + seal(Greet(PROTOCOL, DEFINITION).encode())
"""The zero ends whatever the board may have heard half of before."""
