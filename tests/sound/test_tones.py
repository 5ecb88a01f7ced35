"""Tones: what a sound card is given, and what a loudness of 100 % may not exceed."""

import io
import wave
from array import array
from itertools import pairwise

import pytest

from companion.sound.cues import CALLED
from companion.sound.tones import NOTES, RATE, tone, wav


def samples(sound: bytes) -> "array[int]":
    with wave.open(io.BytesIO(sound)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        return array("h", file.readframes(file.getnframes()))


def crossings(heard: "array[int]") -> int:
    return sum(before < 0 <= after for before, after in pairwise(heard))


def test_a_note_has_its_pitch_and_its_length() -> None:
    heard = samples(wav(((660.0, 0.5),), 80))
    assert len(heard) == pytest.approx(0.54 * RATE, abs=2)
    assert crossings(heard) == pytest.approx(330, abs=2)


def test_it_is_as_loud_as_it_was_set_and_ends_in_silence() -> None:
    for cue in NOTES:
        loud, low = samples(tone(cue, 100)), samples(tone(cue, 20))
        assert 30_000 < max(loud) <= 32_767
        assert max(low) == pytest.approx(max(loud) / 5, abs=2)
        assert max(abs(s) for s in loud[-50:]) < max(loud) / 100


def test_a_volume_that_is_none_is_refused() -> None:
    for volume in (-1, 101):
        with pytest.raises(ValueError, match="volume"):
            tone("win", volume)


def test_every_cue_has_notes() -> None:
    assert {*CALLED.values(), "turn"} == set(NOTES)
