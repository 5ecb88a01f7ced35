"""Collapses and falls: what has to be taken, and what becomes of the turn (Y10-Y12, Y21, Y34); whose: blame.py."""

from collections.abc import Sequence
from typing import Any

from companion.games.yikerz import blame, faults, piles, sudden, turn
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Outcome, Stage, Where, Why
from companion.games.yikerz.stones import Hand, Take
from companion.games.yikerz.versions import SEEN_AGAIN


def collapse(h: Hearing, tracks: Sequence[int], count: int, grown: bool = False, **seen: Any) -> None:
    """Stones have snapped together: all of the cluster are to be taken (Y10).

    grown: it is one that was told, with more stones (Y12); seen: for the ruling. A stone that lay there as the round
    was begun is none of it: what sticks to it is taken, it is not (Y21).
    """
    cluster = sorted(set(tracks))
    grown = grown and any(h.take(track) is not None for track in cluster)
    _unannounced(h, cluster)
    seat, before = blame.blamed(h, cluster), h.state
    new, part = [], False
    for track in cluster:
        take, hand = h.take(track), h.hand(track)
        if take is not None:
            continue
        if h.lies(track):
            _known_now(h)
            h.set_take(Take(track, seat, Why.COLLAPSE, Where.BOARD))
        elif hand is not None:
            part = part or hand.seat == h.state.seat
            h.set_take(Take(track, seat, Why.COLLAPSE, Where.HAND))
        else:
            continue
        new.append(track)
    # One that is in a pile already is seen again on its way there: no other stone is taken in its stead (Y21).
    # Nor in the stead of one that is none of the round.
    of_a_pile = [t for t in cluster if h.take(t) is None and h.owner(t) is not None and h.hand(t) is None]
    listed = [t for t in cluster if h.take(t) is not None or t in h.state.lying]
    listed += of_a_pile if h.state.rules >= SEEN_AGAIN else []
    unlisted = count - len(listed)
    new += _some(h, seat, unlisted)
    if not new:
        return
    counts, spends = _count_against(h, seat, Outcome.COLLAPSE, part)
    number = max(count, len(cluster))
    kind, own = ("grew", "Y12") if grown else ("collapse", "Y10")
    h.rule(kind, blame.clause(h, seat, own), seat, stones=cluster, new=new, count=number, **seen)
    faults.keep(h, before, Outcome.COLLAPSE, cluster, new, counts, spends, grown)
    if not blame.ask_whose(h, before, seat, new, puts_out=True):
        sudden.out(h, seat)
    turn.resume(h, "taken")


def _unannounced(h: Hearing, cluster: Sequence[int]) -> None:
    """An unknown stone in the cluster, when the player in turn has none near, is the one brought unseen
    (Y10).
    """
    state = h.state
    if state.stage is not Stage.TURN or state.spent or any(x.seat == state.seat for x in state.hands):
        return
    known = {*state.lying, *(take.track for take in state.takes)}
    unknown = [t for t in cluster if not h.lies(t) and h.hand(t) is None and t not in known]
    if unknown:
        h.set_hand(Hand(unknown[0], state.seat, h.t_us))
        h.own(unknown[0], state.seat)
        turn.begin(h)


def _known_now(h: Hearing) -> None:
    """A stone that a button or a count told of is now seen: it is not counted twice (Y24)."""
    some = h.some()
    if some:
        h.drop_take(some[0].track)


def _some(h: Hearing, seat: int, number: int) -> list[int]:
    """Have some stones of the board taken of which it is not known which (as far as there are any)."""
    out = []
    free = len(h.uncovered()) - len(h.some())
    for _ in range(min(number, free)):
        track = h.virtual()
        h.set_take(Take(track, seat, Why.COLLAPSE, Where.SOME))
        out.append(track)
    return out


def fall(h: Hearing, tracks: Sequence[int], count: int, **seen: Any) -> None:
    """Stones have fallen from the board to the table; they and the stone being played go back (Y11)."""
    seat, before = blame.blamed(h, tracks), h.state
    fallen = [track for track in tracks if _fallen(h, track, seat)]
    for _ in range(count - len(set(tracks))):
        fallen += _fallen_proxy(h, seat)
    if not fallen:
        return
    also = _played(h) if seat == h.state.seat and h.state.stage is not Stage.PENALTY else []
    counts, spends = _count_against(h, seat, Outcome.FELL_OFF, part=False)
    data: dict[str, Any] = {
        "stones": fallen,
        "also": also,
        "count": len(fallen),
        "piles": list(h.state.piles),
    }
    h.rule("fell_off", blame.clause(h, seat, "Y11"), seat, **data, **seen)
    faults.keep(h, before, Outcome.FELL_OFF, fallen, [*fallen, *also], counts, spends)
    puts_out = h.state.settings.sudden_fall == "out"
    if not blame.ask_whose(h, before, seat, fallen, also, puts_out) and puts_out:
        sudden.out(h, seat)
    turn.resume(h, "taken")


def _fallen(h: Hearing, track: int, seat: int) -> bool:
    """One stone fell; False if that is known already. It counts in a pile at once (Y21)."""
    take, hand = h.take(track), h.hand(track)
    if take is not None and take.where is Where.TABLE:
        return False
    h.drop_hand(track)
    owner, why = (take.seat, take.why) if take is not None else (seat, Why.FELL_OFF)
    if h.lies(track):
        piles.pick_up(h, owner, track)
    elif hand is not None:
        owner = owner if take is not None else hand.seat
    elif take is None:
        known = h.owner(track)
        if known is None:
            return bool(_fallen_proxy(h, seat))
        owner = known  # it counted as taken a moment ago, while it was still falling
    h.set_take(Take(track, owner, why, Where.TABLE))
    return True


def _fallen_proxy(h: Hearing, seat: int) -> list[int]:
    """A stone fell, which one is not known: the newest of the board stands for it (only the number
    counts).
    """
    free = h.uncovered()
    if not free:
        return []
    if len(h.some()) >= len(free):
        h.drop_take(h.some()[0].track)
    piles.pick_up(h, seat, free[-1])
    h.set_take(Take(free[-1], seat, Why.FELL_OFF, Where.TABLE))
    return [free[-1]]


def _played(h: Hearing) -> list[int]:
    """The stone being played goes back too (Y11): in the hand, or (setting) also after it was let go."""
    state, out = h.state, []
    if state.stage is Stage.TURN and not state.spent:
        for hand in state.hands:
            if hand.seat == state.seat and h.take(hand.track) is None:
                h.set_take(Take(hand.track, state.seat, Why.PLAYED, Where.HAND))
                out.append(hand.track)
    last = state.last
    if last is not None and state.settings.played_stone == "turn" and h.take(last) is None and h.lies(last):
        h.set_take(Take(last, state.seat, Why.PLAYED, Where.BOARD))
        out.append(last)
    return out


def _count_against(h: Hearing, seat: int, outcome: Outcome, part: bool) -> tuple[bool, bool]:
    """The turn has this outcome; a stone in the hand has no second try (Y10, setting). Whether it counts against the
    turn, and leaves it no stone to place.
    """
    state = h.state
    if seat != state.seat or state.stage is Stage.PENALTY:
        return False, False
    if state.outcome is not Outcome.COLLAPSE:
        h.set(outcome=outcome)
    may_place = outcome is Outcome.COLLAPSE and state.settings.hand_stone == "may_place"
    spends = part or (state.coming and not may_place)
    if spends:
        h.set(spent=True)
    return True, spends
