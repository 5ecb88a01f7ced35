"""The nine tikis, their groups and colours (T02)."""

from enum import StrEnum


class Tiki(StrEnum):
    """The tikis in the order of the sheet, group by group."""

    NANI = "nani"
    WIKIWIKI = "wikiwiki"
    HUHU = "huhu"
    NUI = "nui"
    LOKAHI = "lokahi"
    AKAMAI = "akamai"
    EEPO = "eepo"
    HOOKIPA = "hookipa"
    KAPU = "kapu"


TIKIS: tuple[Tiki, ...] = tuple(Tiki)

GROUPS: tuple[frozenset[Tiki], ...] = tuple(frozenset(TIKIS[i : i + 3]) for i in (0, 3, 6))
"""T02: three groups of three."""

COLOURS: dict[Tiki, str] = dict(
    zip(
        TIKIS,
        ("red", "blue", "yellow", "green", "purple", "orange", "brown", "grey", "pink"),
        strict=True,
    )
)
"""T02: the colour of each tiki."""
