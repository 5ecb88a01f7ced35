"""Stones go back to a pile: seen to leave, said by a button, or presumed (Y10-Y13, Y34, Y35, Y40)."""

from collections.abc import Iterable
from dataclasses import replace

from companion.games.yikerz import collapse, conservation, countdown, faults, piles, questions, turn
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import Stage, Where, Why
from companion.games.yikerz.stones import Take
from companion.games.yikerz.versions import TOLD_ONCE

_CLAUSE = {
    Why.COLLAPSE: "Y10",
    Why.FELL_OFF: "Y11",
    Why.PLAYED: "Y11",
    Why.EXTRA: "Y29",
    Why.PENALTY: "Y39",
    Why.TOUCHED: "Y37",
}


def finish(h: Hearing, take: Take) -> int:
    """This stone is taken; returns its track (of "some" stone of the board: the newest that is not meant
    yet).
    """
    track = take.track
    if take.where is Where.SOME:
        free = h.uncovered()
        h.drop_take(track)
        if not free:
            return track
        track = free[-1]
        faults.known_as(h, take.track, track)
    if h.lies(track):
        piles.pick_up(h, take.seat, track)
    else:
        h.own(track, take.seat)
    h.drop_hand(track)
    h.drop_take(take.track)
    if take.seat == h.state.seat and h.state.stage is not Stage.PENALTY:
        h.set(taken=tuple(sorted({*h.state.taken, track})))
    return track


def finish_all(h: Hearing, takes: Iterable[Take], how: str, asked: bool = False) -> None:
    """These stones are taken; the turn goes on (Y13). Each is told once (Y35); by a button, that it is said again."""
    by_seat: dict[int, list[Take]] = {}
    for take in takes:
        by_seat.setdefault(take.seat, []).append(take)
    for seat, mine in sorted(by_seat.items()):
        clause = "Y35" if how == "rest" else _CLAUSE[mine[0].why]
        done = [(finish(h, take), take.told) for take in mine]
        tracks = sorted(track for track, _ in done)
        fresh = sorted(track for track, told in done if not told)
        if fresh or how == "button":  # else it was said when they counted as taken
            report(h, clause, seat, fresh, how, asked, told=len(tracks) - len(fresh))
        if seat == h.state.seat and turn.own_takes(h.state):
            faults.taken_meanwhile(h, tracks)
    if by_seat:
        turn.resume(h, "taken")


def report(h: Hearing, clause: str, seat: int, tracks: list[int], how: str, asked: bool = False, told: int = 0) -> None:
    """The ruling that stones are taken, with what is left to take. told: so many more were told before."""
    left = sum(t.seat == seat for t in h.state.to_take)
    more = {"count": len(tracks) + told} if told else {}
    h.rule("taken", clause, seat, asked=asked, stones=tracks, **more, left=left, piles=list(h.state.piles), how=how)


def left_zone(h: Hearing, tracks: tuple[int, ...], count: int) -> None:
    """Stones have left the zone in a hand: taken, a penalty, a stone withdrawn (Y28), or without a ruling
    (Y37).
    """
    _stuck(h, tracks)
    done: list[Take] = []
    penalty: list[int] = []
    lost: list[int] = []
    for track in tracks:
        take = h.take(track)
        if take is not None:
            done.append(take)
        elif h.hand(track) is not None:
            h.drop_hand(track)
        elif h.lies(track):
            if len(h.some()) > 0:
                some = h.some()[0]
                h.drop_take(some.track)
                faults.known_as(h, some.track, track)
                done.append(replace(some, track=track, where=Where.BOARD))
                h.set_take(done[-1])
            elif h.state.stage is Stage.PENALTY and _penalty_stone(h, track):
                penalty.append(track)
            else:
                lost.append(track)
    if lost:
        conservation.gone(h, lost)
    on_board = [t for t in h.state.to_take if t not in done and t.where in (Where.BOARD, Where.SOME)]
    done += on_board[: max(0, count - len(tracks))]
    if penalty and h.state.penalty is not None:
        report(h, "Y40", h.state.penalty.seat, penalty, "seen")
    if done:
        finish_all(h, done, "seen")
    elif lost and h.state.stage is Stage.COUNTDOWN and not h.state.missing:
        countdown.start(h, "taken")
    else:
        turn.resume(h, "taken")


