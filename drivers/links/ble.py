"""A board by Bluetooth Low Energy: a UART bridge that speaks the Nordic UART Service, through bleak.

Each connection is one task in the radio's loop: scan, connect, subscribe, wait for the end, disconnect, each with a
limit from outside. What comes is handed to the reader through one bounded queue; where it is full, pieces are lost and
counted, and the frames' numbers show the gap.
"""

import asyncio
import threading
from collections import deque
from concurrent.futures import Future
from enum import StrEnum
from typing import Any, Final

from bleak import BleakClient, BleakScanner
from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData

from drivers.links.ble_errors import kind_of, said
from drivers.links.link import Clock, LinkClosed, LinkLost, LinkStatus
from drivers.links.radio import Radio

UART_SERVICE: Final = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
TO_BOARD: Final = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
FROM_BOARD: Final = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
HELLO_US: Final = 75_000_000
"""Until the first hello: longer than all limits below together, each of which says better what was wrong."""

SCAN_S, CONNECT_S, SUBSCRIBE_S, END_S = 15.0, 25.0, 15.0, 5.0
_QUEUED = 2048  # pieces, some seconds of a full stream of 20 bytes each
_LEAST_WRITE = 20  # bytes that every connection carries at once


class Stage(StrEnum):
    """Where a connection is on its way; pages name it."""

    SCANNING = "scanning"
    CONNECTING = "connecting"
    DISCOVERING = "discovering"
    LIVE = "live"
    ENDED = "ended"


