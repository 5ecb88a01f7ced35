"""Everything that can go wrong with a link, as data: how long to wait before the next try. Pages say it in words.

The advice for people stands in the catalogues (web/locale/*/link.json) under the same kinds; a test compares them.
"""

from dataclasses import dataclass

_S = 1_000_000


@dataclass(frozen=True, slots=True)
class Trouble:
    """A kind of failure. first_us: pause before the next try; it doubles while tries fail, up to longest_us."""

    first_us: int
    longest_us: int


TROUBLES: dict[str, Trouble] = {
    # a cable
    "port_missing": Trouble(_S // 4, _S),  # nothing of that name is plugged in
    "no_permission": Trouble(5 * _S, 30 * _S),  # this user may not open the port
    "port_held": Trouble(2 * _S, 10 * _S),  # another program has it open
    "port_failed": Trouble(2 * _S, 15 * _S),  # it cannot be set up
    "port_lost": Trouble(_S // 10, 5 * _S),  # unplugged while it was in use
    # any link
    "no_hello": Trouble(_S, 10 * _S),  # open, but no board says who it is
    "silent": Trouble(_S, 10 * _S),  # the board has stopped
    # Bluetooth
    "adapter_absent": Trouble(10 * _S, 30 * _S),  # no Bluetooth, or its service does not run
    "adapter_off": Trouble(10 * _S, 30 * _S),
    "adapter_denied": Trouble(10 * _S, 30 * _S),
    "adapter_busy": Trouble(2 * _S, 16 * _S),  # somebody else scans or connects
    "not_found": Trouble(2 * _S, 10 * _S),  # no board answers the scan
    "connect_failed": Trouble(_S, 10 * _S),
    "connect_timeout": Trouble(2 * _S, 16 * _S),
    "services_failed": Trouble(_S, 10 * _S),  # gone while its services were read
    "no_uart_service": Trouble(10 * _S, 30 * _S),  # another device than a table
    "radio_lost": Trouble(_S // 2, 8 * _S),  # the connection broke
    "radio_failed": Trouble(5 * _S, 30 * _S),  # anything else that the Bluetooth stack says
}
"""By kind. A failure of another kind is a fault of the program."""
