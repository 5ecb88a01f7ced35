"""Pictures of every page, to be looked at: `python -m tests.web.gallery FOLDER [blind] [PART...]`.

Every state, sheet and page in both languages, at the three sizes, with 2 to 6 players; with `blind` as people see it
who confuse colours. PART: only pictures whose name contains it. One sheet of pictures is made for each size.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web import scenes
from tests.web.harness import CHROMIUM, SIZES
from tests.web.scripted import CODE, ScriptedReferee
from tests.web.test_web_live_page import SHEETS, open_sheet, states
from web.serve import serve

BLINDNESS = ("deuteranopia", "protanopia", "tritanopia", "achromatopsia")


def pages(referee: ScriptedReferee) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(name, path, sizes) of every picture; the referee shows what belongs to it."""
    played, gathering = scenes.game(6), scenes.lobby_phase(3) | {"game": "g2"}
    entries = [
        {"game": v["game"], "kind": "yikerz", "phase": v["phase"], "players": v["players"], "holds": False}
        for v in (gathering, played, scenes.won(2) | {"game": "g3", "phase": "game_end"})
    ]
    referee.show(played)
    referee.show(gathering)
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": entries})
    every, tall = ("small", "phone", "screen"), ("small", "phone")
    for name, path in {"home": "/", "join": "/join", "gather": "/g/g2", "qr": "/qr"}.items():
        yield name, path, tall
    yield "tv-lobby", "/g/g2/tv", ("screen",)
    for players in range(2, 7):
        for name, view in states(referee.clock_us, players).items():
            if players in (2, 6) or name in ("turn", "countdown"):
                referee.show(view)
                yield f"{name}-{players}", "/g/g1", every
                if players in (2, 6):
                    yield f"tv-{name}-{players}", "/g/g1/tv", ("screen",)
    referee.show(scenes.by_hand(scenes.game(4)))
    for sheet in SHEETS:
        yield f"sheet-{sheet}", "/g/g1", tall


def look(page: Page, name: str) -> None:
    """What has to be done before the picture is taken."""
    if name.startswith("sheet-"):
        open_sheet(page, name.removeprefix("sheet-"))
    if name == "gather":
        page.locator("summary").click()
    page.wait_for_timeout(400)


def take(browser: Browser, folder: Path, wanted: list[str], blind: bool) -> None:
    referee = ScriptedReferee()
    serving = serve(referee, "127.0.0.1", 0)
    try:
        for lang in ("es", "en"):
            for name, path, sizes in pages(referee):
                for size in sizes:
                    if wanted and not any(part in f"{name}-{size}-{lang}" for part in wanted):
                        continue
                    width, height = SIZES[size]
                    context = browser.new_context(viewport={"width": width, "height": height}, locale=lang)
                    context.add_cookies([{"name": "table_code", "value": CODE, "url": serving.url}])
                    page = context.new_page()
                    page.goto(serving.url + path)
                    look(page, name)
                    full = path in ("/", "/g/g2", "/qr", "/join")
                    for kind in BLINDNESS if blind else ("",):
                        if kind:
                            session = context.new_cdp_session(page)
                            session.send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
                        end = f"-{kind}" if kind else ""
                        page.screenshot(path=folder / f"{name}-{size}-{lang}{end}.png", full_page=full)
                    context.close()
    finally:
        serving.close()


def sheets(folder: Path) -> None:
    """All pictures of one size and language side by side: fewer files to open. Their order is that of the names."""
    for size in SIZES:
        for lang in ("es", "en"):
            names = sorted(path for path in folder.glob(f"*-{size}-{lang}*.png") if not path.name.startswith("all-"))
            rows = [[Image.open(name) for name in names[at : at + 8]] for at in range(0, len(names), 8)]
            if not rows:
                continue
            width = max(sum(each.width + 8 for each in row) for row in rows)
            sheet = Image.new("RGB", (width, sum(max(each.height for each in row) + 8 for row in rows)), "white")
            y = 0
            for row in rows:
                x = 0
                for each in row:
                    sheet.paste(each, (x, y))
                    x += each.width + 8
                y += max(each.height for each in row) + 8
            sheet.save(folder / f"all-{size}-{lang}.png")


def main(words: list[str]) -> None:
    folder = Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    blind = "blind" in words[1:]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        take(browser, folder, [word for word in words[1:] if word != "blind"], blind)
        browser.close()
    sheets(folder)
    print(json.dumps(sorted(path.name for path in folder.glob("all-*.png"))))


if __name__ == "__main__":
    main(sys.argv[1:])
