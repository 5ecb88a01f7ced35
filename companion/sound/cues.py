"""What is heard of a ruling: a tone, and words. Pure.

The rulings are those that pages call out (web/static/calls.js; a test compares), and the end of the ten seconds. The
words are the pages' own, under their keys in the catalogue.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Words: TypeAlias = Callable[[str, Mapping[str, Any]], str]
"""Key and values -> a text in the language of the speaker; "" where the catalogue has none."""

CALLED: dict[str, str] = {
    "collapse": "fault",
    "fell_off": "fault",
    "call_missed": "fault",
    "unseen": "fault",
    "call_said": "said",
    "call_due": "said",
    "wait": "said",
    "not_in_turn": "said",
    "extra_stone": "said",
    "taken_back": "said",
    "round_end": "win",
    "game_end": "win",
}
"""Kind of a ruling that all should hear -> its tone."""

_WEIGHT = {"turn": 0, "said": 1, "fault": 2, "win": 3}


@dataclass(frozen=True, slots=True)
class Cue:
    """A tone (tones.NOTES), and what is said after it, "" for nothing."""

    tone: str
    text: str = ""


def cue_of(rulings: Iterable[Mapping[str, Any]], names: Mapping[int, str], words: Words) -> Cue | None:
    """The one thing that is heard of the rulings of one moment: the gravest, the later of two. None: nothing.

    rulings: as journaled (kind, player, data); names: of players by id.
    """
    heard: Cue | None = None
    for ruling in rulings:
        kind, data = str(ruling["kind"]), ruling.get("data") or {}
        tone = CALLED.get(kind) or ("turn" if kind == "turn_end" and data.get("reason") == "ten_seconds" else "")
        if tone and (heard is None or _WEIGHT[tone] >= _WEIGHT[heard.tone]):
            heard = Cue(tone, _said(kind, ruling.get("player"), data, names, words) if kind in CALLED else "")
    return heard


def _said(kind: str, player: int | None, data: Mapping[str, Any], names: Mapping[int, str], words: Words) -> str:
    """The pages' text of a ruling, by the most special of its keys that there is."""
    keys = [f"ruling_{kind}"]
    code = data.get("code")
    if isinstance(code, str) and code:
        keys.insert(0, f"ruling_{kind}_{code}")
    if player is None:
        keys.insert(0, f"ruling_{kind}_bag")
    values = {"name": names.get(player, "") if player is not None else "", "n": data.get("count", 0)}
    return next((text for key in keys if (text := words(key, values))), "")
