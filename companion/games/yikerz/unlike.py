"""What the sensors still see when people say that the stones lie as they must (Y21, Y22).

Nobody is kept from saying so: a press is asked back once, with what is seen, and counts when it insists.
"""

from collections.abc import Iterable, Mapping
from math import dist
from typing import Any

from companion.games.laying import LAID_MM
from companion.games.past import Folded, last_seen
from companion.games.yikerz.conservation import CODES
from companion.games.yikerz.state import State
from companion.table import Health, Picture, Stone

SAID = ("lay", "answer")
"""The commands that can say so: laid; put_back or taken_off."""


def unlike(
    folded: Folded[State], name: str, args: Mapping[str, Any], picture: Picture | None, health: Health | None
) -> dict[str, Any] | None:
    """What sensors that work see where it is another number of stones than a command says lies there, as JSON values;
    None where they agree, or cannot tell.

    {"seen", "expected": stones at rest; "absent": where one that should lie there lay last, "extra": where one lies
    that should not, as far as they are known, as [{"track", "x", "y"}] (mm)}.
    """
    should = _said(folded, name, args)
    if should is None or picture is None or health is None or health.state != "ok" or health.late_s:
        return None
    tracks, expected, as_well = should
    lie = [stone for stone in picture.stones if not stone.held and stone.track not in folded.state.lying]
    if len(lie) - expected in (0, folded.state.blind, as_well):
        return None
    seen = {stone.track for stone in lie}
    places = last_seen(folded.past, tracks - seen)
    gone = [each for each in places if all(dist((each.x, each.y), (s.x, s.y)) >= LAID_MM for s in lie)]
    more = [stone for stone in lie if stone.track not in tracks]
    return {
        "seen": len(lie),
        "expected": expected,
        "absent": _placed(gone[: max(0, expected - len(lie))]),
        "extra": _placed(more[: max(0, len(lie) - expected)]),
    }


def _said(folded: Folded[State], name: str, args: Mapping[str, Any]) -> tuple[set[int], int, int] | None:
    """The tracks that lie there if the command is right, how many stones, and by how many more (fewer: negative) it can
    be right as well; None where it says nothing of that.

    An answer about the count says nothing of the stones that are missing, nor one about those of the count.
    """
    state = folded.state
    board, missing = {stone.track for stone in state.board}, {*state.missing}
    if name == "lay" and args.get("how") == "laid" and folded.laying is not None:
        return board, len(board), 0
    question = next((q for q in state.questions if q.number == args.get("question")), None)
    if name != "answer" or question is None or args.get("choice") not in ("put_back", "taken_off"):
        return None
    if question.code in CODES:
        return board, len(board), len(missing)  # they may have been laid back with the others: the next count shows it
    mismatch = state.mismatch
    other = mismatch.seen - mismatch.expected if mismatch is not None and mismatch.asked else 0
    return board | missing, len(board) + len(missing), other


def _placed(stones: Iterable[Stone]) -> list[dict[str, float]]:
    return [{"track": stone.track, "x": round(stone.x, 1), "y": round(stone.y, 1)} for stone in stones]
