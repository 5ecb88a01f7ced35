"""What an answer to a question does (Y21-Y23, Y29, Y32, Y37, Y39)."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from companion.games.laying import insisted
from companion.games.yikerz import blame, call, collapse, conservation, lobby, placing, questions, removal, sudden, turn
from companion.games.yikerz.arguments import whole
from companion.games.yikerz.hearing import Hearing, Refused
from companion.games.yikerz.names import Said, Stage
from companion.games.yikerz.question import Question

Action: TypeAlias = Callable[[Hearing, Question, str, Mapping[str, Any]], None]


def answer(h: Hearing, args: Mapping[str, Any]) -> None:
    """Answer the question of this number; Refused: no_such_question, no_such_choice, bad_args, too_many."""
    number, choice = args.get("question"), args.get("choice")
    question = next((q for q in h.state.questions if q.number == number), None)
    if question is None:
        raise Refused("no_such_question")
    if choice not in question.choices:
        raise Refused("no_such_choice")
    questions.close(h, question.number)
    told: dict[str, Any] = {"question": question.number, "code": question.code, "choice": choice}
    h.rule("answered", "Y22", question.seat, **told, **insisted(args))
    ACTIONS[question.code](h, question, str(choice), args)
    turn.resume(h, "answer")


def of_call(h: Hearing, question: Question, choice: str, args: Mapping[str, Any]) -> None:
    """Y39: said, or the penalty."""
    if choice == "said":
        call.set_said(h, question.seat, Said.SAID)
        h.rule("call_said", "Y15", question.seat, how="answer")
    elif h.state.penalty is not None:
        raise Refused("penalty_first", "Y40")
    else:
        call.missed(h, question.seat)


def of_gap(h: Hearing, question: Question, choice: str, args: Mapping[str, Any]) -> None:
    """Y22, Y23: nothing happened, or n stones collapsed or fell, which are the player's then in turn.

    Stones that have left the board since are the first of them, and taken; what of them is too many is missing still.
    """
    if choice in ("into_pile", "put_back"):
        of_missing(h, question, choice, args)
        return
    gone = h.state.missing
    if gone:
        conservation.put_back(h)
    if choice == "collapsed":
        n = whole(args, "n", 2, len(h.uncovered()) - len(h.some()))
        collapse.collapse(h, gone[:n], n, how="answer")
    elif choice == "fell_off":
        n = whole(args, "n", 1, len(h.uncovered()))
        collapse.fall(h, gone[:n], n, how="answer")
    for track in gone:
        removal.left_zone(h, (track,), 1)


def of_missing(h: Hearing, question: Question, choice: str, args: Mapping[str, Any]) -> None:
    """Y37: they are laid back (the default of the clause), or they are in a player's pile."""
    if choice == "put_back":
        conservation.put_back(h)
        return
    pile = args.get("pile")
    conservation.into_pile(h, question.seat if pile is None else lobby.seat_of(h, pile))


def of_count(h: Hearing, question: Question, choice: str, args: Mapping[str, Any]) -> None:
    """Y21: what became of the stones that are too few or too many on the board; the game goes on right after it.

    put_back, taken_off: people have mended it on the board; the next count shows it.
    """
    pile = args.get("pile")
    seat = question.seat if pile is None else lobby.seat_of(h, pile)
    absent = conservation.absent(h)
    if choice == "state_is_right":
        conservation.accept(h)
    elif choice in ("into_pile", "from_pile"):
        if not conservation.move_stones(h, seat, choice == "from_pile"):
            raise Refused("not_conserved", "Y21")
    else:
        conservation.over(h)
    if choice == "fell_off":
        collapse.fall(h, absent, len(absent), how="answer")
    elif choice == "collapsed":
        collapse.collapse(h, (), whole(args, "n", 2, len(h.uncovered()) - len(h.some())), how="answer")
    elif choice == "placed":
        if h.state.stage is not Stage.TURN or h.state.spent:
            raise Refused("wrong_stage", "Y28")
        placing.let_go(h, placing.own_hand(h))


def of_whose(h: Hearing, question: Question, choice: str, args: Mapping[str, Any]) -> None:
    """Y29, Y32: the earlier turn's, or the bringer's, and then the 10 s go on as they were."""
    if choice != "brought" or question.seat != h.state.seat:
        if question.args.get("puts_out"):
            sudden.out(h, question.seat)
        return
    bringer = lobby.seat_of(h, question.args["bringer"])
    told = blame.reassign(h, bringer, question.args)
    if told:  # it is the bringer who has them
        removal.report(h, "Y29", bringer, told, "answer")
    if question.args.get("puts_out"):
        sudden.out(h, bringer)
    if question.deadline_us is not None and not turn.own_takes(h.state):
        h.set(stage=Stage.COUNTDOWN, deadline_us=question.deadline_us)


ACTIONS: dict[str, Action] = {
    "call": of_call,
    "unseen": of_gap,
    "unsure": of_gap,
    "missing": of_missing,
    "fewer": of_count,
    "more": of_count,
    "whose": of_whose,
}
"""Code of a question -> what its answer does."""
