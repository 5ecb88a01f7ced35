"""A table at which Tiki Topple is played by commands as phones send them; text scenarios read from files."""

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.game import Command, Step
from companion.games.tiki import State, TikiTopple, private, public

SHEET_LINE = ["nani", "wikiwiki", "huhu", "nui", "lokahi", "akamai", "eepo", "hookipa", "kapu"]


NAMES = ["Ana", "Ben", "Cleo", "Dan"]


class Table:
    """Applies commands and keeps what was said; `ok` insists on acceptance, `no` on refusal."""

    def __init__(self, **settings: Any) -> None:
        self.game = TikiTopple()
        settings["players"] = NAMES[: settings.get("players", 3)]
        self.state: State = self.game.start(settings)
        self.ids = count(1)
        self.commands: list[Command] = []
        self.step: Step[State] = Step(self.state)

    def send(self, name: str, player: int | None = None, **args: Any) -> Step[State]:
        number = next(self.ids)
        command = Command(f"c{number}", name, 1000 * number, player=player, args=args)
        self.commands.append(command)
        self.step = self.game.apply(self.state, command)
        self.state = self.step.state
        return self.step

    def ok(self, name: str, player: int | None = None, **args: Any) -> Step[State]:
        step = self.send(name, player, **args)
        assert step.refusal is None, (name, player, args, step.refusal)
        return step

    def no(self, name: str, player: int | None = None, **args: Any) -> str:
        before = self.state
        step = self.send(name, player, **args)
        assert step.refusal is not None, (name, player, args)
        assert step.state == before
        assert step.rulings == ()
        return step.refusal.code

    @property
    def view(self) -> dict[str, Any]:
        return public(self.state)

    @property
    def kinds(self) -> list[str]:
        return [ruling.kind for ruling in self.step.rulings]

    @property
    def totals(self) -> dict[int, int]:
        return {row["player"]: row["total"] for row in self.view["players"]}

    def line_up(self, *line: str) -> None:
        self.ok("line_up", line=list(line or SHEET_LINE))

    def play(self, card: str, tiki: str | None = None) -> Step[State]:
        """The card by whose turn it is."""
        return self.ok("play", self.view["round"]["turn"], card=card, tiki=tiki)

    def quick_round(self, places: str, cards: dict[int, str]) -> Step[State]:
        """A whole round by its first three places and each player's card."""
        if self.view["round"]["mode"] != "quick":
            self.ok("mode", mode="quick")
        self.ok("places", places=places.split())
        for player, card in cards.items():
            self.ok("secret", player, tikis=card.split())
        self.ok("reveal")
        return self.ok("score")


@pytest.fixture(scope="session")
def at_table() -> Callable[..., Table]:
    """Makes a table: at_table(players=4, first=2)."""
    return Table


def legal_line(random: Random) -> list[str]:
    blocks = [SHEET_LINE[i : i + 3] for i in (0, 3, 6)]
    random.shuffle(blocks)
    for block in blocks:
        random.shuffle(block)
    return [tiki for block in blocks for tiki in block]


def next_command(state: State, random: Random, upsets: float) -> tuple[str, int | None, dict[str, Any]]:
    """Some command that a table might send now; with the probability `upsets` not part of plain play."""
    view = public(state)
    players = [hand["player"] for hand in view["round"]["hands"]]
    lacking = [hand["player"] for hand in view["round"]["hands"] if not hand["entered"]]
    phase = view["phase"]
    someone = random.choice(players)
    card = {"tikis": random.sample(SHEET_LINE, 3)}
    if random.random() < upsets:
        hand_made = random.sample(SHEET_LINE, random.choice([3, 4, 6, 9]))
        name, player, args = random.choice(
            [
                ("secret", someone, card),
                ("set_line", None, {"line": hand_made, "turn": someone}),
                ("abandon", None, {}),
                ("leave", someone, {}),
                ("seats", None, {"order": random.sample(list(state.seats), len(state.seats))}),
                ("mode", None, {"mode": random.choice(["follow", "quick"])}),
                ("play", someone, {"card": "toast"}),
                ("pass", someone, {}),
            ]
        )
        return name, player, args
    if phase == "line_up":
        return "line_up", None, {"line": legal_line(random)}
    if phase == "places":
        return "places", None, {"places": random.sample(SHEET_LINE, 3)}
    if phase == "play":
        if lacking and random.random() < 0.1:
            return "secret", random.choice(lacking), card
        play = random.choice(private(state, view["round"]["turn"])["plays"])
        return "play", view["round"]["turn"], play
    if phase == "ended":
        return ("secret", lacking[0], card) if lacking and random.random() < 0.5 else ("reveal", None, {})
    if lacking:
        return "secret", lacking[0], card
    if view["round"]["same_cards"]:
        return "secret", view["round"]["same_cards"][0][0], card
    return "score", None, {}


