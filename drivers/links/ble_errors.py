"""Failures of the Bluetooth stack as kinds of trouble (one table, looked through in order), and in plain words."""

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

ADVICE: Final = {
    "adapter_absent": "This computer has no Bluetooth, or its service does not run. "
    "On the Pi: sudo systemctl start bluetooth. Or use the USB cable.",
    "adapter_off": "Bluetooth is switched off. On the Pi: rfkill unblock bluetooth, then bluetoothctl power on.",
    "adapter_denied": "This program may not use Bluetooth. "
    "On the Pi: sudo usermod -aG bluetooth and the user's name, then log in again.",
    "adapter_busy": "Another program uses Bluetooth just now. "
    "Wait a moment. Close other Bluetooth apps if it does not pass.",
    "not_found": "The table does not answer by Bluetooth. "
    "Is it switched on and near? No other phone may be connected to it.",
    "connect_failed": "The Bluetooth connection failed. It is tried again by itself. Bring the Pi nearer to the table.",
    "connect_timeout": "The Bluetooth connection takes too long. "
    "Switch the table off and on. A USB Bluetooth stick disturbs Wi-Fi less than the built-in one.",
    "services_failed": "The table left while it was being asked what it can do. "
    "It is tried again by itself. Bring the Pi nearer to the table.",
    "radio_lost": "The Bluetooth connection broke. "
    "Bring the Pi nearer, or use a USB Bluetooth stick. The game waits and goes on by itself.",
    "radio_failed": "Bluetooth does not work as it should. "
    "On the Pi: sudo systemctl restart bluetooth. Or use the USB cable.",
    "no_uart_service": "The Bluetooth device that was found is not the table. Give the table's own Bluetooth address.",
}
"""What is wrong and what to do, by kind, for the terminal; pages say the same (web/locale/en/link.json)."""


def said(kind: str, error: BaseException) -> str:
    """One line for people: what is wrong, what to do, and in brackets what the stack said."""
    cause = str(error).split("\n")[0][:160] or type(error).__name__
    return f"{ADVICE[kind]} ({cause})"


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
