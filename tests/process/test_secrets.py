"""A secret card goes from the phone that entered it to nobody but that phone (T18), through owner, journal and port."""

import json
import logging
from typing import Any

import pytest

from companion.journal import MemoryJournal
from companion.process.referee.answers import Ticket
from companion.process.referee.phone import mark_of
from tests.process.room import Room

LINE = ["huhu", "nani", "wikiwiki", "akamai", "nui", "lokahi", "kapu", "eepo", "hookipa"]
CARD = ["hookipa", "lokahi", "nani"]


@pytest.fixture
def room() -> Room:
    made = Room()
    made.begin()
    return made


@pytest.mark.rule("T18")
def test_only_the_phone_that_entered_a_card_is_shown_it(room: Room) -> None:
    assert room.post("secret", 1, "key-b", tikis=CARD) == ""
    assert room.mine(1, "key-b") == {"tikis": CARD, "expected": True}
    nothing = [
        room.mine(p, phone) for p, phone in ((1, "key-a"), (1, ""), (0, "key-b"), (1, mark_of("key-b")), (7, ""))
    ]
    assert nothing == [None] * 5
    assert not any(tiki.encode() in room.public() for tiki in CARD)
    assert room.bench.view(room.game)["round"]["hands"][1]["entered"] is True
    assert json.loads(room.port.private_view("g9", 1, "key-b")) is None


@pytest.mark.rule("T18")
def test_one_phone_for_all_is_shown_each_card_it_entered_one_at_a_time(room: Room) -> None:
    cards = {0: CARD, 1: ["nani", "nui", "eepo"], 2: ["kapu", "huhu", "akamai"]}
    for player, card in cards.items():
        assert room.post("secret", player, "key-a", tikis=card) == ""
    assert {player: room.mine(player, "key-a")["tikis"] for player in cards} == cards


@pytest.mark.rule("T18")
def test_a_card_entered_again_elsewhere_is_the_other_phones(room: Room) -> None:
    room.post("secret", 1, "key-b", tikis=CARD)
    room.post("secret", 1, "key-c", tikis=["kapu", "huhu", "akamai"])
    assert room.mine(1, "key-b") is None
    assert room.mine(1, "key-c")["tikis"] == ["kapu", "huhu", "akamai"]


@pytest.mark.rule("T18")
def test_the_phone_that_is_named_in_a_command_is_never_believed(room: Room) -> None:
    room.post("secret", 1, "key-b", tikis=CARD)
    ticket = Ticket(
        "id-x", room.game, "secret", room.bench.clock.now_us(), 99, "", 2, {"tikis": CARD, "phone": "forged"}
    )
    room.bench.owner.answers.admit(ticket)
    room.bench.post(ticket)
    room.bench.pass_time(200_000)
    assert room.bench.owner.privates.of(room.game, 2, "forged") == b"null"


@pytest.mark.rule("T18", "T23")
@pytest.mark.parametrize("guess", [CARD, ["nani", "nui", "eepo"]])
def test_an_old_press_is_answered_alike_whether_it_guesses_the_card_or_not(room: Room, guess: list[str]) -> None:
    before = room.bench.view(room.game)["version"]
    room.post("secret", 1, "key-b", tikis=CARD)
    assert room.post("secret", 1, "key-a", at=before, tikis=guess) == "stale"


@pytest.mark.rule("T18")
def test_after_the_reveal_the_card_is_everybodys_and_the_private_door_is_empty() -> None:
    room = Room()
    room.begin(mode="quick")
    room.post("secret", 1, "key-b", tikis=CARD)
    room.post("places", places=["nani", "nui", "eepo"])
    assert room.mine(1, "key-b") is not None
    room.post("reveal")
    assert room.mine(1, "key-b") is None
    assert room.bench.view(room.game)["round"]["cards"][0]["card"] == CARD


@pytest.mark.rule("T18")
def test_a_secret_survives_a_restart_for_its_phone_alone() -> None:
    journal = MemoryJournal()
    Room(journal).begin()
    first = Room(journal)
    first.count = 100
    first.post("secret", 1, "key-b", tikis=CARD)
    again = Room(journal)
    assert again.mine(1, "key-b")["tikis"] == CARD
    assert again.mine(1, "key-a") is None
    # The journal itself holds the card (a power cut loses nothing), but no key that opens the door.
    assert "key-b" not in json.dumps([dict(entry.new.body) | {"by": ""} for entry in journal.entries()])


