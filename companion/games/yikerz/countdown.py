"""The ten seconds (Y13) as an absolute deadline, and gaps in the samples (Y23)."""

from dataclasses import replace

from companion.games.yikerz import questions
from companion.games.yikerz.fault import Fault
from companion.games.yikerz.hearing import Hearing
from companion.games.yikerz.question import MISCOUNT
from companion.table import BoardTime


def start(h: Hearing, cause: str) -> None:
    """The 10 s run from now: let go, or the last stone taken, whichever is later (Y13)."""
    deadline = h.t_us + h.state.settings.countdown_us
    h.set(deadline_us=deadline)
    h.rule("countdown", "Y13", h.state.seat, deadline_us=deadline, cause=cause)


def gap(h: Hearing, until_us: BoardTime) -> None:
    """Samples were lost from now to until_us: the rest of the 10 s runs on from there; people are asked
    (Y23).
    """
    state = h.state
    if state.deadline_us is not None:
        h.set(deadline_us=state.deadline_us + until_us - h.t_us)
    if state.limit_us is not None:
        h.set(limit_us=state.limit_us + until_us - h.t_us)
    h.set(faults=moved(state.faults, until_us - h.t_us))
    h.rule("unseen", "Y23", state.seat, until_us=until_us, deadline_us=h.state.deadline_us)
    if questions.of(h, MISCOUNT | {"unsure"}) is not None or questions.left_open(h, {"unseen"}) is not None:
        return  # what is asked already is asked of this gap too: one question for all that changed
    questions.ask(h, "unseen", "Y23", state.seat, holds=True, choices=questions.OF_A_GAP, lasted_us=until_us - h.t_us)


def shifted(deadline_us: BoardTime | None, by_us: BoardTime, earliest_us: BoardTime = 0) -> BoardTime | None:
    """A deadline moved, if there is one, and not before earliest_us."""
    return None if deadline_us is None else max(deadline_us + by_us, earliest_us)


def moved(faults: tuple[Fault, ...], by_us: BoardTime) -> tuple[Fault, ...]:
    """The clocks that collapses and falls have broken off, moved."""
    return tuple(
        replace(
            f,
            before=replace(
                f.before, deadline_us=shifted(f.before.deadline_us, by_us), limit_us=shifted(f.before.limit_us, by_us)
            ),
        )
        for f in faults
    )
