"""The players' cards of CirKis: whatever stands on one fits it."""

from collections.abc import Callable

import pytest

from tests.web.cirkis_play import drawn, play
from tests.web.harness import Opened
from tests.web.played import PlayedTable
from tests.web.scripted import ScriptedReferee

Open = Callable[..., Opened]
NAMES = ("Ana", "Benito", "Carla", "Maximiliano")

SIGNS_OUTSIDE = """() => [...document.querySelectorAll(".player")].flatMap((card) => {
  const box = card.getBoundingClientRect(), parts = [...card.children].filter((e) => !e.classList.contains("unseen"));
  const rects = parts.map((e) => e.getBoundingClientRect());
  const out = rects.some((r) => r.left < box.left || r.right > box.right || r.top < box.top || r.bottom > box.bottom);
  const over = rects.some((a, i) => rects.some((b, j) => i < j && a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 3 && b.top < a.bottom - 3));
  return out || over ? [card.textContent] : [];
})"""


@pytest.mark.parametrize("size", [(320, 460), (360, 640), (390, 844), (844, 390), (1280, 720)], ids=str)
def test_what_stands_on_a_players_card_stays_on_it_however_many_points(
    open_page: Open, referee: ScriptedReferee, size: tuple[int, int]
) -> None:
    table = PlayedTable()
    try:
        game = table.gather("cirkis", *NAMES)
        play(table, game, 8)
        view = dict(table.seen(game))
    finally:
        table.close()
    view["players"] = [{**p, "total": 188, "unplayed": 20, "lost": True} for p in view["players"]]
    referee.show(view)
    page = open_page(f"/g/{game}", "small", "es").page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    drawn(page)
    assert page.evaluate(SIGNS_OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
