"""The sheet's own example (T13): for the help page, which shows how a card is counted, and for a test."""

from companion.games.tiki.line import Line
from companion.games.tiki.secret import SecretCard
from companion.games.tiki.tikis import Tiki

PLACES: Line = (Tiki.LOKAHI, Tiki.HOOKIPA, Tiki.AKAMAI)

CARDS: dict[str, tuple[SecretCard, int]] = {
    "A": ((Tiki.HOOKIPA, Tiki.LOKAHI, Tiki.NANI), 5),
    "B": ((Tiki.WIKIWIKI, Tiki.HOOKIPA, Tiki.AKAMAI), 7),
    "C": ((Tiki.LOKAHI, Tiki.WIKIWIKI, Tiki.HOOKIPA), 11),
    "D": ((Tiki.AKAMAI, Tiki.HUHU, Tiki.HOOKIPA), 2),
}
"""T13: each player's card and what it earns."""
