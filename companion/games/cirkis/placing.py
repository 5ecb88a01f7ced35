"""Map mode (C19): placing a piece, or not being able to."""

from dataclasses import replace

from companion.games.cirkis.moves import find_place
from companion.games.cirkis.position import leader
from companion.games.cirkis.preview import Preview, preview
from companion.games.cirkis.rulings import score_rulings
from companion.games.cirkis.state import End, Lost, Piece, State
from companion.games.cirkis.turns import end_round, turn_ends
from companion.games.game import Command, Refusal, Ruling, Step
from companion.table import BoardTime


def place(state: State, command: Command) -> Step[State]:
    """args: spaces, a list of numbers; overrule, true to let an illegal placement stand (C33)."""
    spaces, overrule = command.args.get("spaces"), command.args.get("overrule", False)
    if (
        not isinstance(spaces, list | tuple)
        or any(type(space) is not int for space in spaces)
        or not isinstance(overrule, bool)
    ):
        return Step(state, refusal=Refusal("bad_args"))
    seen = preview(state, spaces, command.player)
    if seen.problems and not (overrule and seen.may_overrule):
        worst = min(seen.problems, key=lambda problem: problem.may_overrule)
        return Step(state, refusal=Refusal(worst.code, worst.clause))
    overruled = tuple(problem.code for problem in seen.problems)
    piece = Piece(seen.player, seen.spaces, state.free, overruled)
    rulings = _placed(seen, piece, command.t_us)
    # any placement makes a new leader and begins the count of lost turns anew (C22); it stays (C33)
    after = replace(state.with_deed(piece), turn=seen.player, free=False, lost=())
    if seen.goes_out:  # C25: at once, whatever the piece has earned
        if seen.free_turn:
            rulings += (Ruling(command.t_us, "free_lapsed", "C25", seen.player),)
        return end_round(after, End.OUT, command.t_us, rulings)
    if seen.earns_turn:
        reasons = [{"code": reason.code, "clause": reason.clause} for reason in seen.free_turn]
        free = Ruling(command.t_us, "free_turn", "C09", seen.player, {"reasons": reasons})
        return Step(replace(after, free=True), (*rulings, free))
    return turn_ends(after, command.t_us, rulings)


def cannot_place(state: State, command: Command) -> Step[State]:
    """No piece of the player in turn fits: the turn is lost (C12) or the free turn lapses (C24).

    args: overrule, true where the table knows better than the set (C20).
    """
    overrule = command.args.get("overrule", False)
    if not isinstance(overrule, bool):
        return Step(state, refusal=Refusal("bad_args"))
    player = state.turn if command.player is None else command.player
    if player is None or player != state.turn:
        return Step(state, refusal=Refusal("not_your_turn", "C02"))
    if leader(state) is None:
        return Step(state, refusal=Refusal("can_place", "C23"))  # on the empty board everything fits
    search = find_place(state, player)
    against_set = search is not None and search.spaces is not None
    if against_set and not overrule:  # neither a turn nor a free turn can be skipped
        return Step(state, refusal=Refusal("can_place", "C24" if state.free else "C23"))
    rulings: tuple[Ruling, ...] = ()
    if against_set:
        rulings = (Ruling(command.t_us, "overruled", "C33", player, {"codes": ["can_place"]}),)
    after = state.with_deed(Lost(player, lapsed=state.free))
    if state.free:  # no lost turn of C12, and the leader stays
        rulings += (Ruling(command.t_us, "free_lapsed", "C24", player),)
    else:
        after = replace(after, lost=(*state.lost, player))
        rulings += (Ruling(command.t_us, "lost_turn", "C12", player),)
    return turn_ends(after, command.t_us, rulings)


def _placed(seen: Preview, piece: Piece, t_us: BoardTime) -> tuple[Ruling, ...]:
    """The placement and its points."""
    clause = "C03" if seen.first else "C09" if piece.free else "C05"
    data = {"spaces": list(piece.spaces), "shape": seen.shape}
    rulings = [Ruling(t_us, "placed", clause, seen.player, data)]
    if piece.overruled:
        rulings.append(Ruling(t_us, "overruled", "C33", seen.player, {"codes": list(piece.overruled)}))
    return (*rulings, *score_rulings(seen.completes, seen.player if seen.goes_out else None, t_us))
