"""Recorded games refereed by the whole product, from the lobby to the standings, in Chromium:

    python -m tests.web.recorded RECORDINGS [--speed 4] [game2-nominal game3-nominal game4-nominal]

The recording's samples go through the table process as if live; players are entered and the game is begun on the page.
Prints every turn beside the truth, what the page showed at the end, and how many turns were right. Nobody answers
questions: the best reading counts. Exit code 1 where a turn or the winner differs.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from companion.clock import SystemClock, pause
from companion.journal import MemoryJournal
from companion.process.kinds import known_kinds
from companion.process.referee.facts import TableFacts
from companion.process.referee.service import Service
from companion.process.referee.supervise import start_table
from companion.table import SECOND, to_seconds
from tests.truth import from_folder
from tests.web.engines import Chromium, chromium
from tests.web.harness import CHROMIUM
from tests.web.scripted import CODE
from tests.web.whole_game import KEEP_PILES, enter, join, standings
from web.serve import serve

GAMES = ("game2-nominal", "game3-nominal", "game4-nominal")


@dataclass(frozen=True)
class Refereed:
    """What came of one recording. ends: the turn_end rulings; asked: kinds of questions that a person would have been
    asked; winner: as the page shows it; shown: piles it showed.
    """

    ends: Sequence[Mapping[str, Any]]
    asked: Sequence[str]
    winner: str
    shown: Sequence[Sequence[int]]


@contextmanager
def serving(folder: Path, speed: float, clips: Path | None = None) -> Iterator[tuple[Service, str]]:
    """The product over a recording that has not begun yet, and its address. clips: where they are kept; None: none."""
    table = json.loads((folder / "table.json").read_text("utf-8"))
    tiles = tuple((float(t["x"]), float(t["y"]), float(t["rot"])) for t in table["tiles"])
    clock = SystemClock(speed)
    service = Service(
        MemoryJournal(),
        known_kinds(),
        clock,
        TableFacts("Mesa", tiles, float(table.get("side", 150.0))),
        start=lambda: start_table(f"replay:{folder}", clock),
        code=lambda: CODE,
        clips=clips,
    )
    try:
        pages = serve(service.referee, "127.0.0.1", 0)
        try:
            yield service, pages.url
        finally:
            pages.close()
    finally:
        service.close()


def referee(browser: Browser, folder: Path, truth: Mapping[str, Any], speed: float) -> Refereed:
    """Lobby, play, standings."""
    names, first = truth["game"]["players"], truth["game"]["first"]
    with serving(folder, speed) as (service, url), chromium(browser) as phone:
        service.start_judging()
        settings = {"last_call": "assumed", "best_of": 1, "answers": "nobody"}
        created = {"kind": "yikerz", "sensors": True, "settings": settings}
        service.referee.post({"id": "recorded", "name": "new_game", "args": created})
        join(phone, url, "Ana")
        phone.goto(url + "/g/g1")
        enter(phone, names, first, anyway=True)  # the recording has not begun: the sensors see nothing yet
        phone.js(KEEP_PILES)
        service.supervisor.start()
        while not _over(phone) and json.loads(service.referee.lobby().data)["sensors"] != "none":
            pause(SystemClock(), SECOND // 2)  # the sensors are gone when the recording is over
        pause(service.clock, 11 * SECOND)  # the last ten seconds may still run
        winner = ""
        if _over(phone):
            winner = str(phone.js("document.getElementById('title').textContent"))
            standings(phone, winner)
        document = service.referee.document("g1", "json")
        assert document is not None
        rulings = json.loads(document.data)["rulings"]
        ends = [r for r in rulings if r["kind"] == "turn_end"]
        asked = [str(r["data"].get("code", r["kind"])) for r in rulings if r.get("asked")]
        return Refereed(ends, asked, winner, phone.js("window.piles"))


def _over(phone: Chromium) -> bool:
    return bool(phone.js("document.body.dataset.phase === 'game_end'"))


def compare(name: str, truth: Mapping[str, Any], seen: Refereed) -> bool:
    """Print ruled beside true; whether all is alike. Times: s after the first true turn began."""
    print(f"\n{name}: turn ends, ruled | true (player, seconds, reason, piles)")
    right, zero_us = 0, None
    for ruling, turn in zip_longest(seen.ends, truth["turns"]):
        if ruling is not None and turn is not None and zero_us is None:
            zero_us = ruling["t_us"] - round(turn["t_end"] * SECOND)
        mine = ruling and (ruling["player"], ruling["data"]["reason"], ruling["data"]["piles"])
        true = turn and (turn["player"], turn["reason"], turn["piles"])
        same = mine == true
        right += same
        left = mine and f"{mine[0]} {to_seconds(ruling['t_us'] - (zero_us or 0)):8.2f} {mine[1]:13} {mine[2]}"
        beside = true and f"{true[0]} {turn['t_end']:8.2f} {true[1]:13} {true[2]}"
        print(f"  {'' if same else '*':1} {left or '-':46} | {beside or '-'}")
    names = truth["game"]["players"]
    winner = names[truth["winner"]]
    on_page = sum(turn["piles"] in seen.shown for turn in truth["turns"])
    print(f"  {right} of {len(truth['turns'])} turns as true; {on_page} of the true piles were on the page;", end=" ")
    print(f"asked: {', '.join(seen.asked) or 'nothing'}; winner on the page {seen.winner or '-'}, true {winner}")
    return right == len(truth["turns"]) == len(seen.ends) and seen.winner == winner


def main(arguments: Sequence[str]) -> int:
    """See the head of this file."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.recorded", description=__doc__.splitlines()[0])
    parser.add_argument("recordings", type=Path, help="the folder with the recordings")
    parser.add_argument("games", nargs="*", default=GAMES, help=f"which of them (default: {', '.join(GAMES)})")
    parser.add_argument("--speed", type=float, default=4.0, help="times as fast as played (default: 4)")
    args = parser.parse_args(arguments)
    with sync_playwright() as playwright:
        path = CHROMIUM if Path(CHROMIUM).exists() else None
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        same = []
        for name in args.games:
            truth = from_folder(args.recordings / name)
            same.append(compare(name, truth, referee(browser, args.recordings / name, truth, args.speed)))
        browser.close()
    return 0 if all(same) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
