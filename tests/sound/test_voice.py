"""The voice: it waits for nobody, says what is missing, keeps what was set. aplay and espeak-ng are stood in for by
programs of the test's own, which keep what they were given."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.cli.run import spoken
from companion.sound.tones import tone
from companion.sound.tools import Tools
from companion.sound.voice import FAULTS, Loudness, Voice
from tests.sound.room import Room

SNAP = [{"kind": "collapse", "player": 1, "data": {"count": 2}}]


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


@pytest.fixture
def started() -> Iterator[Callable[[Voice], Voice]]:
    voices: list[Voice] = []

    def start(voice: Voice) -> Voice:
        voices.append(voice)
        voice.start()
        return voice

    yield start
    for voice in voices:
        voice.close()


Start = Callable[[Voice], Voice]


def test_a_collapse_is_heard_as_a_tone_and_then_in_words(room: Room, started: Start) -> None:
    speech = room.program("espeak-ng", "sys.stdout.buffer.write(' '.join(sys.argv[1:]).encode() + b'|' + data)")
    voice = started(room.voice(Loudness("words", 60, "es"), room.player(), speech))
    voice.tell(SNAP, {1: "Lucía"})
    assert room.listen() == tone("fault", 60)
    options, _, text = room.listen().partition(b"|")
    assert options.decode() == "--stdout --stdin -s 150 -a 120 -v es-419"
    assert "Lucía" in text.decode()


def test_tones_alone_need_no_speech_and_off_is_silent(room: Room, started: Start) -> None:
    voice = started(room.voice(Loudness("off"), room.player()))
    assert room.report() == ()
    voice.tell(SNAP, {})
    voice.change(Loudness("tones", 30, "es"))
    assert room.listen() == tone("said", 30)  # nothing was heard while it was off
    voice.tell(SNAP, {})
    assert room.listen() == tone("fault", 30)
    assert room.kept == [Loudness("tones", 30, "es")]


def test_who_tells_it_something_never_waits_and_only_the_newest_is_heard(room: Room, started: Start) -> None:
    voice = started(room.voice(Loudness("tones"), room.player()))
    for _ in range(500):  # the program hangs at the pipe that nobody reads
        voice.tell(SNAP, {})
    voice.tell([{"kind": "game_end", "player": 1, "data": {}}], {})
    sounds = [room.listen()]
    while sounds[-1] != tone("win", 70):
        sounds.append(room.listen())
    assert len(sounds) <= 4


@pytest.mark.parametrize(
    ("mode", "has", "missing"),
    [
        ("off", "", ()),
        ("tones", "", ("sound_no_player",)),
        ("tones", "player", ()),
        ("words", "player", ("sound_no_speech",)),
        ("words", "", ("sound_no_player", "sound_no_speech")),
    ],
)
def test_what_is_missing_is_named_and_breaks_nothing(
    room: Room, started: Start, mode: str, has: str, missing: Sequence[str]
) -> None:
    voice = started(room.voice(Loudness(mode), room.player() if has else ""))
    assert room.report() == tuple(missing) == voice.faults()
    assert set(missing) <= set(FAULTS)
    assert voice.shown() == {"mode": mode, "volume": 70, "faults": list(missing)}
    if not has:
        voice.tell(SNAP, {})  # nothing to be heard, nothing to be said of it


def test_a_card_that_is_gone_is_named_until_it_is_there_again(room: Room, started: Start) -> None:
    gone = room.folder / "gone"
    gone.touch()
    body = f"import os\nif os.path.exists({str(gone)!r}): sys.exit(1)"
    voice = started(room.voice(Loudness("tones"), room.program("aplay", body)))
    assert room.report() == ()
    voice.tell(SNAP, {})
    assert room.report() == ("sound_failed",)
    gone.unlink()
    voice.tell(SNAP, {})
    assert room.report() == ()


def test_closing_ends_a_sound_that_hangs(room: Room) -> None:
    voice = room.voice(Loudness("tones"), room.player())
    voice.start()
    voice.tell(SNAP, {})
    voice.close()  # returns: nobody ever listened


def test_a_loudness_that_cannot_be_kept_changes_nothing(room: Room) -> None:
    def full(loudness: Loudness) -> None:
        raise OSError("no room")

    voice = Voice(Loudness("off"), Tools(room.player()), spoken, full)
    with pytest.raises(OSError, match="no room"):
        voice.change(Loudness("words"))
    assert voice.loudness == Loudness("off")


@pytest.mark.parametrize(
    "wrong", [{"mode": "loud"}, {"volume": 5}, {"volume": 101}, {"volume": True}, {"tongue": "-x"}, {"tongue": "eng"}]
)
def test_a_loudness_that_is_none_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^(sound|volume|a language) is "):
        Loudness(**wrong)


def test_a_ruling_of_an_unknown_form_is_only_not_heard(room: Room) -> None:
    voice = room.voice(Loudness("words"), room.player())
    voice.tell([{"player": 1}], {})