def _stuck(h: Hearing, tracks: Iterable[int]) -> None:
    """Stones of which it was unsure whether they stick together are taken away, and nobody has answered: they did."""
    for track in tracks:
        doubt = questions.left_open(h, {"unsure"}, track)
        if doubt is not None and doubt.args.get("new") and h.lies(track) and h.take(track) is None:
            stones = doubt.args["stones"]
            collapse.collapse(h, stones, len(stones), p=doubt.args["p"], how="taken")


def _penalty_stone(h: Hearing, track: int) -> bool:
    """Count a stone towards the penalty (Y40); False if none is due any more."""
    penalty = h.state.penalty
    if penalty is None or penalty.count < 1:
        return False
    piles.pick_up(h, penalty.seat, track)
    h.set(penalty=replace(penalty, count=penalty.count - 1))
    return True


def fetched(h: Hearing, take: Take) -> None:
    """A fallen stone is seen in a hand on its way home: it was not taken before, whatever was presumed
    (Y35).
    """
    if take.presumed:
        h.set_take(replace(take, presumed=False))
        turn.resume(h, "fallen_seen")


def presume(h: Hearing) -> None:
    """Stones on the table, which no sensor sees, count as taken once the board is at rest and no hand near
    (Y35).
    """
    state = h.state
    if not state.running or not state.rested or state.hands or any(s.lifted for s in state.board):
        return
    fallen = [t for t in state.to_take if t.where is Where.TABLE]
    if not fallen:
        return
    for take in fallen:
        h.set_take(replace(take, presumed=True, told=state.rules >= TOLD_ONCE))
        if take.seat == h.state.seat:
            h.set(taken=tuple(sorted({*h.state.taken, take.track})))
    fresh = [t for t in fallen if not t.told]  # the others have been seen on their way, and are out of sight again
    for seat in sorted({t.seat for t in fresh}):
        report(h, "Y35", seat, [t.track for t in fresh if t.seat == seat], "rest")
    turn.resume(h, "taken")


def gone_at_rest(h: Hearing, seen: int, resting: frozenset[int]) -> None:
    """At rest and no hand near, the board shows just the stones that are not to be taken: those are gone
    (Y35).
    """
    state = h.state
    takes = [t for t in state.to_take if t.where in (Where.BOARD, Where.SOME)]
    if takes and seen == len(state.board) - len(takes) and not resting & {t.track for t in takes}:
        finish_all(h, [t for t in state.to_take if t.where is not Where.TABLE], "rest")


def button(h: Hearing, how: str = "button", asked: bool = False) -> bool:
    """Somebody says that everything is taken, just now (Y24, Y35). False if there was nothing.

    Of fallen stones that only counted as taken, it says when: the 10 s run from now.
    """
    penalty = h.state.penalty
    if h.state.stage is Stage.PENALTY and penalty is not None:
        free = h.uncovered()
        count = min(penalty.count, len(free) - len(h.some()))
        for track in free[:count]:
            _penalty_stone(h, track)
        if count > 0:
            report(h, "Y40", penalty.seat, sorted(free[:count]), how, asked)
        finish_all(h, [t for t in h.state.to_take if t.seat == penalty.seat], how, asked)
        turn.resume(h, "taken")
        return True
    if not h.state.takes:
        return False
    only_presumed = not h.state.to_take
    finish_all(h, h.state.takes, how, asked)
    if only_presumed and h.state.stage is Stage.COUNTDOWN:
        countdown.start(h, "taken")
    return True


def overtaken(h: Hearing) -> bool:
    """The next player's stone touches the board though stones are to be taken (Y30).

    If they all lie on the table, where nobody sees them, they were taken (Y35). If not, an unattended
    replay goes on with the best reading, that they were. False: people have to take them first.
    """
    takes = h.state.to_take
    unseen = all(t.where is Where.TABLE for t in takes) and bool(takes)
    unattended = h.state.settings.answers == "nobody"
    if h.state.stage is Stage.PENALTY:
        return unattended and button(h, "next", asked=True)
    if not (unseen or unattended) or h.state.stage is Stage.TURN:
        return False
    if takes:
        finish_all(h, takes, "next", asked=not unseen)
    return bool(takes)
