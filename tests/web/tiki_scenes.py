"""Games of Tiki Topple for the page tests: the real rules behind the scripted referee."""

from typing import Any

from companion.games.fold import Fold, Folded
from companion.games.game import Command
from companion.games.gathered import Gathered
from companion.games.tiki import State
from companion.process.kinds.tiki import tiki
from companion.views.context import Undoable, ViewContext

NAMES = ("Ana", "Beto", "Carla", "Maximiliano")
LINE = ("nani", "wikiwiki", "huhu", "nui", "lokahi", "akamai", "eepo", "hookipa", "kapu")
CARDS = (
    ("nani", "nui", "eepo"),
    ("wikiwiki", "nani", "kapu"),
    ("huhu", "lokahi", "hookipa"),
    ("kapu", "wikiwiki", "huhu"),
)


class TikiGame:
    """A game that begins; `press` as a phone does, `view` as the referee shows it."""

    def __init__(self, players: int = 4, **chosen: Any) -> None:
        self.kind = tiki()
        self.fold = Fold(self.kind.game)
        self.folded: Folded[Gathered[State]] = self.fold.start(chosen)
        self.count = 0
        for name in NAMES[:players]:
            self.press("add_player", name=name)
        self.players = players

    @property
    def state(self) -> Gathered[State]:
        return self.folded.state

    def press(self, name: str, player: int | None = None, /, **args: Any) -> str:
        """Press; the code of the refusal or ""."""
        self.count += 1
        command = Command(f"id-{self.count}", name, self.count * 1000, 0, "Ana", player, args)
        self.folded, step = self.fold.apply(self.folded, command)
        return step.refusal.code if step.refusal else ""

    def take(self, posted: dict[str, Any]) -> str:
        """Take what a page has posted; the code of the refusal or ""."""
        return self.press(posted["name"], posted["player"], **posted["args"])

    def view(self) -> dict[str, Any]:
        undoable = tuple(Undoable(done.what, done.by) for done in reversed(self.folded.done[-1:]))
        context = ViewContext(
            "g1", "tiki", version=self.count, undoable=undoable, undone=self.folded.undone, dispute=self.folded.dispute
        )
        return dict(self.kind.encode(self.state, context))

    def started(self) -> "TikiGame":
        assert self.press("start") == ""
        return self

    def lined_up(self) -> "TikiGame":
        assert self.press("line_up", line=list(LINE)) == ""
        return self

    def play(self, card: str, tiki_name: str = "") -> None:
        current = self.current
        args = {"card": card} | ({"tiki": tiki_name} if tiki_name else {})
        assert self.press("play", current["turn"], **args) == ""

    @property
    def current(self) -> dict[str, Any]:
        found: dict[str, Any] = self.view()["round"]
        return found

    def first_turns(self) -> "TikiGame":
        for _ in range(self.players):
            self.play("up_1", "kapu")
        return self

    def to_the_end(self) -> "TikiGame":
        while self.view()["phase"] == "play":
            self.play("toast")
        return self

    def entered(self, players: int) -> "TikiGame":
        for player, card in enumerate(CARDS[:players]):
            assert self.press("secret", player, tikis=list(card)) == ""
        return self

    def scored(self) -> "TikiGame":
        return self.started().scored_again()

    def scored_again(self) -> "TikiGame":
        """One more round."""
        self.lined_up().first_turns().to_the_end().entered(self.players)
        assert self.press("reveal") == ""
        assert self.press("score") == ""
        return self


def every_phase() -> dict[str, dict[str, Any]]:
    """A view of each thing that a page has to show, four players with a long name among them."""
    shown = TikiGame().started().lined_up().first_turns().to_the_end().entered(3)
    ended = shown.view()
    assert shown.press("reveal") == ""
    over = TikiGame().scored()
    for player in (0, 2, 3):
        assert over.press("leave", player) == ""
    return {
        "line_up": TikiGame().scored().view(),
        "first turn": TikiGame().started().lined_up().view(),
        "play": TikiGame().started().lined_up().first_turns().view(),
        "places": TikiGame(mode="quick").started().view(),
        "ended": ended,
        "revealed": shown.view(),
        "over": over.view(),
    }
