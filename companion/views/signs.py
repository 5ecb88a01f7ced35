"""How players are told apart: colour, shape and letter each, by player id, so that a sign stays when seats change."""

from collections.abc import Sequence

COLOURS = ("red", "blue", "green", "violet", "orange", "pink")
SHAPES = ("circle", "square", "triangle", "diamond", "star", "heart")
_SPARE = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def signs_of(players: Sequence[tuple[int, str]]) -> list[dict[str, str]]:
    """Colour, shape and letter of each (id, name), in their order; no two share one while there are at most six.

    The letter is the first letter or digit of the name that nobody earlier (by id) has, else a free one.
    """
    order = sorted(range(len(players)), key=lambda place: players[place][0])
    signs: list[dict[str, str]] = [{} for _ in players]
    letters: set[str] = set()
    for rank, place in enumerate(order):
        own = [sign.upper() for sign in players[place][1] if sign.isalnum() and len(sign.upper()) == 1]
        letter = next((sign for sign in [*own, *_SPARE] if sign not in letters), "")
        letters.add(letter)
        signs[place] = {"colour": COLOURS[rank % 6], "shape": SHAPES[rank % 6], "letter": letter}
    return signs
