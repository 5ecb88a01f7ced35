"""The check on the sensors: what lies on the board at rest against what the rules say lies there (Y21,
Y37).

A reading that breaks it is never guessed away: it is a named state, and after a while a question.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from companion.games.yikerz import piles, questions
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import QUESTIONS, Outcome, Stage
from companion.games.yikerz.question import GAP
from companion.games.yikerz.state import State
from companion.games.yikerz.stones import BoardStone, Mismatch
from companion.table import BoardTime

CODES = ("fewer", "more")
"""The questions about a count that does not add up (Y21)."""


def due(state: State) -> BoardTime | None:
    """When a standing mismatch is asked about; None without one."""
    if state.mismatch is None or state.mismatch.asked or not state.running:
        return None
    return state.mismatch.since_us + state.settings.mismatch_us


def disturbed(h: Hearing) -> None:
    """Something moves on the board: a count not asked about yet is worth nothing any more."""
    h.set(rested=False)
    if h.state.mismatch is not None and not h.state.mismatch.asked:
        h.set(mismatch=None)


def counted(h: Hearing, seen: int, resting: Iterable[int] = ()) -> None:
    """The board at rest, no hand near and nothing to take, shows `seen` stones, these tracks among them (Y21).

    blind: what the table has said that the sensors do not see, or see though it is no stone.
    """
    state = h.state
    expected = len(state.board)
    if state.missing and seen == expected + len(state.missing):
        put_back(h)
        expected = len(h.state.board)
    if seen == expected:
        h.set(blind=0)
    if seen - expected not in (0, h.state.blind):
        before = state.mismatch
        if before is None or (before.seen, before.expected) != (seen, expected):
            close(h)
            absent = tuple(sorted({stone.track for stone in h.state.board} - set(resting))) if resting else ()
            h.set(mismatch=Mismatch(expected, seen, h.t_us, absent=absent))
    elif state.mismatch is not None:
        over(h)


def close(h: Hearing) -> None:
    """The questions about the count are open no longer."""
    for code in CODES:
        question = questions.find(h, code)
        if question is not None:
            questions.close(h, question.number)


def over(h: Hearing) -> None:
    """The mismatch is no more; its question is closed."""
    mismatch = h.state.mismatch
    close(h)
    h.set(mismatch=None)
    if mismatch is not None and mismatch.asked:
        h.rule("mismatch_over", "Y21", None, seen=mismatch.seen, expected=mismatch.expected)


def ask(h: Hearing) -> bool:
    """The mismatch stands: the page says what it sees and asks what happened (Y21). Whether the best reading is that
    the turn's stone was placed; where people answer it is none."""
    mismatch = h.state.mismatch
    assert mismatch is not None
    h.set(mismatch=replace(mismatch, asked=True))
    numbers: dict[str, Any] = {"expected": mismatch.expected, "seen": mismatch.seen}
    h.rule("mismatch", "Y21", h.state.seat, **numbers)
    code = "fewer" if mismatch.seen < mismatch.expected else "more"
    one_to_place = h.state.stage is Stage.TURN and not h.state.spent and mismatch.seen == mismatch.expected + 1
    gap = questions.of(h, GAP)
    left_out = {*([] if one_to_place else ["placed"]), "put_back" if gap else "collapsed"}
    choices = tuple(choice for choice in QUESTIONS[code] if choice not in left_out)
    if gap is not None:  # this is what the gap has brought: one question for both
        questions.close(h, gap.number)
        numbers["lasted_us"] = gap.args.get("lasted_us", 0)
    # At rest hardly a stone escapes the sensors, while of a cluster in a hand one is easily missed: what is not there
    # has gone with the stones that were taken last. One more than before a gap in this turn was put there in it (Y23).
    unseen = one_to_place and questions.left_open(h, {"unseen"}) is not None
    best = "into_pile" if code == "fewer" else "placed" if unseen else None
    reading = questions.ask(h, code, "Y21", h.state.seat, holds=True, choices=choices, best=best, **numbers)
    if reading == "placed":
        over(h)
    elif reading is not None and not (reading == "into_pile" and move_stones(h, _clearing(h), onto_board=False)):
        h.set(blind=mismatch.seen - mismatch.expected)
    return reading == "placed"


