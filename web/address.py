"""The address that a QR should hold: a literal one, since many phones do not find .local names."""

import ipaddress
import socket


def lan_address() -> str | None:
    """This machine's address towards the local network, None without one. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address (RFC 5737): only the route is looked up
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith(("127.", "0.")) else address


def base_url(host: str) -> str:
    """http:// and the host under which the page was asked for if others can use it, else our address, with its port."""
    name, port = _split(host)
    if _usable(name):
        return f"http://{host}"
    found = lan_address()
    if found is None:
        return f"http://{host}"
    return f"http://{found}{port}"


def _split(host: str) -> tuple[str, str]:
    if host.startswith("["):
        name, _, port = host[1:].partition("]")
        return name, port
    name, colon, port = host.partition(":")
    return name, colon + port


def _usable(name: str) -> bool:
    try:
        return not ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
