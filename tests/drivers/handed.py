"""A link for tests that step their own time: it hands out what was put into it."""

from drivers.links import LinkStatus


class Handed:
    """data: what the next read hands out; now_us: the time that the read gives it."""

    status = LinkStatus()

    def __init__(self) -> None:
        self.data, self.now_us = b"", 0

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        data, self.data = self.data, b""
        return data, self.now_us

    def send(self, data: bytes) -> None: ...

    def close(self) -> None: ...
