"""The two catalogues, read by the server's templates and by the pages: codes come in, a phone speaks its language.

A catalogue is a folder of JSON files (parts), each one object of key -> text, or of key -> {"one", "other"} where a
number decides. Placeholders are {name}. Parts keep the live page small: what sheets need is fetched when opened.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

LANGUAGES = ("en", "es")

Text: TypeAlias = str | Mapping[str, str]

_FOLDER = Path(__file__).parent / "locale"

PARTS = tuple(sorted(path.stem for path in (_FOLDER / "en").glob("*.json")))
"""A part is a file of each language."""


@cache
def catalogue(language: str, part: str) -> Mapping[str, Text]:
    """One part of one language. Raises KeyError for an unknown language or part."""
    if language not in LANGUAGES or part not in PARTS:
        raise KeyError(f"{language}/{part}")
    texts: Mapping[str, Text] = json.loads((_FOLDER / language / f"{part}.json").read_text("utf-8"))
    return texts


def texts_of(language: str, *parts: str) -> dict[str, Text]:
    """Several parts in one object, for a page."""
    return {key: text for part in parts for key, text in catalogue(language, part).items()}


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


def choose(cookie: str | None, accept: str) -> str:
    """The language of a request: the phone's own choice, else the first of Accept-Language that we speak, else es."""
    if cookie in LANGUAGES:
        return cookie
    wanted: list[tuple[float, str]] = []
    for item in accept.split(","):
        tag, _, weight = item.strip().partition(";q=")
        try:
            quality = float(weight) if weight else 1.0
        except ValueError:
            continue
        wanted.append((-quality, tag[:2].lower()))
    return next((tag for _, tag in sorted(wanted, key=lambda pair: pair[0]) if tag in LANGUAGES), "es")
