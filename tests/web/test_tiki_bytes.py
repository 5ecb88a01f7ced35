"""Every byte that another phone receives before a card is shown: pages, streams, errors, documents, answers (T18).

Two ways: no tiki of the card is named anywhere while nothing else names it; and two tables that differ in nothing but
the cards send, byte by byte, the same.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import web
from tests.process.room import Room
from web.app import create_app

CATALOGUE = Path(web.__file__).parent / "locale"
DOCUMENTS = ("text", "json", "csv")
LINE = ["huhu", "nani", "wikiwiki", "akamai", "nui", "lokahi", "kapu", "eepo", "hookipa"]


def own_texts() -> list[bytes]:
    """The texts of the catalogue that name tikis, as they stand in a page: the same on every phone."""
    values = [each for part in CATALOGUE.glob("es/*.json") for each in json.loads(part.read_text("utf-8")).values()]
    texts = [text for each in values for text in (each.values() if isinstance(each, dict) else [each])]
    return [text.encode() for text in sorted(texts, key=len, reverse=True) if any(k in text.lower() for k in LINE)]


class Phone:
    """A phone in the room: its key and the table's code are cookies. received: every byte so far, in pieces."""

    def __init__(self, app: Any, game: str, key: str) -> None:
        self.client: FlaskClient = app.test_client()
        self.client.set_cookie("table_code", "code")
        self.client.set_cookie("phone", key)
        self.game, self.key = game, key
        self.count = 0
        self.received: list[bytes] = []

    def keep(self, answer: Any) -> Any:
        heads = b"".join(f"{name}: {value}\n".encode() for name, value in answer.headers)
        self.received += [f"{answer.status}\n".encode(), heads, answer.data]
        return answer

    def press(self, name: str, player: int | None = None, /, **args: Any) -> str:
        """Press; the code of the refusal or ""."""
        self.count += 1
        version = self.client.get(f"/g/{self.game}/view").json["view"]["version"]
        body = {"id": f"{self.key}-{self.count:06d}", "name": name, "player": player, "version": version, "args": args}
        return str(self.keep(self.client.post(f"/g/{self.game}/commands", json=body | {"by": self.key})).json["code"])

    def look_everywhere(self) -> None:
        """Ask for everything there is."""
        game = f"/g/{self.game}"
        paths = ["/", "/lobby", "/join", "/qr", "/clock", "/g/g9/view", "/history"]
        paths += [
            game,
            f"{game}/view",
            f"{game}/tv",
            f"{game}/nothing",
            f"{game}/foresee?name=secret&player=1&args=%7B%7D",
        ]
        paths += [f"{game}/mine/{player}" for player in range(4)]
        paths += [f"{game}/download/{name}" for name in DOCUMENTS] + [f"{game}/history", f"{game}/entries"]
        for path in paths:
            self.keep(self.client.get(path, headers={"Accept-Language": "es"}))
        stream = self.client.get(f"{game}/events?after=0", buffered=False)
        chunks = iter(stream.response)
        self.received += [bytes(next(chunks)), bytes(next(chunks))]
        stream.close()

    def meddle(self, guess: list[str]) -> None:
        """What a curious hand can press without changing the game: all is refused, and no answer tells a thing."""
        listed = self.keep(self.client.get(f"/g/{self.game}/entries")).json["entries"]
        for number in [entry["entry"] for entry in listed if entry["name"] == "secret"]:
            assert self.press("edit", None, entry=number, args={"tikis": guess}) == "secret_entry"
            assert self.press("edit", None, entry=number, drop=True) == "secret_entry"
        assert self.press("secret", 1, tikis=guess[:2]) == "three_different"
        assert self.press("secret", 1, tikis=[guess[0], *guess[:2]]) == "three_different"
        assert self.press("secret", 7, tikis=guess) == "unknown_player"
        assert self.press("score") in ("round_running", "not_revealed")
        self.keep(self.client.post(f"/g/{self.game}/commands", json={"id": "x", "name": "secret"}))
        self.keep(self.client.post(f"/g/{self.game}/commands", data="{", content_type="application/json"))


