"""The harness: a scripted referee, a real server on a free loopback port, Chromium pages; all end with the test.

A machine under load looks late and waits long: what a page takes away by itself stays here, a page of a referee whose
clock stands has one that stands too, and no limit of time is near.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

import web
from tests.web.scripted import CODE, ScriptedReferee
from web.serve import Serving, serve

CHROMIUM = "/usr/bin/chromium"
SIZES = {"small": (320, 460), "phone": (390, 844), "screen": (1280, 720)}
LIMIT_MS = 60_000  # for a hanging test; nothing is judged by it
expect.set_options(timeout=LIMIT_MS)

_SCRIPTS = "".join(path.read_text("utf-8") for path in (Path(web.__file__).parent / "static").glob("*.js"))
_SAID_MS = sorted({int(ms) for ms in re.findall(r"^const (?:CALL|NOTE)_MS = (\d+);", _SCRIPTS, re.MULTILINE)})
WORDS_STAY = f"""(() => {{
  const later = window.setTimeout;
  window.setTimeout = (f, ms, ...more) => later(f, {_SAID_MS}.includes(ms) ? {LIMIT_MS} : ms, ...more);
}})()"""
"""Calls and notes are still there for a test that looks after the seconds that people have to read them."""
CLOCK_STANDS = "performance.now = () => 60000"


@pytest.fixture
def referee() -> ScriptedReferee:
    """A referee that the test drives; its clock stands still."""
    return ScriptedReferee()


@pytest.fixture
def server(referee: ScriptedReferee, caplog: pytest.LogCaptureFixture) -> Iterator[Serving]:
    """The pages of `referee`, served as the product serves them; what the server logs as an error fails the test."""
    serving = serve(referee, "127.0.0.1", 0)
    yield serving
    serving.close()
    assert serving.slots.used == 0
    logged = caplog.get_records("call") + caplog.get_records("teardown")
    assert [record.getMessage() for record in logged if record.levelname == "ERROR"] == []


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole run."""
    path = CHROMIUM if Path(CHROMIUM).exists() else None
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@dataclass
class Opened:
    """A page with what went wrong in it and what it asked for."""

    page: Page
    errors: list[str]
    requests: list[Any]


@pytest.fixture
def open_page(server: Serving, browser: Browser, referee: object) -> Iterator[Callable[..., Opened]]:
    """open_page(path, size, lang, code=True, **context) -> Opened; script errors fail the test at its end."""
    contexts, opened = [], []

    def open_it(path: str, size: str = "small", lang: str = "es", code: bool = True, **context: Any) -> Opened:
        width, height = SIZES[size]
        fresh = browser.new_context(viewport={"width": width, "height": height}, locale=lang, **context)
        contexts.append(fresh)
        fresh.set_default_timeout(LIMIT_MS)
        fresh.add_init_script(WORDS_STAY)
        if isinstance(referee, ScriptedReferee):
            fresh.add_init_script(CLOCK_STANDS)
        if code:
            fresh.add_cookies([{"name": "table_code", "value": CODE, "url": server.url}])
        one = Opened(fresh.new_page(), [], [])
        one.page.on("pageerror", lambda error: one.errors.append(str(error)))
        one.page.on("console", lambda said: one.errors.append(said.text) if said.type == "error" else None)
        one.page.on("request", lambda request: one.requests.append(request))
        opened.append(one)
        one.page.goto(server.url + path)
        return one

    yield open_it
    for context in contexts:
        context.close()
    assert [error for one in opened for error in one.errors] == []
