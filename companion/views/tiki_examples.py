"""The worked example of the Tiki Topple sheet as its help page draws it (T13): counted by the rules, not by hand."""

from typing import Any

from companion.games.tiki.example import CARDS, PLACES
from companion.games.tiki.ruling import gain_json
from companion.games.tiki.scoring import gains, points


def examples() -> dict[str, Any]:
    """{places: the first three tikis, cards: [{letter, gains: [{tiki, place, points}], points}]}."""
    return {
        "places": [str(tiki) for tiki in PLACES],
        "cards": [
            {
                "letter": letter,
                "gains": [gain_json(gain) for gain in gains(card, PLACES)],
                "points": points(card, PLACES),
            }
            for letter, (card, _) in CARDS.items()
        ],
    }
