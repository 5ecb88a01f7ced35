"""What is ruled is heard from the table's own speaker: after it is on the disk, while it is news, as it was set."""

from pathlib import Path

import pytest

from companion.clock import HandClock
from companion.journal import MemoryJournal
from companion.process.kinds.yikerz import yikerz
from companion.process.referee.facts import TableFacts
from companion.process.referee.owner import HEARD_US, Owner
from companion.settings import Household, SettingsError, load
from companion.sound.tones import tone
from companion.sound.tools import Tools
from companion.sound.voice import Loudness, Voice
from companion.views.port import Answer
from tests.process.service import Bench, S
from tests.sound.room import Room


def bench(voice: Voice, journal: MemoryJournal | None = None) -> tuple[Bench, str]:
    table = Bench(journal, HandClock(1000 * S), {"yikerz": yikerz()})
    table.owner = Owner(table.journal, {"yikerz": yikerz()}, table.clock, TableFacts(), voice=voice)
    game = table.new_game(players=["Ana", "Beto"], dealer=0)
    for name in ("start", "placed", "next_player", "placed"):
        table.press(name, game)
        table.pass_time(S)
    return table, game


def snapped_while_full(room: Room, journal: MemoryJournal) -> tuple[Voice, Bench, str]:
    """A collapse is ruled while the card is full: voice, table, game."""
    voice = room.voice(Loudness("tones"), room.player())
    table, game = bench(voice, journal)
    voice.start()
    journal.full = True
    table.press("collapsed", game, n=2)
    table.pass_time(S)
    return voice, table, game


@pytest.mark.rule("Y10")
def test_a_collapse_is_heard_once_it_is_journaled(tmp_path: Path) -> None:
    room, journal = Room(tmp_path), MemoryJournal()
    voice, table, game = snapped_while_full(room, journal)
    assert table.view(game)["notice"] == "journal_full"
    journal.full = False
    table.pass_time(S)
    assert room.listen() == tone("fault", 70)
    voice.close()


def test_what_is_long_past_is_not_heard(tmp_path: Path) -> None:
    room, journal = Room(tmp_path), MemoryJournal()
    voice, table, game = snapped_while_full(room, journal)
    table.clock.advance(HEARD_US)
    journal.full = False
    table.pass_time(S)
    table.press("undo", game)  # no call of the game either
    table.press("abandon_round", game)
    voice.change(Loudness("tones", 20))
    assert room.listen() == tone("said", 20)  # the first thing that is heard
    voice.close()


def test_how_it_sounds_is_set_from_a_phone_and_survives_a_restart(tmp_path: Path) -> None:
    household = Household(tmp_path, load(tmp_path))
    voice = Voice(load(tmp_path).loudness(), Tools(), keep=household.sound)
    table, _ = bench(voice)
    assert table.view("")["sound"] == {"mode": "off", "volume": 70, "faults": []}
    code = household.code()
    assert table.press("set_sound", "", mode="words", volume=40, tongue="es") == Answer("applied")
    missing = ["sound_no_player", "sound_no_speech"]
    assert table.view("")["sound"] == {"mode": "words", "volume": 40, "faults": missing}
    household.rotate()
    again = load(tmp_path)
    assert again.loudness() == Loudness("words", 40, "es")
    assert again.code == household.code() != code


@pytest.mark.parametrize("args", [{}, {"mode": "loud"}, {"volume": 1000}, {"mode": 3}, {"more": 1}, {"tongue": "-a"}])
def test_a_sound_that_is_none_is_refused(args: dict[str, object]) -> None:
    table, _ = bench(Voice())
    answer = table.press("set_sound", "", **args)
    assert answer == (Answer("refused", "bad_args") if args else Answer("applied"))


def test_a_sound_that_cannot_be_kept_stays_as_it_was(tmp_path: Path) -> None:
    def full(loudness: Loudness) -> None:
        raise SettingsError("no room")

    table, _ = bench(Voice(keep=full))
    assert table.press("set_sound", "", mode="tones") == Answer("refused", "not_kept")
    assert table.view("")["sound"]["mode"] == "off"
