"""The check on the sensors: what lies on the board at rest against what the rules say lies there (Y21,
Y37).

A reading that breaks it is never guessed away: it is a named state, and after a while a question.
"""

from collections.abc import Iterable
from typing import Any

from companion.games.yikerz import piles, questions
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.state import BoardStone, Mismatch, State
from companion.table import BoardTime


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


def counted(h: Hearing, seen: int) -> None:
    """The board at rest, no hand near and nothing to take, shows `seen` stones (Y21)."""
    state = h.state
    expected = len(state.board)
    if state.missing and seen == expected + len(state.missing):
        put_back(h)
        expected = len(h.state.board)
    if seen != expected:
        before = state.mismatch
        if before is None or (before.seen, before.expected) != (seen, expected):
            h.set(mismatch=Mismatch(expected, seen, h.t_us))
    elif state.mismatch is not None:
        over(h)


def over(h: Hearing) -> None:
    """The mismatch is no more; its question is closed."""
    mismatch = h.state.mismatch
    question = questions.find(h, "mismatch")
    if question is not None:
        questions.close(h, question.number)
    h.set(mismatch=None)
    if mismatch is not None and mismatch.asked:
        h.rule("mismatch_over", "Y21", None, seen=mismatch.seen, expected=mismatch.expected)


def ask(h: Hearing) -> None:
    """The mismatch stands: the page says what it sees and asks (Y21)."""
    mismatch = h.state.mismatch
    assert mismatch is not None
    h.set(mismatch=Mismatch(mismatch.expected, mismatch.seen, mismatch.since_us, asked=True))
    numbers: dict[str, Any] = {"expected": mismatch.expected, "seen": mismatch.seen}
    h.rule("mismatch", "Y21", h.state.seat, **numbers)
    questions.ask(h, "mismatch", "Y21", h.state.seat, holds=True, **numbers)


def board_is_right(h: Hearing) -> bool:
    """The table says that the board shows the truth: the difference goes to, or comes from, the pile in
    turn.

    False if that pile has not enough stones.
    """
    mismatch = h.state.mismatch
    if mismatch is None:
        return True
    more = mismatch.seen - len(h.state.board)
    if more > h.state.piles[h.state.seat] - (0 if h.state.spent else 1):
        return False
    for _ in range(more):
        piles.lay(h, h.state.seat, h.virtual())
    for track in h.uncovered()[: max(0, -more)]:
        piles.pick_up(h, h.state.seat, track)
    h.rule("corrected", "Y21", h.state.seat, piles=list(h.state.piles), board=len(h.state.board))
    over(h)
    return True


def gone(h: Hearing, track: int) -> None:
    """A stone left the board without a ruling (Y37): asked about, and until then it counts as missing
    (Y21).
    """
    piles.lift_off(h, track)
    h.set(missing=(*h.state.missing, track))
    h.rule("missing", "Y37", h.state.seat, stones=[track], missing=len(h.state.missing))
    stones = list(h.state.missing)
    if questions.ask(h, "missing", "Y37", h.state.seat, holds=True, stones=stones) is not None:
        into_pile(h, h.state.seat)


def into_pile(h: Hearing, seat: int) -> None:
    """The missing stones are in this player's pile."""
    tracks = h.state.missing
    h.set(missing=())
    piles.add(h, seat, len(tracks))
    for track in tracks:
        h.own(track, seat)
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


def seen_again(h: Hearing, tracks: Iterable[int]) -> None:
    """Missing stones among these are on the board after all."""
    for track in tracks:
        if track in h.state.missing:
            put_back(h, track)
