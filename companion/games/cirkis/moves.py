"""Can a player place at all? A search over the places of the set's pieces (C20, C23)."""

from dataclasses import dataclass

from companion.games.cirkis.pieces import catalogue
from companion.games.cirkis.position import open_spaces, owners, unplayed_shapes
from companion.games.cirkis.state import State


@dataclass(frozen=True, slots=True)
class Search:
    """spaces: a placement that is legal, None if there is none. nodes: places looked at."""

    spaces: tuple[int, ...] | None
    nodes: int


def find_place(state: State, player: int) -> Search | None:
    """A legal placement for the player by the set, on a free turn or following the leader.

    None without a set: then the players' word counts (C23). Each space that must be met is taken with each
    place of a piece on it, so nodes never exceed the sum of the places over all spaces (three times their
    number at most).
    """
    if state.settings.pieces is None:
        return None
    places = catalogue(state.settings.pieces)
    covered = owners(state).keys()
    left = unplayed_shapes(state, player)
    nodes = 0
    for space in sorted(open_spaces(state, player)):
        for spaces in places.at[space]:
            nodes += 1
            if left[places.shape_at[spaces].name] and covered.isdisjoint(spaces):
                return Search(spaces, nodes)
    return Search(None, nodes)


def unable(state: State) -> tuple[int, ...] | None:
    """Who, of those who play, could not place now, were it their turn; None without a set.

    When it is everybody, nobody will place again: each loses the turn and the round ends (C12).
    """
    searches = {player: find_place(state, player) for player in state.active()}
    if None in searches.values():
        return None
    return tuple(player for player, search in searches.items() if search is not None and search.spaces is None)