@pytest.mark.rule("T18")
def test_nothing_is_shown_on_its_phone_before_it_is_on_the_disk(room: Room) -> None:
    assert isinstance(room.bench.journal, MemoryJournal)
    room.bench.journal.full = True
    ticket = Ticket(
        "id-full", room.game, "secret", room.bench.clock.now_us(), 99, "", 1, {"tikis": CARD}, phone=mark_of("b")
    )
    room.bench.post(ticket)
    room.bench.pass_time(200_000)
    assert room.mine(1, "b") is None
    room.bench.journal.full = False
    room.bench.pass_time(2_000_000)
    assert room.mine(1, "b")["tikis"] == CARD


@pytest.mark.rule("T18")
def test_an_entry_with_a_secret_is_read_by_others_without_it(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    room.post("secret", 1, "key-b", tikis=CARD)
    assert not any(tiki in caplog.text for tiki in CARD)


def test_a_game_kept_by_hand_takes_no_sensors(room: Room) -> None:
    assert room.post("take_sensors") == "kept_by_hand"
    assert room.post("new_game", kind="tiki", settings={}, sensors=True) == "kept_by_hand"
    assert room.post("new_game", kind="tiki", settings={"mode": "both"}) == "bad_setting"


def test_a_whole_game_needs_no_table_and_no_time_but_the_clocks(room: Room) -> None:
    """Games without sensors get their Complete from the clock."""
    assert room.post("line_up", line=LINE) == ""
    assert room.post("play", 0, card="up_2", tiki="hookipa") == ""
    view = room.bench.view(room.game)
    assert (view["phase"], view["round"]["turn"], view["round"]["line"][6]) == ("play", 1, "hookipa")
    assert view["rulings"][-1]["clause"] == "T07"
    assert view["undo"]["what"] == "play"
    assert room.post("undo") == ""
    assert room.bench.view(room.game)["round"]["line"] == LINE


def listed(room: Room) -> list[dict[str, Any]]:
    told = room.port.document(room.game, "entries")
    assert told is not None
    found: list[dict[str, Any]] = json.loads(told.data)["entries"]
    return found


@pytest.mark.rule("T18")
def test_entries_are_listed_without_cards_that_were_not_shown_and_those_cannot_be_edited(room: Room) -> None:
    room.post("secret", 1, "key-b", tikis=CARD)
    (entry,) = [entry for entry in listed(room) if entry["name"] == "secret"]
    assert entry["args"] == {}
    for guess in (CARD, ["kapu", "huhu", "akamai"]):
        args = {"tikis": guess, "phone": mark_of("key-b")}
        assert room.post("edit", None, "key-a", entry=entry["entry"], args=args) == "secret_entry"
    assert room.post("edit", None, "key-a", entry=entry["entry"], drop=True) == "secret_entry"
    assert room.post("edit", None, "key-a", entry=entry["entry"], player=2) == "secret_entry"
    assert room.mine(1, "key-b")["tikis"] == CARD


@pytest.mark.rule("T18", "T28", "T29")
def test_a_card_is_listed_and_can_be_edited_once_it_was_shown_to_all() -> None:
    room = Room()
    room.begin(mode="quick")
    room.post("secret", 2, "key-c", tikis=["kapu", "huhu", "akamai"])
    room.post("abandon")  # that card was never shown, and never is
    room.post("secret", 1, "key-b", tikis=["nui", "huhu", "akamai"])
    room.post("secret", 1, "key-b", tikis=CARD)  # entered again: only this one is shown
    room.post("places", places=["nani", "nui", "eepo"])
    room.post("reveal")
    assert [entry["args"] for entry in listed(room) if entry["name"] == "secret"] == [{}, {}, {"tikis": CARD}]
    number = [entry["entry"] for entry in listed(room) if entry["name"] == "secret"][-1]
    assert room.post("edit", None, "key-a", entry=number, args={"tikis": ["nani", "nui", "eepo"]}) == ""
    assert room.bench.view(room.game)["round"]["cards"][0]["points"] == 16
    assert room.bench.view(room.game)["undo"]["what"] == "edit"
