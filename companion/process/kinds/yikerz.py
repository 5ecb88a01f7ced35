"""¡Yikerz! as a kind of game that the service referees."""

from companion.games.yikerz import statistics
from companion.games.yikerz.game import Yikerz
from companion.games.yikerz.layout import Tile
from companion.games.yikerz.ready import not_ready
from companion.games.yikerz.recorded import recorded_of, settings_of
from companion.games.yikerz.state import State
from companion.games.yikerz.unlike import SAID, unlike
from companion.games.yikerz.versions import NEWEST, OLDEST
from companion.process.kinds.kind import GameKind
from companion.views.yikerz import encode

_MOVES = frozenset(
    {"start", "next_round", "placed", "released", "collapsed", "fell_off", "removed", "next_player"}
    | {"abandon_round", "round_result", "undo"}
)
_BORDERS = frozenset({"round_start", "turn_start", "turn_end", "round_end", "round_abandoned", "game_end"})


def yikerz() -> GameKind:
    """The kind; what its names mean stands in companion/games/yikerz/names.py."""
    return GameKind(
        Yikerz(),
        encode,
        _phase,
        _players,
        _MOVES,
        _BORDERS,
        settings_of,
        starts=frozenset({"start", "next_round"}),
        not_ready=lambda picture, health, laid: not_ready(picture, health, [Tile(*tile) for tile in laid[0]], laid[1]),
        says=SAID,
        unlike=unlike,
        statistics=statistics.of_game,
        clipped=frozenset({"collapse", "taken_back", "fell_off", "unsure", "missing", "mismatch"}),
        recorded=recorded_of,
        together=statistics.together,
        restates={"set_piles": _counted, "round_result": _counted},
        earlier={str(rules): Yikerz(max(rules, OLDEST)) for rules in range(1, NEWEST)},
    )


def _counted(state: State) -> tuple[tuple[int, ...], int]:
    return state.piles, state.on_board


def _phase(state: State) -> str:
    return state.phase


def _players(state: State) -> tuple[tuple[int, str], ...]:
    return tuple((player.id, player.name) for player in state.players)
