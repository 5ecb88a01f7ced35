"""Playing CirKis in tests: what could be placed now, and taps on the page's board."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Page, expect

from companion.games.cirkis.pieces import coverable
from tests.web.played import PlayedTable

PLACES = sorted(coverable())


def places(view: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """All that the player in turn may cover by C04 and C05."""
    held = {space for deed in view["deeds"] for space in deed.get("s", [])}
    open_now = set(view["open"])
    return [covered for covered in PLACES if open_now & set(covered) and not held & set(covered)]


def play(table: PlayedTable, game: str, moves: int, seed: int = 3) -> None:
    """Some moves at random, large pieces first."""
    rng = random.Random(seed)
    for _ in range(moves):
        view = table.seen(game)
        if view["phase"] != "play":
            return
        can = places(view)
        if can:
            table.do("place", game, view["turn"], spaces=list(max((rng.choice(can) for _ in range(5)), key=len)))
        else:
            table.do("cannot_place", game, view["turn"])


def drawn(page: Page) -> None:
    """Wait until the board is there and can be pressed."""
    expect(page.locator("#board .spaces polygon")).to_have_count(165)
    expect(page.locator("#say")).not_to_be_empty()


def spot(page: Page, space: int) -> tuple[float, float]:
    """Where the page draws the sign of a space, in pixels."""
    x, y = page.evaluate(
        """(n) => {
          const polygon = document.querySelectorAll("#board .spaces polygon")[n];
          const points = polygon.getAttribute("points").split(" ").map((p) => p.split(",").map(Number));
          const weights = polygon.classList.contains("d") ? [0.55, 0, 0.45, 0] : [0.25, 0.25, 0.25, 0.25];
          const at = [0, 1].map((axis) => points.reduce((sum, p, k) => sum + weights[k] * p[axis], 0));
          const place = polygon.getScreenCTM();
          return [place.a * at[0] + place.e, place.d * at[1] + place.f];
        }""",
        space,
    )
    return x, y


def tap(page: Page, space: int) -> None:
    """Choose a space by a click on its sign."""
    page.mouse.click(*spot(page, space))


def put(page: Page, view: Mapping[str, Any], spaces: Sequence[int]) -> None:
    """Once the page shows this view: tap the spaces of a piece in an order in which each adjoins, press the button."""
    covered = sum(len(deed.get("s", [])) for deed in view["deeds"])
    expect(page.locator("#board .letters text")).to_have_count(covered)
    for space in in_order(spaces):
        tap(page, space)
    expect(page.locator("#main")).to_be_enabled()
    page.locator("#main").click()


def in_order(spaces: Sequence[int]) -> list[int]:
    """The spaces so that each adjoins one before it."""
    from companion.games.cirkis import board

    reached, rest = [spaces[0]], list(spaces[1:])
    while rest:
        following = next(space for space in rest if board().adjoining(reached) & {space})
        rest.remove(following)
        reached.append(following)
    return reached
