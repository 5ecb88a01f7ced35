"""Pictures of every page, to be looked at: `python -m tests.web.gallery FOLDER [blind] [dark] [-PART...] [PART...]`.

Every state, sheet and page of the three games in both languages, at four sizes, with 2 to 6 players; with `dark` as a
phone shows it at night, with `blind` as people see it who confuse colours. PART: only pictures whose name contains it,
as in small-es-tiki; -PART: none of those. They are joined into sheets of a size that can be read, by size and language.
"""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web import scenes
from tests.web.gallery_played import EVERY, TALL, Shot, cirkis_shots, set_up_shots, tiki_shots, told_shots
from tests.web.harness import CHROMIUM, SIZES
from tests.web.played import PlayedTable
from tests.web.scripted import CODE, ScriptedReferee
from tests.web.test_web_live_page import SHEETS, open_sheet, states
from tests.web.test_web_unlike import ASKED, UNLIKE
from web.serve import serve

BLINDNESS = ("deuteranopia", "protanopia", "tritanopia", "achromatopsia")
LOOKS = SIZES | {"flat": (844, 390)}
HIGHEST = 1500
PER_SHEET = {"small": (5, 3, 1), "phone": (4, 2, 1), "flat": (2, 4, 1), "screen": (2, 3, 2)}
"""Of one size: how many beside each other, how many rows, and how much smaller they are joined."""


def pages(referee: ScriptedReferee) -> Iterator[Shot]:
    """The table's pages and those of ¡Yikerz!; the referee shows what belongs to each."""
    played, gathering = scenes.game(6), scenes.lobby_phase(3) | {"game": "g2"}
    entries = [
        {"game": v["game"], "kind": "yikerz", "phase": v["phase"], "players": v["players"], "holds": False}
        for v in (gathering, played, scenes.won(2) | {"game": "g3", "phase": "game_end"})
    ]
    referee.show(played)
    referee.show(gathering)
    yield Shot("home-empty", "/", TALL, whole=True)
    referee.show_lobby({"table": "Mesa", "sensors": "free", "games": entries})
    for name, path in {"home": "/", "join": "/join", "join-old": "/join?old=1", "qr": "/qr"}.items():
        yield Shot(name, path, EVERY, whole=True)
    yield Shot("gather", "/g/g2", EVERY, lambda page: page.locator("summary").click(), whole=True)
    yield Shot("tv-lobby", "/g/g2/tv", ("screen",))
    for players in range(2, 7):
        for name, view in states(referee.clock_us, players).items():
            if players in (2, 6) or name in ("turn", "countdown"):
                referee.show(view)
                yield Shot(f"{name}-{players}", "/g/g1", EVERY)
                if players in (2, 6):
                    yield Shot(f"tv-{name}-{players}", "/g/g1/tv", ("screen",))
    referee.show(scenes.by_hand(scenes.game(4)))
    for sheet in SHEETS:
        yield Shot(f"sheet-{sheet}", "/g/g1", ("small", "phone", "flat"), lambda page, s=sheet: open_sheet(page, s))
    referee.show(ASKED)
    referee.reply = lambda command: UNLIKE
    yield Shot(
        "sheet-unlike", "/g/g1", ("small", "phone", "flat"), lambda page: page.locator("#choices .side").last.click()
    )


def take(browser: Browser, folder: Path, wanted: Callable[[str], bool], dark: bool, blind: bool) -> None:
    """Take the pictures whose names are wanted."""
    parts: list[tuple[Any, Callable[[Any], Iterator[Shot]]]] = [
        (ScriptedReferee(), pages),
        (ScriptedReferee(), tiki_shots),
        (ScriptedReferee(), told_shots),
        (ScriptedReferee(), set_up_shots),
        (PlayedTable(), cirkis_shots),
    ]
    for referee, shots in parts:
        serving = serve(referee, "127.0.0.1", 0)
        try:
            for shot in shots(referee):
                for size in shot.sizes:
                    for lang in ("es", "en"):
                        name = f"{size}-{lang}-{shot.name}"
                        if wanted(name):
                            width, height = LOOKS[size]
                            context = browser.new_context(
                                viewport={"width": width, "height": height},
                                locale=lang,
                                color_scheme="dark" if dark else "light",
                            )
                            context.set_default_timeout(8_000)
                            context.add_cookies([{"name": "table_code", "value": CODE, "url": serving.url}])
                            page = context.new_page()
                            page.goto(serving.url + shot.path)
                            _picture(page, shot, folder / name, blind)
                            context.close()
        finally:
            serving.close()
            if isinstance(referee, PlayedTable):
                referee.close()


def _picture(page: Page, shot: Shot, path: Path, blind: bool) -> None:
    page.wait_for_timeout(200)
    try:
        if shot.press:
            shot.press(page)
    except Exception as error:  # a picture of what could not be pressed says more than no picture
        print(path.name, error, file=sys.stderr)
    page.wait_for_timeout(250)
    session = page.context.new_cdp_session(page) if blind else None
    for kind in BLINDNESS if blind else ("",):
        if session:
            session.send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
        page.screenshot(path=f"{path}{f'-{kind}' if kind else ''}.png", full_page=shot.whole)


def sheets(folder: Path) -> list[str]:
    """The pictures of one size and language side by side, in the order of their names; the names of the sheets."""
    out = []
    for size, (across, down, shrink) in PER_SHEET.items():
        for lang in ("es", "en"):
            names = sorted(folder.glob(f"{size}-{lang}-*.png"))
            for at in range(0, len(names), across * down):
                shown = [Image.open(name).convert("RGB") for name in names[at : at + across * down]]
                shown = [each.crop((0, 0, each.width, min(each.height, HIGHEST))) for each in shown]
                shown = [each.resize((each.width // shrink, each.height // shrink)) for each in shown]
                rows = [shown[k : k + across] for k in range(0, len(shown), across)]
                heights = [max(each.height for each in row) + 8 for row in rows]
                wide = max(sum(each.width + 8 for each in row) for row in rows)
                sheet = Image.new("RGB", (wide, sum(heights)), "magenta")
                for k, row in enumerate(rows):
                    for n, each in enumerate(row):
                        sheet.paste(each, (n * (each.width + 8), sum(heights[:k])))
                out.append(f"all-{size}-{lang}-{at // (across * down) + 1}.png")
                sheet.save(folder / out[-1])
    return out


def main(words: list[str]) -> None:
    folder = Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    parts = [word for word in words[1:] if word not in ("blind", "dark")]
    no = [part[1:] for part in parts if part.startswith("-")]
    yes = [part for part in parts if not part.startswith("-")]

    def wanted(name: str) -> bool:
        return (not yes or any(part in name for part in yes)) and not any(part in name for part in no)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        take(browser, folder, wanted, "dark" in words[1:], "blind" in words[1:])
        browser.close()
    print(json.dumps(sheets(folder)))


if __name__ == "__main__":
    main(sys.argv[1:])
