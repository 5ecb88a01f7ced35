"""Pictures on the buttons for those who cannot read yet, in the games that are kept by hand."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.cirkis_play import drawn, tap
from tests.web.harness import Opened
from tests.web.played import PlayedTable, played_table

Open = Callable[..., Opened]
WORDS = {
    "es": ("Dibujos en vez de leer", "Leer en vez de dibujos"),
    "en": ("Pictures instead of reading", "Words instead of pictures"),
}
INSIDE = """() => [...document.querySelectorAll("#actions button, #page button")]
  .map((e) => [e.id || e.className, e.getBoundingClientRect(), e])
  .filter(([, r, e]) => r.width && (r.left < -0.5 || r.right > innerWidth + 0.5 || r.bottom > innerHeight + 0.5
    || e.scrollHeight > e.clientHeight + 1))
  .map(([name]) => name)"""


referee = pytest.fixture(played_table)


def pictured(page: Page, sign: str) -> None:
    page.wait_for_function(
        "(s) => getComputedStyle(document.getElementById('main'), '::before').content.includes(s)", arg=sign
    )


@pytest.mark.parametrize("lang", ["es", pytest.param("en", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("kind", "sign"), [("cirkis", "⬇"), ("tiki", "✔")])
def test_buttons_show_what_they_do_and_all_still_fits(
    referee: PlayedTable, open_page: Open, kind: str, sign: str, lang: str
) -> None:
    game = referee.gather(kind, "Ana", "Benito", "Carla", "Maximiliano")
    page = open_page(f"/g/{game}", "small", lang).page
    pictures, words = WORDS[lang]
    dialog = page.get_by_role("dialog")
    expect(page.locator("#undo")).to_be_enabled()
    page.locator("#menu").click()
    dialog.get_by_text(pictures).click()
    pictured(page, sign)
    page.reload()
    pictured(page, sign)  # it is kept on the phone
    if kind == "cirkis":
        drawn(page)
        tap(page, 7)
        expect(page.locator("#side")).to_be_visible()
    assert page.evaluate(INSIDE) == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.locator("#menu").click()
    dialog.get_by_text(words).click()
    page.wait_for_function("() => getComputedStyle(document.getElementById('main'), '::before').content === 'none'")