def opened(**chosen: Any) -> tuple[Room, Phone, Phone]:
    """A room in which the round has begun, a phone that enters cards and a curious one."""
    room = Room()
    room.begin(**chosen)
    app = create_app(room.port)
    return room, Phone(app, room.game, "enters-cards"), Phone(app, room.game, "is-curious")


@pytest.mark.rule("T18")
def test_no_byte_names_a_tiki_of_the_card_before_it_is_shown() -> None:
    card = ["hookipa", "lokahi", "nani"]
    room, mine, other = opened(mode="quick")
    for _ in range(2):  # a second round, so that the card of the first is in the history by then
        assert mine.press("secret", 1, tikis=card) == ""
        other.look_everywhere()
        other.meddle(["kapu", "eepo", "huhu"])
        assert mine.press("undo") == ""
        assert mine.press("secret", 1, tikis=card) == ""
        assert other.press("secret", 0, tikis=["kapu", "eepo", "huhu"]) == ""
        assert other.press("secret", 2, tikis=["kapu", "eepo", "huhu"]) == ""  # T23: not said yet
        other.look_everywhere()
        assert other.press("places", places=["kapu", "eepo", "huhu"]) == ""
        other.look_everywhere()
        seen = b"".join(other.received)
        for text in own_texts():
            seen = seen.replace(b'"' + text + b'"', b"")
        seen = seen.lower()
        assert not [tiki for tiki in card if tiki.encode() in seen]
        assert b'enters-cards"' in seen  # who pressed is shown
        assert other.press("abandon") == ""  # never shown, so never told (T29)
        other.look_everywhere()
        seen = b"".join(other.received)
        for text in own_texts():
            seen = seen.replace(b'"' + text + b'"', b"")
        seen = seen.lower()
        assert not [tiki for tiki in card if tiki.encode() in seen]
    assert room.mine(1, "enters-cards") is None


@pytest.mark.rule("T18", "T28")
def test_it_is_told_to_all_once_it_is_shown() -> None:
    """The other way round: the reading above does find a card where there is one."""
    _, mine, other = opened(mode="quick")
    mine.press("secret", 1, tikis=["hookipa", "lokahi", "nani"])
    other.press("places", places=["kapu", "eepo", "huhu"])
    other.press("reveal")
    other.received.clear()
    other.look_everywhere()
    told = [piece for piece in other.received if b"hookipa" in piece]
    assert len(told) > 5


def step_by_step(cards: list[list[str]]) -> list[bytes]:
    """A follow round and a half with these cards; all that the curious phone received until just before the reveal."""
    _, mine, other = opened()
    assert other.press("line_up", line=LINE) == ""
    for player, card in enumerate(cards[:2]):
        assert mine.press("secret", player, tikis=card) == ""
        other.look_everywhere()
    other.meddle(["nani", "nui", "eepo"])
    assert mine.press("leave", 1) == ""
    assert mine.press("secret", 1, tikis=cards[2]) == "has_left"
    assert mine.press("undo") == ""
    assert mine.press("secret", 0, tikis=cards[2]) == ""
    other.look_everywhere()
    for player in (0, 1, 2):
        assert other.press("play", player, card="up_1", tiki="hookipa") == ""
    for player in (0, 1, 2, 0, 1, 2):
        assert other.press("play", player, card="toast") == ""
        other.look_everywhere()
    other.meddle(["nani", "nui", "eepo"])
    return other.received


@pytest.mark.rule("T18", "T23")
@pytest.mark.parametrize(
    "others",
    [
        [["nani", "nui", "eepo"], ["nani", "nui", "eepo"], ["nani", "nui", "eepo"]],  # what the curious one guesses
        [["huhu", "nani", "wikiwiki"], ["kapu", "huhu", "akamai"], ["eepo", "lokahi", "nui"]],
    ],
)
def test_tables_that_differ_only_in_hidden_cards_send_the_same_bytes(others: list[list[str]]) -> None:
    first = step_by_step([["hookipa", "lokahi", "nani"], ["wikiwiki", "kapu", "nui"], ["akamai", "eepo", "huhu"]])
    second = step_by_step(others)
    assert len(first) == len(second)
    differ = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    assert differ == []
