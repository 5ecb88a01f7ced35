"""CirKis as a kind of game that the service referees: kept by hand."""

from collections.abc import Mapping
from typing import Any

from companion.games.cirkis import CirKis, Phase, State
from companion.games.cirkis.settings import CHOICES as RULES
from companion.games.cirkis.settings import COLOURS
from companion.games.cirkis.statistics import of_game, together
from companion.games.gathered import Gathered
from companion.games.gathering import Choices, Gathering
from companion.process.kinds.kind import GameKind
from companion.views.cirkis import encode, foresee


def _settings(chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The set of pieces is a word on the page: the assumed one, or none (C20)."""
    return {**chosen, "pieces": "assumed" if chosen["pieces"] == "assumed" else None}


CHOICES = Choices(
    clause="C01",
    fewest=2,
    most=4,
    colours=COLOURS,
    values={
        "mode": RULES["mode"],  # C19
        "play_to": RULES["play_to"],  # C17
        "ring": (False, True),  # C16
        "pieces": ("unknown", "assumed"),  # C20
        "hole": RULES["hole"],  # C06
        "forty": RULES["forty"],  # C27
        "hundred_at": RULES["hundred_at"],  # C30
        "next_starter": RULES["next_starter"],  # C30
    },
    settings=_settings,
)

_MOVES = frozenset(
    {"start", "place", "cannot_place", "complete", "turn_over", "stuck", "unplayed", "next_round", "abandon", "undo"}
)
_BORDERS = frozenset({"begun", "turn_start", "free_turn", "round_start", "round_end", "game_end", "question"})
_PHASES = {Phase.PLAY: "turn", Phase.TIE: "question", Phase.BETWEEN: "round_end", Phase.OVER: "game_end"}


def cirkis() -> GameKind:
    """The kind; its commands stand in companion/games/cirkis/rules.py and companion/games/gathering.py."""
    return GameKind(
        Gathering(CirKis(), CHOICES),
        lambda state, context: encode(state, context, CHOICES),
        _phase,
        _players,
        _MOVES,
        _BORDERS,
        statistics=of_game,
        together=together,
        restates={
            "pieces": lambda state: state.inner and state.inner.settings.pieces,
            "seats": lambda state: state.inner and state.inner.seats,
        },
        foresee=lambda state, asked: None if state.inner is None else foresee(state.inner, asked),
    )


def _phase(state: Gathered[State]) -> str:
    return "lobby" if state.inner is None else _PHASES[state.inner.phase]


def _players(state: Gathered[State]) -> tuple[tuple[int, str, str], ...]:
    seated = {player.id: player for player in state.players}
    order = tuple(seated) if state.inner is None else state.inner.seats
    return tuple((player, seated[player].name, seated[player].colour) for player in order)
