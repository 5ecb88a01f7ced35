"""What a placement would do, before it is done.

`CirKis` decides by this too, so page and rules cannot differ.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from companion.games.cirkis.board import board
from companion.games.cirkis.free import FreeTurn, free_turns
from companion.games.cirkis.pieces import catalogue, outline_faults
from companion.games.cirkis.position import (
    leader,
    open_spaces,
    owners,
    unplayed,
    unplayed_shapes,
)
from companion.games.cirkis.scoring import OUT, Award, Completion, completions
from companion.games.cirkis.state import Phase, State


@dataclass(frozen=True, slots=True)
class Problem:
    """Something against a placement. code: for the catalogue.

    may_overrule: the table may set it aside (C33).
    """

    code: str
    clause: str
    may_overrule: bool = True


@dataclass(frozen=True, slots=True)
class Preview:
    """What covering `spaces` (sorted) would do for `player`.

    problems: empty where it is legal; with any, the rest says what it would do if the table overruled them.
    shape: name of the piece in the set, "" if unknown (C20). first: it is the first of the round (C03).
    touches_leader: None where there is no leader. completes: shapes with their awards; goes_out: it is the
    last piece. free_turn: reasons that apply; earns_turn: a free turn follows, one whatever the reasons
    (C09), none after going out (C25). follows: empty spaces from which the next piece could go on from this
    one.
    """

    player: int
    spaces: tuple[int, ...]
    problems: tuple[Problem, ...]
    shape: str = ""
    first: bool = False
    touches_leader: bool | None = None
    completes: tuple[Completion, ...] = ()
    goes_out: bool = False
    free_turn: tuple[FreeTurn, ...] = ()
    earns_turn: bool = False
    follows: tuple[int, ...] = ()

    @property
    def legal(self) -> bool:
        return not self.problems

    @property
    def may_overrule(self) -> bool:
        """Whether the table may play it all the same (C33)."""
        return all(problem.may_overrule for problem in self.problems)

    def awards(self) -> tuple[Award, ...]:
        """All points it would bring, in the order of C25."""
        out = (Award(self.player, OUT, "C14"),) if self.goes_out else ()
        return tuple(award for done in self.completes for award in done.awards) + out

    def to_json(self) -> dict[str, Any]:
        """JSON values for the page."""
        return {**asdict(self), "legal": self.legal, "may_overrule": self.may_overrule}


def preview(state: State, spaces: Iterable[int], player: int | None = None) -> Preview:
    """What it would do if `player` (whose turn it is, unless given) covered these spaces now.

    Never raises for wrong spaces: problems say what is wrong. Works in map mode while a round is played.
    """
    asked = list(spaces)
    covered = tuple(sorted(set(asked)))
    who = state.turn if player is None else player
    if state.phase is not Phase.PLAY or state.settings.mode != "map" or who is None:
        return Preview(-1 if who is None else who, covered, (Problem("not_now", "C19", False),))
    if who not in state.active():
        return Preview(who, covered, (Problem("not_playing", "C34", False),))
    held = owners(state)
    known = len(board().spaces)
    if not covered or len(covered) != len(asked) or not all(0 <= space < known for space in covered):
        return Preview(who, covered, (Problem("not_spaces", "C04", False),))
    if not held.keys().isdisjoint(covered):
        return Preview(who, covered, (Problem("not_empty", "C04", False),))
    problems, shape = _problems(state, covered, who)
    done = completions(state.settings, held, who, covered)
    goes_out = unplayed(state, who) == 1  # C14
    free = free_turns(state.settings, held.keys(), covered, [completion.shape for completion in done])
    last = leader(state)
    return Preview(
        player=who,
        spaces=covered,
        problems=problems,
        shape=shape,
        first=last is None,
        touches_leader=None if last is None else not board().touching(last.spaces).isdisjoint(covered),
        completes=tuple(done),
        goes_out=goes_out,
        free_turn=free,
        earns_turn=bool(free) and not goes_out,  # C25: after the last piece it lapses
        follows=tuple(sorted(board().touching(covered) - held.keys())),
    )


def _problems(state: State, covered: tuple[int, ...], player: int) -> tuple[tuple[Problem, ...], str]:
    """What is against covering these empty spaces, and the name of the piece."""
    problems = []
    if player != state.turn:  # C02; while a free turn is due it comes first (C24)
        problems.append(Problem("free_turn_due", "C24", False) if state.free else Problem("not_your_turn", "C02"))
    if open_spaces(state).isdisjoint(covered):
        if leader(state) is None:
            problems.append(Problem("not_in_centre", "C03"))
        elif state.free:
            problems.append(Problem("touches_nothing", "C09"))
        else:
            problems.append(Problem("not_touching_leader", "C05"))
    faults = outline_faults(board(), covered)
    problems += [Problem(code, "C04") for code in faults]
    shape = ""
    if state.settings.pieces is not None and not faults:  # C20: only with the set
        found = catalogue(state.settings.pieces).shape(covered)
        if found is None:
            problems.append(Problem("no_such_piece", "C20"))
        else:
            shape = found.name
            if not unplayed_shapes(state, player)[shape]:
                problems.append(Problem("none_left", "C20"))
    return tuple(problems), shape
