"""Why a placement earns a free turn (C06 to C08)."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from companion.games.cirkis.board import CENTRE_STAR, board
from companion.games.cirkis.settings import Settings
from companion.games.cirkis.tiling import Kind


@dataclass(frozen=True, slots=True)
class FreeTurn:
    """A reason for a free turn: "hole" (C06), "centre_star" (C07), "first_sliver" (C08)."""

    code: str
    clause: str


def free_turns(
    settings: Settings, held: Collection[int], covered: Collection[int], completed: Iterable[str]
) -> tuple[FreeTurn, ...]:
    """The reasons that apply to covering these spaces. held: spaces covered before; completed: shapes it fills."""
    reasons = []
    around = board().adjoining(covered) if settings.hole == "side" else board().touching(covered)
    if all(space in held for space in around):  # C06; beyond the edge of the board nothing is empty (C29)
        reasons.append(FreeTurn("hole", "C06"))
    if CENTRE_STAR in completed:
        reasons.append(FreeTurn("centre_star", "C07"))
    if _has_sliver(covered) and not _has_sliver(held):
        reasons.append(FreeTurn("first_sliver", "C08"))
    return tuple(reasons)


def _has_sliver(spaces: Iterable[int]) -> bool:
    return any(board().spaces[space].kind is Kind.SLIVER for space in spaces)
