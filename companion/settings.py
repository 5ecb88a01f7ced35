"""What a household settles once: the table's name, the port, the language, and the table's code.

Kept as one small JSON file in the data folder; it survives restarts and is written whole or not at all. The file
holds the table's code, so it is readable by its owner only.
"""

import json
import os
import re
import secrets
import tempfile
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from threading import Lock

from companion.disk import why_unread, why_unwritten
from companion.sound.voice import Loudness

DEFAULT_FOLDER = Path("~/.local/share/table-companion")
FILE = "settings.json"
_AFRESH = (
    "move it away to start afresh. Games and what was learned of the table stay; the table's name, port, language, "
    "sound and code are new then, so phones scan the code again"
)
_OLD_NAME, _UNNAMED = "table_name", "Table"  # how files of before told the name, and that there was none


class SettingsError(Exception):
    """The data folder or its settings file cannot be used; the message says why and what to do."""


def new_code() -> str:
    """A fresh table code: 72 random bits, safe in an address."""
    return secrets.token_urlsafe(9)


@dataclass(frozen=True, slots=True)
class Settings:
    """Name shown on the pages ("": none), TCP port, language of a phone that states none, and the code in the QR.

    sound, volume, sound_language: what the table's own speaker says (companion/sound/voice.py).
    """

    name: str = ""
    port: int = 8080
    language: str = "en"
    code: str = ""
    sound: str = "off"
    volume: int = 70
    sound_language: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or len(self.name) > 40:
            raise ValueError("name must be a text of at most 40 characters")
        if not isinstance(self.port, int) or isinstance(self.port, bool) or not 0 <= self.port <= 65535:
            raise ValueError("port must be a number from 0 to 65535")
        if not isinstance(self.language, str) or not re.fullmatch("[a-z]{2}", self.language):
            raise ValueError("language must be a code of two letters, such as en or es")
        if not isinstance(self.code, str) or not self.code.isprintable() or len(self.code) > 64:
            raise ValueError("code must be a text of at most 64 characters")
        self.loudness()

    def loudness(self) -> Loudness:
        """How the table sounds. Raises ValueError where it is none."""
        return Loudness(self.sound, self.volume, self.sound_language or self.language)


def data_folder(given: str | None) -> Path:
    """The data folder, made if need be. Raises SettingsError where it cannot be made or written."""
    folder = Path(given).expanduser() if given else DEFAULT_FOLDER.expanduser()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise SettingsError(
            f"the data folder {folder} cannot be written ({why_unread(error)}): choose another with --data FOLDER"
        ) from error
    return folder


def load(folder: Path) -> Settings:
    """The settings in a data folder; a first call makes and saves them, with a fresh code.

    Raises SettingsError where the file is damaged, of an unknown form or unreadable.
    """
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        settings = Settings(code=new_code())
        save(folder, settings)
        return settings
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read ({why_unread(error)}): {_AFRESH}") from error
    try:
        obj = json.loads(text)
        if not isinstance(obj, dict):
            raise ValueError("it is not a JSON object")
        if _OLD_NAME in obj:
            old = obj.pop(_OLD_NAME)
            obj.setdefault("name", "" if old == _UNNAMED else old)
        unknown = obj.keys() - {f.name for f in fields(Settings)}
        if unknown:
            raise ValueError(f"unknown setting {sorted(unknown)[0]!r}")
        settings = Settings(**obj)
    except (ValueError, TypeError, RecursionError) as error:
        raise SettingsError(f"{path} is damaged ({why_unread(error)}): correct it, or {_AFRESH}") from error
    if not settings.code:
        settings = replace(settings, code=new_code())
        save(folder, settings)
    return settings


def save(folder: Path, settings: Settings) -> None:
    """Write the settings: a new file beside the old one takes its place, whole. Raises SettingsError."""
    path = folder / FILE
    try:
        handle, name = tempfile.mkstemp(dir=folder, prefix=FILE)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(asdict(settings), file, ensure_ascii=False, indent=1)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
        folder_handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(folder_handle)
        finally:
            os.close(folder_handle)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {why_unwritten(error)}") from error


def rotate_code(folder: Path, settings: Settings) -> Settings:
    """The same settings with a fresh table code, saved: phones that joined with the old one have to scan again."""
    fresh = replace(settings, code=new_code())
    save(folder, fresh)
    return fresh


class Household:
    """The settings of a running table; any thread changes them, and what it changed is on the disk when it returns."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self._folder = folder
        self._settings = settings
        self._lock = Lock()

    def code(self) -> str:
        """The table's present code."""
        return self._settings.code

    def rotate(self) -> None:
        """A fresh code from now on. Raises SettingsError, and the old one stays, where it cannot be saved."""
        with self._lock:
            self._settings = rotate_code(self._folder, self._settings)

    def sound(self, loudness: Loudness) -> None:
        """So the table sounds from now on. Raises SettingsError, and all stays as it was, where it cannot be saved."""
        with self._lock:
            fresh = replace(self._settings, sound=loudness.mode, volume=loudness.volume, sound_language=loudness.tongue)
            save(self._folder, fresh)
            self._settings = fresh
