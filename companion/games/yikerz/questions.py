"""What only people can tell: asked, answered, or in an unattended replay decided by the best reading
(docs/architecture.md).
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.names import QUESTIONS
from companion.games.yikerz.question import LeftOpen, Question

OF_A_GAP = ("nothing", "collapsed", "fell_off")
"""Choices of unseen and unsure while no stone is known to be missing."""
OF_A_GAP_MISSING = ("into_pile", "collapsed", "fell_off", "put_back")
"""The same when stones have left the board since, without a ruling."""


def ask(
    h: Hearing,
    code: str,
    clause: str,
    seat: int,
    holds: bool,
    choices: tuple[str, ...] | None = None,
    best: str | None = None,
    **args: Any,
) -> str | None:
    """Ask a question; the best reading at once where nobody answers (settings: answers), else None.

    Its number is the board time at which it was asked: an undone one's is never given again, and a past that is
    folded again asks the same under the same number. An open question of the same code about the same player is
    replaced, its number and deadline kept. choices: those that make sense now, if not all; best: the best
    reading, if not the first of them.
    """
    choices = QUESTIONS[code] if choices is None else choices
    if h.state.settings.answers == "nobody":
        best = best or choices[0]
        h.set(unanswered=(*h.state.unanswered, LeftOpen(code, args)))
        h.rule("question", clause, seat, asked=True, code=code, choices=list(choices), choice=best, **args)
        return best
    same = find(h, code, seat)
    number = same.number if same else max(h.t_us, h.state.asked + 1)
    deadline = same.deadline_us if same else h.state.deadline_us
    question = Question(number, code, h.t_us, seat, choices, holds, args, deadline)
    others = [q for q in h.state.questions if q.number != number]
    h.set(questions=(*others, question), asked=max(h.state.asked, number))
    h.rule("question", clause, seat, question=number, code=code, choices=list(choices), **args)
    return None


def left_open(h: Hearing, codes: Iterable[str], track: int | None = None) -> LeftOpen | None:
    """The newest question of these codes (that names this stone) of this turn which nobody answers: one that people
    have not answered yet would take in what comes of it, and so does this one."""
    asked = [q for q in h.state.unanswered if q.code in codes and track in (None, *q.args.get("stones", ()))]
    return asked[-1] if asked else None


def of(h: Hearing, codes: Iterable[str]) -> Question | None:
    """The first open question of these codes."""
    return next((q for q in h.state.questions if q.code in codes), None)


def change(h: Hearing, question: Question, choices: tuple[str, ...], **args: Any) -> None:
    """The open question asks with other choices from now on, and tells more."""
    changed = replace(question, choices=choices, args={**question.args, **args})
    h.set(questions=tuple(changed if q.number == question.number else q for q in h.state.questions))


def find(h: Hearing, code: str, seat: int | None = None) -> Question | None:
    """The open question of this code (about this player)."""
    return next((q for q in h.state.questions if q.code == code and seat in (None, q.seat)), None)


def close(h: Hearing, number: int) -> None:
    """The question is no longer open; a call that waited for it waits no more."""
    h.set(questions=tuple(q for q in h.state.questions if q.number != number))
    calls = [replace(c, asked=0) if c.asked == number else c for c in h.state.calls]
    h.set(calls=tuple(calls))


def close_all(h: Hearing) -> None:
    """No question stays open when a round ends."""
    for question in h.state.questions:
        close(h, question.number)


def held(h: Hearing) -> bool:
    """Whether the end of the turn waits for an answer (Y21, Y23)."""
    return any(q.holds for q in h.state.questions)


def widened(args: Mapping[str, Any], name: str, values: Iterable[int]) -> list[int]:
    """The list under `name` of a question's args with more values, in order, none twice."""
    return sorted({*args.get(name, ()), *values})
