"""How tests hold a button that counts only when held: by the page's own second, wherever it may be drawn meanwhile."""

from playwright.sync_api import Locator, expect


def keep_pressed(button: Locator) -> None:
    """Press and stay on it; it counts by itself when its second is over."""
    expect(button).to_be_enabled()
    button.dispatch_event("pointerdown")


def touch(button: Locator) -> None:
    """Press and let go in the same moment, however slow the machine is."""
    expect(button).to_be_enabled()
    button.evaluate("(b) => ['pointerdown', 'pointerup'].forEach((name) => b.dispatchEvent(new PointerEvent(name)))")
