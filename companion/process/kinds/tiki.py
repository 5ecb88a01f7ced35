"""Tiki Topple as a kind of game that the service referees: kept by hand, with secret cards."""

from collections.abc import Mapping
from typing import Any

from companion.games.gathered import Gathered
from companion.games.gathering import Choices, Gathering
from companion.games.tiki import State, TikiTopple, kept_cards, shown_cards, statistics
from companion.games.tiki.options import PAWNS
from companion.games.tiki.round import Round
from companion.games.tiki.view import SECRET
from companion.process.kinds.kind import GameKind
from companion.views.tiki import encode


def _settings(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """One choice of the page, how long, is two settings of the rules."""
    settings = dict(chosen)
    length = settings.pop("length")
    if length == "to_35":
        return settings | {"to_35": True}
    return settings if length == "usual" else settings | {"rounds": int(length)}


CHOICES = Choices(
    clause="T01",
    fewest=2,
    most=4,
    colours=PAWNS,
    values={
        "mode": ("follow", "quick"),  # T17
        "length": ("usual", "5", "6", "8", "10", "12", "to_35"),  # T15, T26
        "ties": ("repeat", "share"),  # T16
        "topple_bottom": (True, False),  # T22
        "final_hands": ("same", "seven"),  # T24
    },
    settings=_settings,
)

_MOVES = frozenset({"start", "line_up", "play", "set_line", "places", "reveal", "score", "abandon", "mode", "undo"})
_BORDERS = frozenset({"begun", "turn_start", "round_start", "round_end", "round_abandoned", "game_end"})


def tiki() -> GameKind:
    """The kind; its commands stand in companion/games/tiki/rules.py and companion/games/gathering.py."""
    game = Gathering(TikiTopple(), CHOICES)
    return GameKind(
        game,
        lambda state, context: encode(state, context, CHOICES),
        _phase,
        _players,
        _MOVES,
        _BORDERS,
        secrets=frozenset({SECRET}),
        private=lambda state: {} if state.inner is None else kept_cards(state.inner),
        shown=shown_cards,
        statistics=statistics.of_game,
        together=statistics.together,
        restates={
            "set_line": lambda state: state.inner and state.inner.current and _on_the_table(state.inner.current),
            "seats": lambda state: state.inner and state.inner.seats,
        },
    )


def _on_the_table(current: Round) -> tuple[object, ...]:
    """What everybody sees of a round, and may set by hand (T27); no secret card is in it (T18)."""
    return current.line, current.turn, current.mode, tuple((hand.player, hand.played) for hand in current.hands)


def _phase(state: Gathered[State]) -> str:
    if state.inner is None:
        return "lobby"
    return "turn" if state.inner.current else "game_end"


def _players(state: Gathered[State]) -> tuple[tuple[int, str, str], ...]:
    seated = {player.id: player for player in state.players}
    order = tuple(seated) if state.inner is None else state.inner.seats
    return tuple((player, seated[player].name, seated[player].colour) for player in order)
