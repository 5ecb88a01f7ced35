"""Turns as ruled against turns as they were: a turn is right when its player and the piles after it are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

NEAR_S = 3.0  # between the end of a turn in the truth and the ruling that it has ended


@dataclass(frozen=True, slots=True)
class Turns:
    """truth, ruled: numbers of turns. right: of the truth's, ruled with the right player and piles.

    whole: every turn right, none ruled that was not, and the same winner if the truth has one. asked: questions.
    """

    truth: int
    ruled: int
    right: int
    whole: bool
    asked: int


def turns(truth: Mapping[str, Any], rulings: Sequence[Mapping[str, Any]]) -> Turns:
    """Compare the turns of a truth.json with a replay's rulings."""
    true = [t for t in truth.get("turns", ()) if t.get("t_end") is not None]
    ruled = [r for r in rulings if r.get("ruling") == "turn_end"]
    right, start = 0, 0
    for turn in true:
        for k in range(start, len(ruled)):
            if _same(turn, ruled[k]):
                right, start = right + 1, k + 1
                break
    won = [t["player"] for t in true if t.get("won")]
    winners = [r.get("winner", r.get("player")) for r in rulings if r.get("ruling") == "round_end"]
    return Turns(
        truth=len(true),
        ruled=len(ruled),
        right=right,
        whole=right == len(true) == len(ruled) and winners == won,
        asked=sum(1 for r in rulings if r.get("asked")),
    )


def _same(turn: Mapping[str, Any], ruling: Mapping[str, Any]) -> bool:
    return (
        ruling.get("player") == turn["player"]
        and list(ruling.get("piles", ())) == list(turn["piles"])
        and abs(float(ruling["t"]) - float(turn["t_end"])) <= NEAR_S
    )
