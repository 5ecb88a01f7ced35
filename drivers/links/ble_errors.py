"""What the Bluetooth stack says when it fails, as kinds of trouble: one table, looked through in order."""

from collections.abc import Callable
from typing import Final

from bleak.exc import (
    BleakBluetoothNotAvailableError,
    BleakBluetoothNotAvailableReason,
    BleakCharacteristicNotFoundError,
    BleakDBusError,
    BleakDeviceNotFoundError,
)

_DENIED: Final = {
    BleakBluetoothNotAvailableReason.DENIED_BY_USER,
    BleakBluetoothNotAvailableReason.DENIED_BY_SYSTEM,
    BleakBluetoothNotAvailableReason.DENIED_BY_UNKNOWN,
}

_ERRORS: Final[tuple[tuple[Callable[[BaseException], bool], str], ...]] = (
    (lambda e: _unavailable(e, {BleakBluetoothNotAvailableReason.POWERED_OFF}), "adapter_off"),
    (lambda e: _unavailable(e, _DENIED), "adapter_denied"),
    (lambda e: isinstance(e, BleakBluetoothNotAvailableError), "adapter_absent"),
    (lambda e: isinstance(e, BleakDeviceNotFoundError), "not_found"),
    (lambda e: isinstance(e, BleakCharacteristicNotFoundError), "no_uart_service"),
    (lambda e: _dbus(e, "InProgress"), "adapter_busy"),
    (lambda e: _dbus(e, "NotReady"), "adapter_off"),
    (lambda e: _dbus(e, "ServiceUnknown", "NameHasNoOwner", "NoReply", "Disconnected"), "adapter_absent"),
    (lambda e: _dbus(e, "AccessDenied", "NotPermitted", "NotAuthorized"), "adapter_denied"),
    (lambda e: _dbus(e, "DoesNotExist", "UnknownObject", "UnknownMethod"), "not_found"),
    (lambda e: _says(e, "failed to discover services"), "services_failed"),
    (lambda e: _says(e, "no powered bluetooth adapters", "not powered"), "adapter_off"),
    (lambda e: _says(e, "no bluetooth adapters"), "adapter_absent"),
    (lambda e: _says(e, "inprogress", "in progress"), "adapter_busy"),
    (lambda e: _says(e, "was not found"), "not_found"),
    (lambda e: _says(e, "not connected", "disconnected"), "radio_lost"),
    (lambda e: isinstance(e, TimeoutError), "connect_timeout"),
    (lambda e: isinstance(e, OSError), "adapter_absent"),  # no message bus to ask
    (lambda e: _dbus(e, ""), "connect_failed"),
)


def kind_of(error: BaseException) -> str:
    """The kind of trouble (drivers.trouble); "radio_failed" for what nobody has seen yet."""
    return next((kind for fits, kind in _ERRORS if fits(error)), "radio_failed")


def _unavailable(error: BaseException, reasons: set[BleakBluetoothNotAvailableReason]) -> bool:
    return isinstance(error, BleakBluetoothNotAvailableError) and error.reason in reasons


def _dbus(error: BaseException, *ends: str) -> bool:
    return isinstance(error, BleakDBusError) and error.dbus_error.endswith(ends)


def _says(error: BaseException, *texts: str) -> bool:
    said = str(error).lower()
    return any(text in said for text in texts)
