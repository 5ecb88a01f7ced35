"""What others may see of a game, and what one phone may see besides (T18, T19, T28).

The state holds secret cards; these two functions are the only door from it to pages, streams and exports.
"""

from collections.abc import Iterable
from typing import Any

from companion.games.game import Command
from companion.games.past import Written
from companion.games.tiki.line import Line, toasted
from companion.games.tiki.options import write_options
from companion.games.tiki.round import Phase, Round, legal_plays
from companion.games.tiki.ruling import gain_json, names, shown_card
from companion.games.tiki.scoring import ScoredRound, gains, points
from companion.games.tiki.secret import SecretCard, expected_kind, twins
from companion.games.tiki.state import State, contenders, places

SECRET = "secret"
"""Name of the command that carries a secret card."""


def public(state: State) -> dict[str, Any]:
    """JSON values for everybody. Two states that differ only in cards not yet shown have the same (T18)."""
    sums, places_now = state.totals(), places(state)
    return {
        "game": "tiki",
        "settings": write_options(state.options),
        "phase": str(state.phase),
        "players": [
            {
                "player": player,
                "name": state.options.players[player],
                "colour": state.options.colours[player],
                "total": sums[player],
                "place": places_now[player],
                "gone": player in state.gone,
            }
            for player in state.seats
        ],
        "round": _round(state, state.current) if state.current else None,
        "history": [_scored(scored) for scored in state.history],
        "winners": [] if state.current else list(contenders(state)),
    }


def private(state: State, player: int) -> dict[str, Any]:
    """JSON values for one player's phone alone: the own secret card, the cards in hand (T19) and, on one's
    own turn, what may be played. Nothing of anybody else's, and nothing for one who is not in the round."""
    current = state.current
    if current is None or player not in current.players:
        return {"player": player, "card": None, "held": [], "plays": []}
    card = current.card(player)
    plays = legal_plays(current, state.options.topple_bottom) if current.turn == player else ()
    return {
        "player": player,
        "card": None if card is None else {"tikis": names(card), "expected": expected_kind(card)},
        "held": [str(action) for action in current.hand(player).held],
        "plays": [{"card": str(action), "tiki": str(tiki)} for action, tiki in plays],
    }


def kept_cards(state: State) -> dict[tuple[int, str], dict[str, Any]]:
    """Cards that are not shown yet, by (player, mark of the phone that entered it): each for that phone alone (T18)."""
    current = state.current
    if current is None or current.revealed:
        return {}
    keepers = dict(current.keepers)
    return {
        (player, keepers[player]): {"tikis": names(card), "expected": expected_kind(card)}
        for player, card in current.cards
        if keepers.get(player)
    }


def shown_cards(commands: Iterable[Written]) -> frozenset[int]:
    """Numbers of the commands whose card was shown to all: the last one of each player before the reveal, and those
    after it (T28). A card of a round that was abandoned, or of a player who left before, never is (T29)."""
    hidden: dict[int | None, int] = {}
    shown: set[int] = set()
    revealed = False
    for item in commands:
        match item.entry:
            case Command(name="secret", player=player) if revealed:
                shown.add(item.number)
            case Command(name="secret", player=player):
                hidden[player] = item.number
            case Command(name="leave", player=player):
                hidden.pop(player, None)
            case Command(name="reveal"):
                shown |= set(hidden.values())
                hidden, revealed = {}, True
            case Command(name="score" | "abandon"):
                hidden, revealed = {}, False
    return frozenset(shown)


def _round(state: State, current: Round) -> dict[str, Any]:
    return {
        "number": 1 + sum(scored.final == 0 for scored in state.history),
        "of": None if state.options.to_35 else state.options.rounds,
        "final": current.final,
        "mode": str(current.mode),
        "starter": current.starter,
        "turn": current.turn if current.phase is Phase.PLAY else None,
        "line": names(current.line),
        "toasted": names(toasted(current.line)) if current.line else [],
        "places": names(current.places),
        "end": current.end_reason if current.line else "",
        "hands": [
            {
                "player": hand.player,
                "played": [str(action) for action in hand.played],
                "left": len(hand.held),
                "entered": current.card(hand.player) is not None,
            }
            for hand in current.hands
        ],
        "cards": [_shown(current.places, *entered) for entered in current.cards] if current.revealed else [],
        "same_cards": [list(players) for players in twins(current.cards)] if current.revealed else [],
        "undealt": state.pack.undealt,
    }


def _scored(scored: ScoredRound) -> dict[str, Any]:
    return {
        "starter": scored.starter,
        "final": scored.final,
        "places": names(scored.places),
        "scores": [
            {"player": player, "card": names(card), "points": scored.points()[player]} for player, card in scored.cards
        ],
    }


def _shown(line: Line, player: int, card: SecretCard) -> dict[str, Any]:
    """A card that everybody may see, with what it earns, or would if it counted now (T12)."""
    return {
        **shown_card(player, card),
        "gains": [gain_json(gain) for gain in gains(card, line)],
        "points": points(card, line),
    }
