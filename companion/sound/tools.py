"""The programs that make sound on this machine, where they are installed: aplay (alsa-utils) and espeak-ng.

Each sound is a process of its own for as long as it lasts; nothing of it runs in the referee.
"""

import shutil
import subprocess
from dataclasses import dataclass
from threading import Lock

LONGEST_S = 15.0
"""No sound lasts longer: a program that hangs on a card that is gone is ended."""
_WORDS_A_MINUTE = 150
_VOICES = {"es": "es-419"}


@dataclass(frozen=True, slots=True)
class Tools:
    """Paths of the programs, "" for one that is not there."""

    player: str = ""
    speech: str = ""


def find_tools() -> Tools:
    """What this machine has."""
    return Tools(shutil.which("aplay") or "", shutil.which("espeak-ng") or "")


class Sounding:
    """Plays one sound at a time in the caller's thread; `stop`, from any thread, ends it and all later ones."""

    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        self._lock = Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def play(self, wav: bytes) -> bool:
        """Play a WAV file; False where it could not be played."""
        return self._run([self.tools.player, "-q", "-"], wav) is not None

    def speak(self, text: str, tongue: str, volume: int) -> bytes:
        """A text spoken, as a WAV file; empty where it could not be. tongue: "es", "en", ...; volume: 0 to 100."""
        command = [self.tools.speech, "--stdout", "--stdin", "-s", str(_WORDS_A_MINUTE), "-a", str(volume * 2)]
        return self._run([*command, "-v", _VOICES.get(tongue, tongue)], text.encode("utf-8", "replace")) or b""

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._child is not None:
                self._child.kill()

    def _run(self, command: list[str], data: bytes) -> bytes | None:
        """What the program wrote; None where it failed, hung or was stopped."""
        with self._lock:
            if self._stopped:
                return None
            try:
                child = subprocess.Popen(
                    ["nice", "-n", "5", *command],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    process_group=0,
                )
            except OSError:
                return None
            self._child = child
        try:
            out, _ = child.communicate(data, timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return None
        finally:
            with self._lock:
                self._child = None
        return out if child.returncode == 0 else None
