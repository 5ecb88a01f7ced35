"""The catalogues, read by the server's templates and by the pages: codes come in, a phone speaks its language.

A part of a catalogue is one object of key -> text, or of key -> {"one", "other"} where a number decides. Placeholders
are {name}. Parts keep the live page small: what sheets need is fetched when opened. A language is either a folder of
one JSON file a part, or one JSON file that holds its parts by name (`locale/fr.json`); adding it is all that it takes
to be offered. What a third language does not say is said in English.
"""

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

Text: TypeAlias = str | Mapping[str, str]

WHOLE = ("en", "es")
"""The languages that say everything; the first fills the gaps of a third one."""

SHARED: Mapping[str, tuple[str, ...]] = {
    "setup": ("shell", "ready"),
    "sound": ("shell", "speaker"),
    "diagnostics": ("speaker", "faults"),
    "set_up": ("shell",),
    "set_up_step": ("faults",),
    "sheet": ("shell", "doubt", "ready"),
    "cirkis_more": ("shell", "doubt"),
    **dict.fromkeys(("yikerz_help", "cirkis_help", "tiki_help"), ("help",)),
    "tiki_more": ("shell", "doubt"),
}
"""What several games say alike stands once, in a part of its own that comes with these; they may say it otherwise."""

_FOLDER = Path(__file__).parent / "locale"


class Catalogues:
    """Every language of a folder, read once."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        self._folder = folder

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Names of the parts that a whole language has."""
        return tuple(sorted(path.stem for path in (_FOLDER / WHOLE[0]).glob("*.json")))

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Codes of the languages, in order."""
        return tuple(sorted({*WHOLE, *(path.stem for path in self._folder.iterdir() if _is_language(path))}))

    @cached_property
    def names(self) -> dict[str, str]:
        """Each language's own name by its code."""
        return {tongue: str(self.part(tongue, "common")["language_name"]) for tongue in self.languages}

    @cached_property
    def _read(self) -> dict[tuple[str, str], Mapping[str, Text]]:
        return {}

    def part(self, tongue: str, part: str) -> Mapping[str, Text]:
        """One part of one language. Raises KeyError for an unknown language or part."""
        if tongue not in self.languages or part not in self.parts:
            raise KeyError(f"{tongue}/{part}")
        if (tongue, part) not in self._read:
            own = self._own(tongue, part)
            for shared in SHARED.get(part, ()):
                own = {**self.part(tongue, shared), **own}
            self._read[tongue, part] = own if tongue in WHOLE else {**self.part(WHOLE[0], part), **own}
        return self._read[tongue, part]

    def _own(self, tongue: str, part: str) -> Mapping[str, Text]:
        for folder in (self._folder, _FOLDER):
            separate, single = folder / tongue / f"{part}.json", folder / f"{tongue}.json"
            if separate.is_file():
                texts: Mapping[str, Text] = json.loads(separate.read_text("utf-8"))
                return texts
            if single.is_file():
                texts = json.loads(single.read_text("utf-8")).get(part, {})
                return texts
        return {}

    def texts(self, tongue: str, *parts: str) -> dict[str, Text]:
        """Several parts in one object, for a page."""
        return {key: text for part in parts for key, text in self.part(tongue, part).items()}

    def choose(self, cookie: str | None, accept: str, default: str = "es") -> str:
        """The language of a request: the phone's own choice, else the first of Accept-Language that we speak."""
        if cookie in self.languages:
            return cookie
        wanted: list[tuple[float, str]] = []
        for item in accept.split(","):
            tag, _, weight = item.strip().partition(";q=")
            try:
                quality = float(weight) if weight else 1.0
            except ValueError:
                continue
            wanted.append((-quality, tag[:2].lower()))
        known = (tag for _, tag in sorted(wanted, key=lambda pair: pair[0]) if tag in self.languages)
        return next(known, default if default in self.languages else WHOLE[0])


def _is_language(path: Path) -> bool:
    return len(path.stem) == 2 and (path.is_dir() or path.suffix == ".json")


CATALOGUES = Catalogues()
LANGUAGES = WHOLE
PARTS = CATALOGUES.parts
catalogue = CATALOGUES.part
texts_of = CATALOGUES.texts
choose = CATALOGUES.choose


def translate(texts: Mapping[str, Text], key: str, **values: object) -> str:
    """The text of a key with its placeholders filled; English and Spanish need "one" and "other" only.

    Raises KeyError where the catalogue lacks the key: a page never shows a bare code.
    """
    text = texts[key]
    if not isinstance(text, str):
        text = text["one" if values.get("n") == 1 else "other"]
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text