def _clearing(h: Hearing) -> int:
    """The seat that took the stones that left the board last: of the turn before, until this one's stone has come."""
    state = h.state
    begun = state.coming or state.spent or state.taken or state.stage is not Stage.TURN
    return state.seat if begun or state.before is None else state.before


def missed(h: Hearing) -> int:
    """By how many stones the board differs from what is expected now."""
    mismatch = h.state.mismatch
    return 0 if mismatch is None else abs(mismatch.seen - len(h.state.board))


def absent(h: Hearing) -> list[int]:
    """The stones that lie there by the rules and not on the board: those not seen, else the newest stand for them."""
    mismatch, free = h.state.mismatch, h.uncovered()
    known = [track for track in free if mismatch is not None and track in mismatch.absent]
    number = missed(h)
    return known if len(known) == number else free[max(0, len(free) - number) :]


def accept(h: Hearing) -> None:
    """The table says that the state is right: the sensors do not see a stone, or see one that is none."""
    if h.state.mismatch is not None:
        h.set(blind=h.state.mismatch.seen - len(h.state.board))
    over(h)


def move_stones(h: Hearing, seat: int, onto_board: bool) -> bool:
    """The table says that the stones went from this player's pile to the board, or back. False if it has not so many.

    A pile keeps a stone for a turn that still needs one (Y45).
    """
    number = missed(h)
    kept = 0 if h.state.spent and seat == h.state.seat else 1
    if seat in h.state.away or (onto_board and number > h.state.piles[seat] - kept):
        return False
    if onto_board:
        for _ in range(number):
            piles.lay(h, seat, h.virtual())
    else:
        for track in absent(h):
            piles.pick_up(h, seat, track)
    h.rule("corrected", "Y21", seat, piles=list(h.state.piles), board=len(h.state.board))
    over(h)
    return True


def gone(h: Hearing, tracks: Sequence[int]) -> None:
    """Stones left the board without a ruling (Y37): asked about once, and until then they count as missing
    (Y21).
    """
    for track in tracks:
        piles.lift_off(h, track)
    h.set(missing=(*h.state.missing, *tracks))
    h.rule("missing", "Y37", h.state.seat, stones=list(tracks), missing=len(h.state.missing))
    stones = list(h.state.missing)
    gap = questions.of(h, GAP)
    if gap is not None:  # what the gap has brought is being taken away: one question for both
        questions.change(h, gap, questions.OF_A_GAP_MISSING, missing=stones)
        return
    asked = questions.left_open(h, GAP | {"missing"}) is not None
    if asked or questions.ask(h, "missing", "Y37", h.state.seat, holds=True, stones=stones) is not None:
        into_pile(h, h.state.seat)


def into_pile(h: Hearing, seat: int) -> None:
    """The missing stones are in this player's pile. Where that one's stone is at the board it has pulled them off,
    unseen: there is no second try (Y10).
    """
    tracks, state = h.state.missing, h.state
    h.set(missing=())
    piles.add(h, seat, len(tracks))
    for track in tracks:
        h.own(track, seat)
    if state.stage is Stage.TURN and state.coming and not state.spent and seat == state.seat:
        spent = state.settings.hand_stone != "may_place"
        h.set(spent=spent, outcome=Outcome.COLLAPSE, taken=tuple(sorted({*state.taken, *tracks})))
    h.rule("corrected", "Y37", seat, piles=list(h.state.piles), stones=list(tracks))


def put_back(h: Hearing, track: int | None = None) -> None:
    """Missing stones (or the one of this track) lie on the board again."""
    back = [t for t in h.state.missing if track in (None, t)]
    left = tuple(t for t in h.state.missing if t not in back)
    h.set(missing=left, board=(*h.state.board, *(BoardStone(t) for t in back)))
    h.rule("returned", "Y37", h.state.seat, stones=back)
    question = questions.find(h, "missing")
    if question is not None and not left:
        questions.close(h, question.number)
    gap = questions.of(h, GAP)
    if gap is not None and not left:
        questions.change(h, gap, questions.OF_A_GAP, missing=[])


def seen_again(h: Hearing, tracks: Iterable[int]) -> None:
    """Missing stones among these are on the board after all."""
    for track in tracks:
        if track in h.state.missing:
            put_back(h, track)
