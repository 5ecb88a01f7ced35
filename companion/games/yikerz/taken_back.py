"""A collapse that was ruled and was none: a touch that parts again by itself is none (head of the rules), and what the
sensors took for one is not even a touch (Y10, Y22). Its stones lie as they lay before; nobody has to take them.

What there was before it is kept with it (fault.py); what has happened since for itself stays: other collapses and
falls, stones taken for those, answers, a turn that has passed.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.games.yikerz import piles, questions, turn
from companion.games.yikerz.fault import Fault
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Outcome, Said, Stage


def take_back(h: Hearing, stones: Collection[int], lie: Collection[int], **seen: Any) -> None:
    """The collapse of these stones was none; lie: those of them that are seen lying on the board. seen: for the ruling.

    The turn is what it would be without it: its stone may still be let go, or the rest of the 10 s runs on (what of
    them has passed has passed). A stone that counts as taken or fallen, though it lies there, is on the board again
    (Y21); a turn that has passed meanwhile stays passed (Y31). In sudden death a player who is out by it stays out
    (Y42), which the table may undo. An open question whether they stick together is answered by it.
    """
    old = h.state.faults
    kept = _kept(old, set(stones), set(lie))
    none = [f for f, left in zip(old, kept, strict=True) if f.stones and not left.stones]
    standing = tuple(left for f, left in zip(old, kept, strict=True) if f not in none)
    still = {track for f in standing for track in f.new}
    gone = {track for f in old for track in f.new} - still
    takes = [take for take in h.state.takes if take.track in gone]
    back = [t for t in lie if t in gone and not h.lies(t) and h.owner(t) is not None and h.hand(t) is None]
    if h.state.sudden and any(f.before.away != len(h.state.away) for f in none):
        h.rule("unsure", "Y42", h.state.seat, code="out_stays", stones=sorted(stones), **seen)
        return
    doubted = _undoubted(h, set(stones))
    if not (takes or back):
        none, gone = [], set()
        if not doubted:
            return
    else:
        h.set(faults=standing)
    owners = [take.seat for take in takes] + [seat for seat in map(h.owner, back) if seat is not None]
    for take in takes:
        h.drop_take(take.track)
    h.set(taken=tuple(t for t in h.state.taken if t not in gone))
    _unblamed(h, gone)
    for fault in reversed(none):
        _turn_as_it_was(h, fault, gone)
    _lay(h, back, none)
    _clocks(h, none)
    rulings = sorted(number for f in none for number in f.rulings)
    data: dict[str, Any] = {
        "stones": sorted(stones),
        "rulings": rulings,
        "new": sorted(gone),
        "piles": list(h.state.piles),
    }
    h.rule("taken_back", "Y22", owners[0] if owners else h.state.seat, **data, **seen)
    turn.resume(h, "taken_back")


def _kept(faults: tuple[Fault, ...], stones: set[int], lie: set[int]) -> tuple[Fault, ...]:
    """What is left of each; without stones: it was none. A stone that lies alone is in no cluster and has not fallen;
    another of the two may be in a cluster that they are not both of.
    """
    known = {track for f in faults if stones & set(f.stones) for track in f.new}
    kept = []
    for f in faults:
        cluster = set(f.stones)
        both = f.kind is Outcome.COLLAPSE and (cluster <= stones or stones <= cluster)
        out = cluster & (stones if both else lie)
        left = cluster - out
        new = (set(f.new) - out) | (left & known)
        kept.append(replace(f, stones=tuple(sorted(left)), new=tuple(sorted(new))))
    return tuple(kept)


def _undoubted(h: Hearing, stones: set[int]) -> bool:
    """Whether it was in doubt if these stick together: that is known now."""
    state = h.state
    asked = [q for q in state.questions if q.code == "unsure" and _sticking(q.args, stones)]
    unanswered = tuple(q for q in state.unanswered if not (q.code == "unsure" and _sticking(q.args, stones)))
    for question in asked:
        questions.close(h, question.number)
    h.set(unanswered=unanswered)
    return bool(asked) or unanswered != state.unanswered


def _sticking(args: Mapping[str, Any], stones: set[int]) -> bool:
    """Whether the doubt is if (some of) these stick together, and no stone is missing since."""
    return bool(args.get("new")) and not args.get("missing") and set(args["stones"]) <= stones


def _unblamed(h: Hearing, gone: set[int]) -> None:
    """Nobody has to say whose these stones are."""
    asked = questions.find(h, "whose")
    if asked is None or not gone & set(asked.args["stones"]):
        return
    left = [track for track in asked.args["stones"] if track not in gone]
    if left:
        questions.change(h, asked, asked.choices, stones=left)
    else:
        questions.close(h, asked.number)


def _turn_as_it_was(h: Hearing, fault: Fault, gone: set[int]) -> None:
    """Whether there is a stone to place, and what the turn has come to: as before it, and by what was ruled since."""
    state, before = h.state, fault.before
    if fault.turn != state.turns or not fault.counts:
        return
    later = [f for f in state.faults if f.turn == fault.turn and f.counts and f.rulings[0] > fault.rulings[0]]
    kinds = {before.outcome, *(f.kind for f in later)}
    outcome = next(o for o in (Outcome.COLLAPSE, Outcome.FELL_OFF, Outcome.CLEAN) if o in kinds)
    spent = before.spent or state.last is not None or any(f.spends for f in later)
    h.set(spent=spent, outcome=outcome)
    if later:
        then = later[0].before
        taken = tuple(t for t in then.taken if t not in gone)
        deadline_us = before.deadline_us if then.deadline_us is None else then.deadline_us
        as_it_was = replace(then, spent=before.spent, outcome=before.outcome, taken=taken, deadline_us=deadline_us)
        changed = replace(later[0], before=as_it_was)
        h.set(faults=tuple(changed if f is later[0] else f for f in state.faults))


def _lay(h: Hearing, tracks: Sequence[int], none: Sequence[Fault]) -> None:
    """These lie on the board again, as they lay; what they brought to a pile is undone with it (Y38)."""
    owners = {seat for seat in map(h.owner, tracks) if seat is not None}
    for track in tracks:
        owner = h.owner(track)
        # A pile keeps a stone for a turn that still needs one (Y45): then the count of the board is asked about (Y21).
        kept = 0 if owner == h.state.seat and h.state.spent else 1
        if owner is not None and h.state.piles[owner] > kept:
            piles.lay(h, owner, track)
    if not none:
        return
    before = none[0].before
    places = {track: place for place, track in enumerate(before.board)}
    h.set(board=tuple(sorted(h.state.board, key=lambda s: places.get(s.track, len(places)))))
    if none[0].turn == h.state.turns and h.state.last is None and before.last is not None and h.lies(before.last):
        h.set(last=before.last)
    penalised = h.state.penalty.seat if h.state.penalty is not None else None
    calls = list(h.state.calls)
    for seat in owners - {penalised}:
        if calls[seat].said is Said.NOT_DUE and h.state.piles[seat] == before.piles[seat]:
            calls[seat] = replace(calls[seat], said=before.calls[seat].said)
    h.set(calls=tuple(calls))


def _clocks(h: Hearing, none: Sequence[Fault]) -> None:
    """The clock that was broken off runs on, if nothing else has been taken since or has to be."""
    state = h.state
    mine = [f.before for f in none if f.turn == state.turns and f.counts]
    if not mine or state.stage is Stage.PENALTY or turn.own_takes(state) or set(state.taken) - set(mine[0].taken):
        return
    if state.spent and mine[0].deadline_us is not None:
        h.set(stage=Stage.COUNTDOWN, deadline_us=max(mine[0].deadline_us, h.t_us))
    elif not state.spent and mine[0].limit_us is not None:
        h.set(limit_us=max(mine[0].limit_us, h.t_us))
