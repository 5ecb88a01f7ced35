"""The line of tikis and the three ways it moves. A line is a tuple, the top first.

All functions are pure and raise `RefusedError` where a clause forbids.
"""

from collections.abc import Sequence
from typing import TypeAlias

from companion.games.tiki.refusal import RefusedError
from companion.games.tiki.tikis import GROUPS, TIKIS, Tiki

Line: TypeAlias = tuple[Tiki, ...]

PLACES_THAT_SCORE = 3  # T20
TIKIS_LEFT_AT_THE_END = 3  # T11: six of nine have left


def lined_up(order: Sequence[Tiki]) -> Line:
    """The line at the start of a round: nine tikis, each group in one block of three (T03, T14)."""
    line = tuple(order)
    if sorted(line) != sorted(TIKIS):
        raise RefusedError("not_nine")
    # T03: blocks in any order, and any order inside a block; a group must not be split over two blocks.
    if any(frozenset(line[i : i + 3]) not in GROUPS for i in (0, 3, 6)):
        raise RefusedError("group_split")
    return line


def by_hand(order: Sequence[Tiki]) -> Line:
    """A line as the players found it on the table (T27): any order, three to nine different tikis."""
    line = tuple(order)
    if len(set(line)) != len(line) or not TIKIS_LEFT_AT_THE_END <= len(line) <= len(TIKIS):
        raise RefusedError("line_by_hand")
    return line


def up(line: Line, tiki: Tiki, places: int) -> Line:
    """T07: the tiki moves up exactly so many places; the ones passed move down in order."""
    at = _place(line, tiki)
    to = at - places
    if to < 0:
        raise RefusedError("too_few_above")
    return (*line[:to], tiki, *line[to:at], *line[at + 1 :])


def topple(line: Line, tiki: Tiki, bottom_allowed: bool) -> Line:
    """T08: the tiki goes to the bottom, the others close up in order. T22: may the lowest be named?"""
    at = _place(line, tiki)
    if at == len(line) - 1 and not bottom_allowed:
        raise RefusedError("topple_bottom")
    return (*line[:at], *line[at + 1 :], tiki)


def toast(line: Line, tiki: Tiki | None = None) -> Line:
    """T09: the lowest tiki leaves, whoever's it is. A tiki that is named must be the lowest."""
    if tiki is not None and _place(line, tiki) != len(line) - 1:
        raise RefusedError("not_lowest")
    return line[:-1]


def first_places(line: Line) -> Line:
    """T20: the first three of those still in line, however many remain."""
    return line[:PLACES_THAT_SCORE]


def toasted(line: Line) -> Line:
    """The tikis that have left the line, in the order of the sheet (T20: they score nothing)."""
    return tuple(t for t in TIKIS if t not in line)


def _place(line: Line, tiki: Tiki) -> int:
    if tiki not in line:
        raise RefusedError("not_in_line")
    return line.index(tiki)
