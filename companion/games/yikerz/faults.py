"""Collapses and falls that may still be taken back: what they changed, kept in the state (Y22; taken_back.py)."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from companion.games.yikerz.fault import Before, Fault
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Outcome
from companion.games.yikerz.state import State


def keep(
    h: Hearing,
    before: State,
    kind: Outcome,
    stones: Iterable[int],
    new: Iterable[int],
    counts: bool,
    spends: bool,
    grown: bool = False,
) -> None:
    """The ruling just made is one of these (see Fault). before: the state then; grown: it is more of an earlier one."""
    number, cluster = h.state.ruled, set(stones)
    earlier = [f for f in h.state.faults if grown and f.kind is kind and cluster & set(f.new)]
    if earlier:
        old = earlier[-1]
        more = replace(
            old,
            stones=tuple(sorted(cluster.union(old.stones))),
            new=(*old.new, *new),
            rulings=(*old.rulings, number),
            spends=old.spends or spends,
        )
        h.set(faults=tuple(more if f is old else f for f in h.state.faults))
        return
    fault = Fault(kind, tuple(sorted(cluster)), tuple(new), (number,), before.turns, counts, spends, _as_it_was(before))
    h.set(faults=(*h.state.faults, fault))


def _as_it_was(state: State) -> Before:
    return Before(
        state.spent,
        state.outcome,
        state.last,
        state.taken,
        tuple(stone.track for stone in state.board),
        state.piles,
        state.calls,
        len(state.away),
        state.deadline_us,
        state.limit_us,
    )


def known_as(h: Hearing, number: int, track: int) -> None:
    """A stone to be taken that had only a number turns out to be this one."""
    h.set(
        faults=tuple(
            replace(f, new=tuple(track if t == number else t for t in f.new)) if number in f.new else f
            for f in h.state.faults
        )
    )


def brought(h: Hearing, stones: Collection[int]) -> None:
    """What was ruled about these stones is the fault of one who brought a stone out of turn (Y29)."""
    h.set(
        faults=tuple(replace(f, counts=False, spends=False) if set(f.new) & set(stones) else f for f in h.state.faults)
    )


def taken_meanwhile(h: Hearing, tracks: Collection[int]) -> None:
    """These are taken while others are not yet: without those the 10 s would run from now (Y13)."""
    state = h.state
    to_take = {take.track for take in state.to_take}
    deadline = h.t_us + state.settings.countdown_us
    h.set(
        faults=tuple(
            replace(f, before=replace(f.before, deadline_us=deadline, taken=state.taken))
            if f.turn == state.turns and to_take & set(f.new) and not set(tracks) & set(f.new)
            else f
            for f in state.faults
        )
    )