def wander(table: Table, random: Random, upsets: float = 0.05, most: int = 400) -> Iterator[Step[State]]:
    """Plays on, command by command, until the game is over."""
    for _ in range(most):
        if table.state.current is None:
            return
        name, player, args = next_command(table.state, random, upsets)
        yield table.send(name, player, **args)


@pytest.fixture(scope="session")
def wandering() -> Callable[..., Iterator[Step[State]]]:
    return wander


@pytest.fixture(scope="session")
def some_command() -> Callable[..., tuple[str, int | None, dict[str, Any]]]:
    return next_command


class Scenario:
    """A game as text: `name value` sets up, `> [player] command [! code]` plays, `= what words` looks."""

    def __init__(self, path: Path) -> None:
        self.lines = [line.split("#")[0].strip() for line in path.read_text("utf-8").splitlines()]

    def run(self) -> Table:
        settings: dict[str, Any] = {}
        table: Table | None = None
        for number, line in enumerate(self.lines, 1):
            if not line:
                continue
            if line[0] not in ">=":
                assert table is None, f"line {number}: settings come first"
                name, value = line.split(maxsplit=1)
                settings[name] = json.loads(value)
                continue
            table = table or Table(**settings)
            if line[0] == ">":
                self.do(table, number, line[1:].replace("|", " "))
            else:
                what, *words = line[1:].replace("|", " ").split()
                assert (number, what, look(table, what)) == (number, what, words)
        assert table is not None
        return table

    @staticmethod
    def do(table: Table, number: int, text: str) -> None:
        text, _, code = text.partition("!")
        words = text.split()
        player = int(words.pop(0)) if words[0].isdigit() else None
        name, rest = words[0], words[1:]
        args: dict[str, Any] = {}
        if name in ("up_1", "up_2", "up_3", "topple", "toast"):
            args = {"card": name, "tiki": rest[0] if rest else None}
            name = "play"
        elif name in ("line_up", "set_line"):
            args = {"line": rest}
        elif name == "secret":
            args = {"tikis": rest}
        elif name == "places":
            args = {"places": rest}
        elif name == "mode":
            args = {"mode": rest[0]}
        elif name == "seats":
            args = {"order": [int(word) for word in rest]}
        step = table.send(name, player, **args)
        refused = step.refusal.code if step.refusal else ""
        assert (number, refused) == (number, code.strip())


def look(table: Table, what: str) -> list[str]:
    """What the public view, or the last rulings, show under a word of the scenarios."""
    view = table.view
    if what == "phase":
        return [view["phase"]]
    if what == "said":
        return table.kinds
    if what == "clauses":
        return [ruling.clause for ruling in table.step.rulings]
    if what == "winners":
        return [str(player) for player in view["winners"]]
    if what in ("totals", "place"):
        column = "total" if what == "totals" else "place"
        rows = sorted(view["players"], key=lambda row: row["player"])
        return ["-" if row[column] is None else str(row[column]) for row in rows]
    if what == "points":
        scores = sorted(view["history"][-1]["scores"], key=lambda score: score["player"])
        return [str(score["points"]) for score in scores]
    current = view["round"]
    if what == "left":
        return [str(hand["left"]) for hand in current["hands"]]
    if what == "players":
        return [str(hand["player"]) for hand in current["hands"]]
    value = current[what]
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


@pytest.fixture(scope="session")
def scenario() -> Callable[[Path], Scenario]:
    return Scenario