class BleLink:
    """One connection, begun when made. address: of the board, "" for the first one that offers the service.

    backend: in place of the system's, for tests. after: the connection before, whose end is waited for.
    """

    def __init__(
        self,
        radio: Radio,
        clock: Clock,
        address: str = "",
        backend: tuple[Any, Any] | None = None,
        after: "BleLink | None" = None,
    ) -> None:
        self._radio, self._clock, self._address = radio, clock, address
        self._backend = backend or (None, None)
        self._wake = threading.Condition()
        self._queue: deque[tuple[bytes, int]] = deque()
        self._lost: LinkLost | None = None
        self._closed = False
        self._stage, self._overflows = Stage.SCANNING, 0
        self._rssi: int | None = None
        self._client: BleakClient | None = None
        self._write_size = _LEAST_WRITE
        self._over: asyncio.Event | None = None  # of the loop
        self._task: Future[None] = radio.start(self._live(after._task if after else None))

    @property
    def status(self) -> LinkStatus:
        return LinkStatus(state=str(self._stage), rssi_dbm=self._rssi, overflows=self._overflows)

    def read(self, timeout_s: float) -> tuple[bytes, int]:
        """Raises LinkLost with what went wrong, on the way there or after it."""
        until_us = self._clock.now_us() + round(timeout_s * 1e6)
        with self._wake:
            while not (self._queue or self._closed or self._lost) and self._clock.now_us() < until_us:
                self._clock.wait(self._wake, until_us)
            if self._closed:
                raise LinkClosed("The Bluetooth link was closed.")
            if self._queue:
                pieces, now_us = b"".join(data for data, _ in self._queue), self._queue[-1][1]
                self._queue.clear()
                return pieces, now_us
            if self._lost:
                raise self._lost
        return b"", self._clock.now_us()

    def send(self, data: bytes) -> None:
        """Before it is connected, commands are let go. Raises LinkLost after the end."""
        if self._lost or self._closed:
            raise self._lost or LinkLost("radio_lost", "The Bluetooth link was closed.")
        if self._stage is Stage.LIVE:
            self._radio.start(self._write(data))

    def close(self) -> None:
        """The disconnecting goes on in the radio's loop; the next connection waits for it."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        self._radio.call(self._end)

    # -- in the radio's loop --------------------------------------------------------------------------------------

    async def _live(self, before: "Future[None] | None") -> None:
        self._over = asyncio.Event()
        try:
            if before is not None:
                await asyncio.wait([asyncio.wrap_future(before)], timeout=2 * END_S)
            async with self._radio.busy:
                if not self._closed:
                    await self._connect()
            if not self._closed:
                self._stage = Stage.LIVE
                await self._over.wait()
        except Exception as error:  # whatever the stack does, the link ends with a kind and a sentence
            self._fail(error if isinstance(error, LinkLost) else self._lost_by(error))
        finally:
            self._stage = Stage.ENDED
            await self._disconnect()

    async def _connect(self) -> None:
        device, heard = await self._find()
        self._rssi = heard.rssi
        self._stage = Stage.CONNECTING
        client = self._client = BleakClient(
            device, disconnected_callback=self._gone, timeout=CONNECT_S, **_chosen(self._backend[1])
        )
        async with asyncio.timeout(CONNECT_S):
            await client.connect()
        self._stage = Stage.DISCOVERING
        async with asyncio.timeout(SUBSCRIBE_S):
            service = client.services.get_service(UART_SERVICE)
            writable = service.get_characteristic(TO_BOARD) if service else None
            if service is None or writable is None or service.get_characteristic(FROM_BOARD) is None:
                raise LinkLost("no_uart_service", f"{device.address} has no Nordic UART Service: it is no table.")
            self._write_size = max(_LEAST_WRITE, writable.max_write_without_response_size)
            await client.start_notify(FROM_BOARD, self._heard)

    async def _find(self) -> tuple[BLEDevice, AdvertisementData]:
        found: asyncio.Future[tuple[BLEDevice, AdvertisementData]] = asyncio.get_running_loop().create_future()

        def see(device: BLEDevice, advertisement: AdvertisementData) -> None:
            ours = (
                device.address.upper() == self._address.upper()
                if self._address
                else UART_SERVICE in advertisement.service_uuids
            )
            if ours and not found.done():
                found.set_result((device, advertisement))

        # By address no service is asked for: some bridges do not advertise it.
        asked = None if self._address else [UART_SERVICE]
        scanner = BleakScanner(see, service_uuids=asked, **_chosen(self._backend[0]))
        try:
            async with asyncio.timeout(SCAN_S), scanner:
                return await found
        except TimeoutError as error:
            what = self._address or "a table"
            raise LinkLost("not_found", f"{what} was not seen by Bluetooth within {SCAN_S:g} s.") from error

    def _heard(self, characteristic: BleakGATTCharacteristic, data: bytearray) -> None:
        with self._wake:
            if len(self._queue) >= _QUEUED:
                self._overflows += 1
                return
            self._queue.append((bytes(data), self._clock.now_us()))
            self._wake.notify_all()

    def _gone(self, client: BleakClient) -> None:
        """Called by bleak, or not, also when it was we who left: then it means nothing."""
        if not self._closed:
            self._fail(LinkLost("radio_lost", f"The Bluetooth connection to {client.address} broke."))
        self._end()

    def _end(self) -> None:
        if self._over is not None:
            self._over.set()

    def _fail(self, lost: LinkLost) -> None:
        with self._wake:
            self._lost = self._lost or lost
            self._wake.notify_all()

    def _lost_by(self, error: BaseException) -> LinkLost:
        kind = self._kind(error)
        return LinkLost(kind, said(kind, error))

    def _kind(self, error: BaseException) -> str:
        kind = kind_of(error)
        if kind == "radio_lost" and self._stage is not Stage.LIVE:
            return "services_failed" if self._stage is Stage.DISCOVERING else "connect_failed"
        return kind

    async def _write(self, data: bytes) -> None:
        client = self._client
        try:
            for start in range(0, len(data), self._write_size):
                assert client is not None
                await client.write_gatt_char(TO_BOARD, data[start : start + self._write_size], response=False)
        except Exception as error:
            self._fail(self._lost_by(error))
            self._end()

    async def _disconnect(self) -> None:
        """Whatever state it is in, with a limit: a client that never answers is given up."""
        client, self._client = self._client, None
        if client is None:
            return
        try:
            async with asyncio.timeout(END_S):
                await client.disconnect()
        except Exception as error:
            self._fail(self._lost_by(error))


class BleOpener:
    """Opens connections by one radio, one after the other. `close` ends the radio too."""

    def __init__(
        self, clock: Clock, address: str = "", backend: tuple[Any, Any] | None = None, radio: Radio | None = None
    ) -> None:
        self.radio = radio or Radio()
        self._clock, self._address, self._backend = clock, address, backend
        self._last: BleLink | None = None

    def __call__(self) -> BleLink:
        self._last = BleLink(self.radio, self._clock, self._address, self._backend, self._last)
        return self._last

    def close(self) -> None:
        self.radio.close()


def _chosen(backend: Any) -> dict[str, Any]:
    return {"backend": backend} if backend is not None else {}
