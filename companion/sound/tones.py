"""Tones made here, as a WAV file in memory: what the table's own speaker plays. Pure."""

import io
import math
import wave
from array import array
from collections.abc import Sequence

RATE = 22_050
"""Samples a second."""

NOTES: dict[str, tuple[tuple[float, float], ...]] = {
    "turn": ((660.0, 0.10),),
    "said": ((784.0, 0.12), (988.0, 0.22)),
    "fault": ((330.0, 0.22), (220.0, 0.40)),
    "win": ((523.0, 0.15), (659.0, 0.15), (784.0, 0.15), (1046.0, 0.45)),
}
"""Name of a cue -> its notes: (pitch in Hz, length in s); the same that phones play (web/static/sound.js), longer."""

_QUIET_S = 0.04  # in front: what a sound card that wakes up swallows
_FADE = math.log(300)  # each note falls to 1/300 by its end


def tone(cue: str, volume: int) -> bytes:
    """A cue as a mono 16 bit WAV. volume: 0 to 100, percent of the loudest. Raises KeyError for an unknown cue."""
    return wav(NOTES[cue], volume)


def wav(notes: Sequence[tuple[float, float]], volume: int) -> bytes:
    """Notes one after the other as triangle waves that fade. Raises ValueError where volume is not 0 to 100."""
    if not 0 <= volume <= 100:
        raise ValueError(f"volume is from 0 to 100, not {volume}")
    loudest = 32_000 * volume / 100
    samples = array("h", [0] * round(_QUIET_S * RATE))
    for pitch, length in notes:
        count = round(length * RATE)
        for k in range(count):
            phase = k * pitch / RATE % 1
            triangle = 4 * abs(phase - 0.5) - 1
            samples.append(round(loudest * triangle * math.exp(-_FADE * k / count)))
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return out.getvalue()
