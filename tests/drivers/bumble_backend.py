"""A backend for the real BleakScanner and BleakClient over bumble's Bluetooth stack and a virtual radio.

`Air` holds the radio and this side's device; `Bridge` is a peripheral that speaks the Nordic UART Service, as the UART
bridge of a board does. Everything runs in the loop of the product's own Radio.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from bleak.backends.characteristic import BleakGATTCharacteristic
from bleak.backends.client import BaseBleakClient
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner
from bleak.backends.service import BleakGATTService, BleakGATTServiceCollection
from bleak.exc import BleakBluetoothNotAvailableError, BleakError
from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData
from bumble.device import Device, Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink

from drivers.links.ble import FROM_BOARD, TO_BOARD, UART_SERVICE

ADDRESS = "C0:11:22:33:44:66"
_PROPERTIES = {
    "read": Characteristic.Properties.READ,
    "write": Characteristic.Properties.WRITE,
    "write-without-response": Characteristic.Properties.WRITE_WITHOUT_RESPONSE,
    "notify": Characteristic.Properties.NOTIFY,
}


class Air:
    """The virtual radio. failures: errors raised, one each, by the next starts of a scan or connects.

    scans, connects: how many were begun; together: the most that ran at one time. deaf: connects never end.
    """

    def __init__(self) -> None:
        self.link = LocalLink()
        self.scan_failures: list[Exception] = []
        self.connect_failures: list[Exception] = []
        self.scans = self.connects = self.running = self.together = 0
        self.deaf = False
        self.late_s = 0.0  # before services are known

    async def open(self) -> None:
        self.central = _device("central", "F0:00:00:00:00:01", self.link)
        await self.central.power_on()

    @property
    def backend(self) -> tuple[type[BaseBleakScanner], type[BaseBleakClient]]:
        """Scanner and client types bound to this air."""
        air = self

        class AirScanner(BumbleScanner):
            def __init__(self, *arguments: Any, **options: Any) -> None:
                super().__init__(air, *arguments, **options)

        class AirClient(BumbleClient):
            def __init__(self, *arguments: Any, **options: Any) -> None:
                super().__init__(air, *arguments, **options)

        return AirScanner, AirClient

    def begin(self) -> None:
        self.running += 1
        self.together = max(self.together, self.running)

    def end(self) -> None:
        self.running -= 1


class BumbleScanner(BaseBleakScanner):
    def __init__(
        self, air: Air, detection_callback: Any = None, service_uuids: Any = None, *args: Any, **options: Any
    ) -> None:
        super().__init__(detection_callback, service_uuids)
        self._air = air

    async def start(self) -> None:
        self._air.scans += 1
        if self._air.scan_failures:
            raise self._air.scan_failures.pop(0)
        self._air.begin()
        self.seen_devices = {}
        self._air.central.on("advertisement", self._on)
        await self._air.central.start_scanning(active=True)

    async def stop(self) -> None:
        await self._air.central.stop_scanning()
        self._air.central.remove_listener("advertisement", self._on)
        self._air.end()

    def _on(self, heard: Any) -> None:
        listed = heard.data.get(AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS) or []
        uuids = [_text(uuid) for uuid in listed]
        data = AdvertisementData(None, {}, {}, uuids, None, heard.rssi, (heard,))
        address = str(heard.address).split("/")[0]
        device = self.create_or_update_device(address, address, None, heard, data)
        if self.is_allowed_uuid(uuids):
            self.call_detection_callbacks(device, data)


class BumbleClient(BaseBleakClient):
    def __init__(self, air: Air, address_or_ble_device: Any, *args: Any, **options: Any) -> None:
        super().__init__(address_or_ble_device, **options)
        self._air = air
        self._connection: Any = None
        self._subscribed: dict[int, Any] = {}

    @property
    def name(self) -> str:
        return "bumble"

    @property
    def mtu_size(self) -> int:
        return int(self._connection.att_mtu) if self._connection else 23

    @property
    def is_connected(self) -> bool:
        return self._connection is not None

    async def connect(self, pair: bool, **options: Any) -> None:
        air = self._air
        air.connects += 1
        air.begin()
        try:
            if air.connect_failures:
                raise air.connect_failures.pop(0)
            if air.deaf:
                await asyncio.Event().wait()
            self._connection = await air.central.connect(self.address)
            self._connection.on("disconnection", self._gone)
            await self._discover()
        finally:
            air.end()

    async def _discover(self) -> None:
        peer = self._peer = Peer(self._connection)
        await peer.request_mtu(247)
        await asyncio.sleep(self._air.late_s)
        if self._connection is None:
            raise BleakError("failed to discover services, device disconnected")
        await peer.discover_services()
        found = BleakGATTServiceCollection()
        for service in peer.services:
            await service.discover_characteristics()
            ours = BleakGATTService(service, service.handle, _text(service.uuid))
            found.add_service(ours)
            for each in service.characteristics:
                can = [name for name, flag in _PROPERTIES.items() if each.properties & flag]
                found.add_characteristic(
                    BleakGATTCharacteristic(each, each.handle, _text(each.uuid), can, lambda: self.mtu_size - 3, ours)
                )
        self.services = found

    def _gone(self, *reason: Any) -> None:
        if self._connection is not None:
            self._connection = None
            if self._disconnected_callback:
                self._disconnected_callback()

    async def disconnect(self) -> None:
        if self._connection is not None:
            await self._connection.disconnect()

    async def write_gatt_char(self, characteristic: BleakGATTCharacteristic, data: Any, response: bool) -> None:
        if self._connection is None:
            raise BleakError("Not connected")
        await characteristic.obj.write_value(bytes(data), with_response=response)

    async def start_notify(self, characteristic: BleakGATTCharacteristic, callback: Any, **options: Any) -> None:
        self._subscribed[characteristic.handle] = lambda value: callback(bytearray(value))
        await self._peer.subscribe(characteristic.obj, self._subscribed[characteristic.handle])

    async def stop_notify(self, characteristic: BleakGATTCharacteristic) -> None:
        await self._peer.unsubscribe(characteristic.obj, self._subscribed.pop(characteristic.handle))

    async def pair(self, *args: Any, **options: Any) -> None:
        raise NotImplementedError

    async def unpair(self) -> None:
        raise NotImplementedError

    async def read_gatt_char(self, characteristic: Any, **options: Any) -> bytearray:
        raise NotImplementedError

    async def read_gatt_descriptor(self, descriptor: Any, **options: Any) -> bytearray:
        raise NotImplementedError

    async def write_gatt_descriptor(self, descriptor: Any, data: Any) -> None:
        raise NotImplementedError


class Bridge:
    """A peripheral with the UART service. heard: what was written to it. on_greet: called after each write.

    truncated: it cuts each notification to so many bytes, as one that ignores the size agreed on.
    """

    def __init__(self, air: Air, address: str = ADDRESS, service: str = UART_SERVICE) -> None:
        self.heard = bytearray()
        self.on_write: Callable[[bytes], None] = lambda data: None
        self.truncated: int | None = None
        self.connections: list[Any] = []
        self._service = service
        self._device = _device("bridge", address, air.link)

    async def open(self) -> None:
        kinds = Characteristic.Properties
        self._tx = Characteristic(FROM_BOARD, kinds.NOTIFY, Characteristic.READABLE, b"")
        receive = Characteristic(
            TO_BOARD,
            kinds.WRITE | kinds.WRITE_WITHOUT_RESPONSE,
            Characteristic.WRITEABLE,
            CharacteristicValue(write=self._write),
        )
        self._device.add_service(Service(self._service, [receive, self._tx]))
        self._device.on("connection", self.connections.append)
        await self._device.power_on()
        uuid = bytes(UUID(UART_SERVICE))
        self._device.advertising_data = bytes(
            AdvertisingData([(AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, uuid)])
        )
        await self._device.start_advertising(
            auto_restart=True, advertising_interval_min=20, advertising_interval_max=20
        )

    async def notify(self, data: bytes, size: int = 20) -> None:
        """Send bytes in notifications of at most so many each."""
        for start in range(0, len(data), size):
            await self._device.notify_subscribers(self._tx, data[start : start + size][: self.truncated])

    async def drop(self) -> None:
        """Break the connection from this side: out of range, or reset."""
        await self.connections[-1].disconnect()

    def _write(self, connection: Any, value: bytes) -> None:
        self.heard += value
        self.on_write(bytes(value))


def unavailable(reason: Any) -> BleakBluetoothNotAvailableError:
    return BleakBluetoothNotAvailableError("Bluetooth is not available", reason)


def _device(name: str, address: str, link: LocalLink) -> Device:
    controller = Controller(name, link=link)
    device = Device(name=name, address=Address(address), host=Host(controller, controller))
    device.host.controller = controller
    return device


def _text(uuid: Any) -> str:
    digits = bytes(reversed(uuid.to_bytes(force_128=True))).hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


async def air_and_bridge() -> tuple[Air, Bridge]:
    """Both opened: a radio's air with a board in it."""
    air = Air()
    await air.open()
    bridge = Bridge(air)
    await bridge.open()
    return air, bridge
