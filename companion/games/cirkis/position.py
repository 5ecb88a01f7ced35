"""How the board stands: whose pieces lie where, the leader, where the next piece may go.

All from the deeds.
"""

from collections import Counter

from companion.games.cirkis.board import board
from companion.games.cirkis.pieces import SET_SIZE, catalogue
from companion.games.cirkis.state import Claim, Piece, State


def owners(state: State) -> dict[int, int]:
    """Space -> player, of the covered spaces."""
    return {space: piece.player for piece in pieces(state) for space in piece.spaces}


def pieces(state: State) -> tuple[Piece, ...]:
    """The placements of the round, in order."""
    return tuple(deed for deed in state.deeds if isinstance(deed, Piece))


def leader(state: State) -> Piece | None:
    """The piece played last, whoever played it; lost turns do not change it (C22).

    None before the first piece.
    """
    played = pieces(state)
    return played[-1] if played else None


def unplayed(state: State, player: int) -> int | None:
    """Pieces that a player still has (C21).

    Quick mode: none after going out, as told at a tie, else None (C19).
    """
    if state.settings.mode == "quick":
        if any(isinstance(deed, Claim) and deed.out and deed.player == player for deed in state.deeds):
            return 0
        return dict(state.unplayed).get(player)
    return SET_SIZE - sum(piece.player == player for piece in pieces(state))


def unplayed_shapes(state: State, player: int) -> dict[str, int]:
    """Pieces that a player still has by shape; empty where the set is not known (C20).

    A placement that the set does not know, by the table's word (C33), uses up none.
    """
    if state.settings.pieces is None:
        return {}
    places = catalogue(state.settings.pieces)
    used = Counter(places.shape(piece.spaces) for piece in pieces(state) if piece.player == player)
    return {shape.name: max(shape.count - used[shape], 0) for shape in places.shapes}


def open_spaces(state: State, player: int | None = None) -> frozenset[int]:
    """The empty spaces of which the next piece must cover at least one (C23: the page shows them).

    The centre for the first piece of a round (C03, C22); those that touch any piece on a free turn (C09);
    else those that touch the leader by a side or a point (C05, C32). player: who would place, by default
    whose turn it is.
    """
    covered = owners(state).keys()
    last = leader(state)
    if last is None:
        return board().centre()
    if state.free and player in (None, state.turn):
        return board().touching(covered)
    return board().touching(last.spaces) - covered
