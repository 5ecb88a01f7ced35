"""Commands: the referee by buttons alone, or beside the sensors (Y24). A wrong one is refused, never an
exception.
"""

from collections.abc import Callable
from typing import TypeAlias

from companion.games.game import Command
from companion.games.yikerz import (
    answers,
    call,
    collapse,
    corrections,
    lobby,
    placing,
    questions,
    removal,
    rounds,
    touching,
    turn,
)
from companion.games.yikerz.arguments import by_seat, whole, word
from companion.games.yikerz.hearing import Hearing, Refused
from companion.games.yikerz.names import GIVEN_UP, Stage

Press: TypeAlias = Callable[[Hearing, Command], None]

LOBBY = frozenset({Stage.LOBBY})
BETWEEN = frozenset({Stage.LOBBY, Stage.ROUND_END})
TURN = frozenset({Stage.TURN})
RUNNING = frozenset({Stage.TURN, Stage.COUNTDOWN, Stage.REMOVING, Stage.PENALTY})
ANY = frozenset(Stage)


def press(h: Hearing, command: Command) -> None:
    """Apply a command, or raise Refused."""
    row = COMMANDS.get(command.name)
    if row is None:
        raise Refused("unknown_command")
    stages, act = row
    if h.state.stage not in stages:
        raise Refused("wrong_stage")
    act(h, command)


def placed(h: Hearing, command: Command) -> None:
    """The stone is put on the board and, if not `held`, let go; the next player's may end the turn first
    (Y14).
    """
    held = command.args.get("held", False)
    if not isinstance(held, bool):
        raise Refused("bad_args")
    by_next = command.player is not None and lobby.seat_of(h, command.player) == h.state.next_seat
    if by_next and h.state.stage is Stage.COUNTDOWN:
        next_player(h, command, let_go=not held)
        if call.penalty_now(h):  # the turn has ended; the stone is taken back and waits (Y40)
            h.rule("wait", "Y40", h.state.seat, code="penalty_first", stones=[])
            return
    stage: Stage = h.state.stage
    if stage is Stage.ROUND_END or stage is Stage.GAME_END:
        return  # the setting that a next player's move wins the round for the one before (Y17)
    if stage is Stage.PENALTY:
        raise Refused("penalty_first", "Y40")
    if stage is not Stage.TURN:
        raise Refused("stones_to_take" if h.state.to_take else "stone_in_play", "Y28")
    track = placing.own_hand(h)
    if held:
        placing.touches(h, track)
    else:
        placing.let_go(h, track)


def released(h: Hearing, command: Command) -> None:
    """The hand has left the stone that was put on the board (Y09)."""
    mine = placing.in_hand(h)
    if not mine:
        raise Refused("nothing_placed", "Y09")
    placing.let_go(h, mine[0].track)


def collapsed(h: Hearing, command: Command) -> None:
    """n stones have collapsed (Y10); hand: whether one of them was in the hand.

    By default the stone of this turn is one of them ("part") where n is one more than lie on the board, which
    nothing else explains. Else it is not: "apart" if it is known to be at the board in the hand, and if not,
    "none": the board alone explains the collapse, so nobody loses a stone that was not played (Y33).
    """
    n = whole(command.args, "n", 2, 99)
    free = len(h.uncovered()) - len(h.some())
    hand = _hand_arg(h, command, ("part", "apart", "none"), "part" if n == free + 1 else "")
    if n - (hand == "part") > free:
        raise Refused("too_many", "Y21")
    cluster: tuple[int, ...] = ()
    if hand == "part":
        cluster = (placing.own_hand(h),)
        _begun(h)
    elif hand == "apart":
        _begun(h)
    collapse.collapse(h, cluster, n, how="button")


def fell_off(h: Hearing, command: Command) -> None:
    """n stones have fallen off the board (Y11)."""
    n = whole(command.args, "n", 1, len(h.uncovered()))
    if _hand_arg(h, command, ("apart", "none")) == "apart":
        placing.own_hand(h)
        _begun(h)
    collapse.fall(h, (), n, how="button")


def _hand_arg(h: Hearing, command: Command, words: tuple[str, ...], likely: str = "") -> str:
    """Where the stone of this turn was. By default `likely` if given, or in the hand if the player in turn
    has brought it; a stone brought out of turn is not of this turn (Y29).
    """
    open_turn = h.state.stage is Stage.TURN and not h.state.spent
    default = likely or ("apart" if placing.in_hand(h) else "none")
    hand = word(command.args, "hand", words, default if open_turn else "none")
    if hand != "none" and not open_turn:
        raise Refused("wrong_stage", "Y28")
    return hand


def _begun(h: Hearing) -> None:
    """A stone of the player in turn is at the board; a penalty for the one before follows this turn (Y40)."""
    turn.begin(h, let_go=True)


def removed(h: Hearing, command: Command) -> None:
    """Everything that had to be taken is taken, just now (Y24, Y35)."""
    if not removal.button(h):
        raise Refused("nothing_to_take", "Y10")


