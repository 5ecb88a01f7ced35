"""The voice of the table: what is ruled is heard from its own speaker, if the household wants that.

A thread of its own; who tells it something never waits. What is told faster than it can be played is left out.
"""

import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.sound.cues import Cue, Words, cue_of
from companion.sound.tones import tone
from companion.sound.tools import Sounding, Tools

MODES = ("off", "tones", "words")
_WAITING = 2  # cues; an older one is no news any more
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Loudness:
    """mode: one of MODES; volume: 10 to 100; tongue: the language of the words, two letters."""

    mode: str = "off"
    volume: int = 70
    tongue: str = "en"

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise ValueError(f"sound is one of {', '.join(MODES)}")
        if type(self.volume) is not int or not 10 <= self.volume <= 100:
            raise ValueError("volume is a number from 10 to 100")
        if not isinstance(self.tongue, str) or len(self.tongue) != 2 or not self.tongue.isalpha():
            raise ValueError("a language is a code of two letters, such as en or es")


class Voice:
    """tell, change, faults: any thread; close: once.

    words: the catalogue's texts of a language. keep: stores a new loudness, raises OSError or ValueError where it
    cannot. report: told what is missing or fails, as codes (FAULTS), after each change.
    """

    def __init__(
        self,
        loudness: Loudness | None = None,
        tools: Tools | None = None,
        words: Callable[[str], Words] = lambda tongue: lambda key, values: "",
        keep: Callable[[Loudness], None] = lambda loudness: None,
        report: Callable[[Sequence[str]], None] = lambda faults: None,
    ) -> None:
        self.loudness = loudness or Loudness()
        self._sounding = Sounding(tools or Tools())
        self._words, self._keep, self._report = words, keep, report
        self._queue: queue.Queue[tuple[Cue, Loudness] | None] = queue.Queue(_WAITING)
        self._failed = False
        self._thread: threading.Thread | None = None
        self._report(self.faults())

    def start(self) -> None:
        """Make sounds from now on; a machine that cannot play any needs no thread for it."""
        if not self._sounding.tools.player:
            return
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Be silent at once, and end the thread."""
        self._sounding.stop()
        if self._thread is not None:
            self._put(None)
            self._thread.join()

    def tell(self, rulings: Sequence[Mapping[str, Any]], names: Mapping[int, str]) -> None:
        """What has just been ruled in a game, and who plays. Never raises: the referee goes on without a sound."""
        loudness = self.loudness
        if loudness.mode == "off":
            return
        try:
            cue = cue_of(rulings, names, self._tongue(loudness))
        except Exception:
            _LOG.exception("nothing is heard of %r", rulings)
            return
        if cue is not None:
            self._put((cue, loudness))

    def change(self, loudness: Loudness) -> None:
        """From now on so, also after a restart; it is heard once. Raises what `keep` raises, and changes nothing."""
        self._keep(loudness)
        self.loudness, self._failed = loudness, False
        self._report(self.faults())
        if loudness.mode != "off":
            self._put((Cue("said", self._tongue(loudness)("sound_test", {})), loudness))

    def shown(self) -> dict[str, Any]:
        """What pages are told: mode, volume, and faults (codes)."""
        return {"mode": self.loudness.mode, "volume": self.loudness.volume, "faults": list(self.faults())}

    def faults(self) -> tuple[str, ...]:
        """What is missing of what was asked for; see FAULTS."""
        tools, mode = self._sounding.tools, self.loudness.mode
        if mode == "off":
            return ()
        missing = () if tools.player else ("sound_no_player",)
        mute = ("sound_no_speech",) if mode == "words" and not tools.speech else ()
        return (*missing, *mute, *(("sound_failed",) if self._failed else ()))

    def _tongue(self, loudness: Loudness) -> Words:
        return self._words(loudness.tongue) if loudness.mode == "words" else lambda key, values: ""

    def _put(self, item: tuple[Cue, Loudness] | None) -> None:
        """The newest finds room; the oldest is left out."""
        while True:
            try:
                self._queue.put_nowait(item)
                return
            except queue.Full:
                try:
                    self._queue.get_nowait()
                except queue.Empty:
                    continue

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            try:
                self._sound(*item)
            except Exception:  # a sound that cannot be made is only not heard
                _LOG.exception("no sound of %r", item[0])

    def _sound(self, cue: Cue, loudness: Loudness) -> None:
        tools = self._sounding.tools
        if not tools.player:
            return
        played = self._sounding.play(tone(cue.tone, loudness.volume))
        if played and cue.text and tools.speech:
            spoken = self._sounding.speak(cue.text, loudness.tongue, loudness.volume)
            played = bool(spoken) and self._sounding.play(spoken)
        if played == self._failed:
            self._failed = not played
            self._report(self.faults())


FAULTS: dict[str, str] = {
    "sound_no_player": "aplay is not installed: the table's own speaker stays silent",
    "sound_no_speech": "espeak-ng is not installed: tones, but no words",
    "sound_failed": "the last sound could not be played",
}
"""What keeps the table's speaker silent."""
