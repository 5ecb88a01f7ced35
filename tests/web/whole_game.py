"""A whole game played through the pages' own buttons, on one phone or on several at once, in any engine."""

from collections.abc import Sequence

from tests.web.engines import Engine
from tests.web.scripted import CODE

VIEW = "({phase: document.body.dataset.phase, title: document.getElementById('title').textContent})"

DUE = "document.getElementById('last').className.includes('due')"

KEEP_PILES = """(() => {
  window.piles = [];
  const box = document.getElementById("players");
  const read = () => window.piles.push([...box.querySelectorAll("b")].map((b) => Number(b.textContent)));
  read();
  new MutationObserver(read).observe(box, { childList: true });
})()"""
"""From then on the page keeps every state of the piles that it shows, in window.piles."""


def join(engine: Engine, url: str, name: str) -> None:
    """From the QR to the list of games."""
    engine.goto(f"{url}/j?c={CODE}")
    engine.wait("document.getElementById('name')")
    engine.type("#name", name)
    engine.click("button.main")
    engine.wait("document.getElementById('games') || document.getElementById('new-name')")


def gather(engines: Sequence[Engine], url: str, names: Sequence[str]) -> str:
    """A new game by hand with these players, begun; every phone is on its page. Its address."""
    first = engines[0]
    first.goto(url + "/")
    first.wait("document.querySelector('#games button.main')")
    first.click("#games button.main")
    first.wait("document.querySelector('#games section button.main')")
    first.click("#games section button.main")
    first.wait("document.getElementById('new-name')")
    for number, name in enumerate(names, start=1):
        first.type("#new-name", name)
        first.click("form button")
        first.wait(f"document.querySelectorAll('ol.plain-list li').length === {number}")
    first.js(
        "[...document.querySelectorAll('select')].filter((s) => s.options[0].value === '1').forEach((s) => "
        "{ s.selectedIndex = 0; s.dispatchEvent(new Event('change')); })"
    )
    first.wait(
        "[...document.querySelectorAll('select')].some((s) => s.options[0].value === '1' && s.selectedIndex === 0)"
    )
    address = str(first.js("location.href"))
    for engine in engines[1:]:
        engine.goto(address)
        engine.wait("document.getElementById('form').children.length")
    first.wait("!document.querySelector('#form > button.main').disabled")  # until what was chosen has arrived
    first.click("#form > button.main")
    for engine in engines:
        engine.wait("document.body.dataset.phase === 'turn'")
    return address


def play(engines: Sequence[Engine], snap_at: int = 5) -> str:
    """Every turn by buttons, a snap in one of them, until somebody has won; the winner as every page shows it.

    The phone that presses changes with every turn, so that with several each one plays.
    """
    turn = 0
    while True:
        engine = engines[turn % len(engines)]
        engine.wait("['turn', 'game_end'].includes(document.body.dataset.phase)")
        before = engine.js(VIEW)
        if before["phase"] == "game_end":
            break
        turn += 1
        if turn == snap_at:
            snap(engine)
        else:
            engine.wait("!document.getElementById('main').disabled")
            engine.click("#main")
        passed = f"document.getElementById('title').textContent !== {before['title']!r}"
        engine.wait(f"document.body.dataset.phase !== 'turn' || {passed}")
        if engine.js(DUE):
            engine.js("document.getElementById('last').click()")
            engine.wait(f"!({DUE})")
        engine.wait(
            f"document.body.dataset.phase.endsWith('_end') || document.body.dataset.phase === 'turn' && {passed}"
        )
        assert turn < 60
    winners = set()
    for engine in engines:
        engine.wait("document.body.dataset.phase === 'game_end'")
        winners.add(engine.js(VIEW)["title"])
    assert len(winners) == 1
    return str(winners.pop())


def snap(engine: Engine) -> None:
    """The stone of the turn sticks to one of the board; both are taken back."""
    engine.wait("!document.getElementById('side0').hidden")
    engine.click("#side0")
    engine.wait("document.querySelector('.numbers button')")
    engine.click(".numbers button")
    engine.wait("document.querySelectorAll('.panel .side').length === 3")
    engine.js("document.querySelector('.panel .side').click()")
    engine.wait("document.body.dataset.phase === 'removing'")
    engine.wait("document.querySelectorAll('#pips i').length === 2")
    engine.click("#main")


HOLD = """(() => {
  const held = [...document.querySelectorAll(".card button.hold")][0];
  held.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
})()"""


def enter(engine: Engine, names: Sequence[str], first: int, anyway: bool = False) -> None:
    """On the page of a game that gathers: the players, who deals, and begin; anyway: though something speaks against
    it.
    """
    for number, each in enumerate(names, start=1):
        engine.wait("document.getElementById('new-name')")
        engine.type("#new-name", each)
        engine.click("form button")
        engine.wait(f"document.querySelectorAll('ol.plain-list li').length === {number}")
    choose = f"s.selectedIndex = {first + 1}; s.dispatchEvent(new Event('change'));"
    engine.js(f"(s => {{ {choose} }})(document.querySelector('select'))")
    engine.wait(f"document.querySelector('select').selectedIndex === {first + 1}")
    engine.wait("!document.querySelector('#form > button.main').disabled")  # until what was chosen has arrived
    engine.js(HOLD) if anyway else engine.click("#form > button.main")
    engine.wait("document.body.dataset.phase === 'turn'")
    engine.wait(f"document.getElementById('title').textContent === {names[first]!r}")


def standings(engine: Engine, winner: str) -> None:
    """The menu leads to the standings; the first there has won."""
    engine.click("#menu")
    engine.wait("document.querySelectorAll('.panel .side').length > 4")
    engine.js("document.querySelectorAll('.panel .side')[1].click()")
    engine.wait("document.querySelector('.panel ol li b')")
    assert engine.js("document.querySelector('.panel ol li b').textContent") == winner
