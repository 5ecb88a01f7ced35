"""The pictures of the READMEs, taken anew: `python -m tests.web.readme_pictures [FOLDER]` (default: docs/pictures)."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, sync_playwright

from tests.web import scenes
from tests.web.cirkis_play import drawn, play
from tests.web.harness import CHROMIUM, CLOCK_STANDS, SIZES
from tests.web.played import PlayedTable
from tests.web.scripted import CODE, ScriptedReferee
from tests.web.tiki_scenes import TikiGame
from web.serve import serve

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SEAT = "localStorage.setItem('seat:g1', '0')"


class Picture(NamedTuple):
    """path: of the page; size: of harness.SIZES; scale: pixels of the picture for one of the page's."""

    name: str
    path: str
    size: str
    scale: float


def yikerz(referee: ScriptedReferee) -> list[Picture]:
    """Three players; the stone has been let go, and seven seconds are left."""
    referee.show(scenes.settling(referee.clock_us, 6.8, players=3))
    return [Picture("live", "/g/g1", "phone", 2.0), Picture("tv", "/g/g1/tv", "screen", 1.0)]


def tiki(referee: ScriptedReferee) -> list[Picture]:
    referee.show(TikiGame(3).scored().lined_up().first_turns().view())
    return [Picture("tiki", "/g/g1", "phone", 1.5)]


def cirkis(table: PlayedTable) -> list[Picture]:
    game = table.gather("cirkis", *scenes.NAMES[:3])
    play(table, game, 24)
    return [Picture("cirkis", f"/g/{game}", "phone", 1.5)]


def take(browser: Browser, folder: Path) -> None:
    """Every picture in both languages."""
    parts: list[tuple[ScriptedReferee | PlayedTable, Callable[..., list[Picture]]]] = [
        (ScriptedReferee(), yikerz),
        (ScriptedReferee(), tiki),
        (PlayedTable(), cirkis),
    ]
    for referee, pictures in parts:
        serving = serve(referee, "127.0.0.1", 0)
        try:
            for picture in pictures(referee):
                for lang in ("es", "en"):
                    width, height = SIZES[picture.size]
                    context = browser.new_context(
                        viewport={"width": width, "height": height}, locale=lang, device_scale_factor=picture.scale
                    )
                    context.add_cookies([{"name": "table_code", "value": CODE, "url": serving.url}])
                    context.add_init_script(SEAT)
                    if isinstance(referee, ScriptedReferee):
                        context.add_init_script(CLOCK_STANDS)
                    page = context.new_page()
                    page.goto(serving.url + picture.path)
                    if picture.name == "cirkis":
                        drawn(page)
                    page.wait_for_timeout(1000)
                    page.screenshot(path=folder / f"{picture.name}-{lang}.png")
                    context.close()
        finally:
            serving.close()
            if isinstance(referee, PlayedTable):
                referee.close()


def main(words: list[str]) -> None:
    folder = Path(words[0]) if words else PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        take(browser, folder)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