def next_player(h: Hearing, command: Command, let_go: bool = False) -> None:
    """The next player has brought a stone to the board (Y14). In a turn without one, that of the player in
    turn. let_go: and has let it go already, so a penalty follows that turn (Y40).
    """
    state = h.state
    if state.stage is Stage.TURN and not state.coming and not state.hands:
        turn.begin(h)
        return
    code = turn.waits_for(h)
    if code:
        raise Refused(code, "Y17" if code == "last_stone_waits" else "Y30")
    turn.end(h, "next_approach", how="button")
    if h.state.running:
        turn.begin(h, let_go)


def last_yiker(h: Hearing, command: Command) -> None:
    """The player said it (Y15); anyone may press it."""
    seat = h.state.seat if command.player is None else lobby.seat_of(h, command.player)
    if not call.said(h, seat, "button"):
        raise Refused("call_no_effect", "Y38")


def _asked_seat(h: Hearing, command: Command) -> int:
    """The player whose call is asked about (Y39)."""
    if command.player is not None:
        return lobby.seat_of(h, command.player)
    question = questions.find(h, "call")
    if question is None:
        raise Refused("nobody_asked", "Y39")
    return question.seat


def said(h: Hearing, command: Command) -> None:
    """Another player confirms that it was said (Y15, Y39)."""
    if not call.said(h, _asked_seat(h, command), "answer"):
        raise Refused("nobody_asked", "Y39")


def not_said(h: Hearing, command: Command) -> None:
    """It was not said: the penalty (Y15, Y39, Y40)."""
    seat = _asked_seat(h, command)
    if not h.state.calls[seat].asked:
        raise Refused("nobody_asked", "Y39")
    if h.state.penalty is not None:
        raise Refused("penalty_first", "Y40")
    call.missed(h, seat)
    turn.resume(h, "taken")


def abandon_round(h: Hearing, command: Command) -> None:
    """No winner, no points; the same dealer deals again (Y46). reason: why, where it is not the players' wish."""
    rounds.abandon(h, word(command.args, "reason", ("", *GIVEN_UP), ""))


def round_result(h: Hearing, command: Command) -> None:
    """The round by its result alone (Y24): winner, and the stones left by seat. In sudden death the winner counts."""
    state, winner = h.state, lobby.seat_of(h, command.args.get("winner"))
    if winner not in state.playing or state.places:
        raise Refused("wrong_stage", "Y24")
    if state.sudden:
        rounds.finish(h, winner, "Y20")
        return
    left = by_seat(h, command.args.get("left"))
    if left[winner] != 0 or any((n == 0) != (seat in state.away) for seat, n in enumerate(left) if seat != winner):
        raise Refused("bad_args", "Y45")
    if sum(left) + h.state.bag > h.state.settings.stones:
        raise Refused("not_conserved", "Y21")
    rounds.by_result(h, winner, left)


def touched(h: Hearing, command: Command) -> None:
    """Somebody touched a stone (Y07, Y09) or used two hands (Y06): noted, with the setting taken (Y37)."""
    seat = h.state.seat if command.player is None else lobby.seat_of(h, command.player)
    if seat in h.state.away:
        raise Refused("wrong_stage", "Y37")
    touching.touched(h, seat, word(command.args, "what", ("stone", "hands"), "stone"))


COMMANDS: dict[str, tuple[frozenset[Stage], Press]] = {
    "add_player": (BETWEEN, lambda h, c: lobby.add_player(h, c.args.get("name"))),
    "rename_player": (ANY, lambda h, c: lobby.rename_player(h, c.player, c.args.get("name"))),
    "remove_player": (BETWEEN | RUNNING, lambda h, c: lobby.remove_player(h, c.player)),
    "move_player": (BETWEEN, lambda h, c: lobby.move_player(h, c.player, c.args.get("to"))),
    "set_handicap": (BETWEEN, lambda h, c: lobby.set_handicap(h, c.player, c.args.get("stones"))),
    "set_dealer": (BETWEEN, lambda h, c: lobby.set_dealer(h, c.player)),
    "set_setting": (ANY, lambda h, c: lobby.set_setting(h, c.args)),
    "set_layout": (BETWEEN, lambda h, c: lobby.set_layout(h, c.args)),
    "start": (LOBBY, lambda h, c: lobby.start(h, c.args)),
    "next_round": (frozenset({Stage.ROUND_END}), lambda h, c: lobby.next_round(h, c.args)),
    "placed": (RUNNING, placed),
    "released": (TURN, released),
    "collapsed": (RUNNING, collapsed),
    "fell_off": (RUNNING, fell_off),
    "removed": (RUNNING, removed),
    "next_player": (RUNNING, next_player),
    "last_yiker": (RUNNING, last_yiker),
    "said": (RUNNING, said),
    "not_said": (RUNNING, not_said),
    "touched": (RUNNING, touched),
    "answer": (RUNNING, lambda h, c: answers.answer(h, c.args)),
    "abandon_round": (RUNNING, abandon_round),
    "round_result": (RUNNING, round_result),
    "lay": (RUNNING, lambda h, c: corrections.laid(h, c.args)),
    "set_piles": (RUNNING, lambda h, c: corrections.set_piles(h, c.args)),
}
"""Command -> the stages in which it is possible, and what it does."""
