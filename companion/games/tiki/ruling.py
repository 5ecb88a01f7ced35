"""The rulings of Tiki Topple. None made before the reveal carries a secret card, nor depends on one (T18).

Places are counted from the top, 1 the highest (T20); players are ids; cards and tikis are their names.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from companion.games.game import Command, Ruling
from companion.games.tiki.line import Line
from companion.games.tiki.round import Phase, Round
from companion.games.tiki.scoring import Gain
from companion.games.tiki.secret import SecretCard, expected_kind
from companion.games.tiki.state import End, State

Said: TypeAlias = tuple[Ruling, ...]


def say(
    command: Command,
    kind: str,
    clause: str,
    player: int | None = None,
    data: Mapping[str, Any] | None = None,
    asked: bool = False,
) -> Ruling:
    """A ruling dated by the command that led to it."""
    return Ruling(command.t_us, kind, clause, player, data or {}, asked)


def names(line: Line | SecretCard) -> list[str]:
    """Tikis as JSON."""
    return [str(tiki) for tiki in line]


def shown_card(player: int, card: SecretCard) -> dict[str, Any]:
    """A card that everybody may see. expected: one tiki of each group (T04)."""
    return {"player": player, "card": names(card), "expected": expected_kind(card)}


def gain_json(gain: Gain) -> dict[str, Any]:
    """What one tiki of a card earned (T12)."""
    return {"tiki": str(gain.tiki), "place": gain.place, "points": gain.points}


def what_follows(command: Command, before: Round, after: Round) -> Said:
    """The end of the round or the next turn, where the entry brought either."""
    if after.phase is Phase.ENDED and before.phase is not Phase.ENDED:
        told = {"reason": "told"} if after.quick_places else {"reason": after.end_reason}
        clause = "T17" if after.quick_places else "T11"
        return (say(command, "round_end", clause, data={**told, "places": names(after.places)}),)
    if after.phase is Phase.PLAY and (before.phase is not Phase.PLAY or before.turn != after.turn):
        return (say(command, "turn_start", "T05", after.turn),)
    return ()


def round_started(command: Command, before: State, after: State, shuffled: bool) -> Said:
    """A new round of the game (T14), or a final one with those tied (T24, T25)."""
    current = after.current
    assert current is not None
    data = {
        "number": 1 + sum(scored.final == 0 for scored in after.history),
        "final": current.final,
        "players": list(current.players),
        "mode": str(current.mode),
    }
    out: Said = ()
    if current.final and not (before.current and before.current.final == current.final):
        out += (say(command, "tie", "T16", data={"players": list(current.players)}),)
    if shuffled:
        out += (say(command, "shuffle", "T23"),)
    return (*out, say(command, "round_start", "T25" if current.final else "T14", current.starter, data))


def game_ended(command: Command, end: End) -> Said:
    """The winner, or those who share the win (T16)."""
    data = {"winners": list(end.winners), "shared": len(end.winners) > 1, "reason": end.reason}
    return (say(command, "game_end", end.clause, data=data),)
