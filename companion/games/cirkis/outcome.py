"""Who has won, and why."""

from dataclasses import dataclass

from companion.games.cirkis.account import account, totals
from companion.games.cirkis.position import unplayed
from companion.games.cirkis.scoring import GOAL, HUNDRED
from companion.games.cirkis.state import State


@dataclass(frozen=True, slots=True)
class Outcome:
    """points: (player, points), by id. winners: several share it. clause: what decided among the best.

    asked: players whose unplayed pieces must be told before it can be decided (C15, C19); then winners are
    empty.
    """

    points: tuple[tuple[int, int], ...]
    winners: tuple[int, ...]
    clause: str
    asked: tuple[int, ...] = ()


def game_over(state: State) -> bool:
    """Whether the round that has just ended ends the game.

    Without C17 always. To 100 when anybody has 100 as it ends (C30), or when one player is left (C34).
    """
    if state.settings.play_to == "game" or len(state.active()) == 1:
        return True
    return max(totals(state).values()) >= HUNDRED


def outcome(state: State) -> Outcome:
    """The result of a game whose last round has ended.

    Those who left keep their points but cannot win (C34).
    """
    points = totals(state)
    table = tuple(sorted(points.items()))
    if state.abandoned:
        return Outcome(table, (), "C34")
    able = state.active()
    clause = "C30" if state.settings.play_to == "hundred" else "C15"
    if len(able) == 1:
        return Outcome(table, able, "C34")
    if state.settings.play_to == "game" and sum(points[player] >= GOAL for player in able) > 1:
        clause = "C27"
        if state.settings.forty == "first":  # "Object of the game"; else the highest, "End of the game"
            able = _first_to_goal(state, able)
    best = [player for player in able if points[player] == max(points[p] for p in able)]
    if len(best) == 1:
        return Outcome(table, tuple(best), clause)
    # C15, also to 100 with the pieces of the last round (C30): more unplayed pieces, then shared
    told = {player: unplayed(state, player) for player in best}
    known = {player: n for player, n in told.items() if n is not None}
    if len(known) < len(best):
        return Outcome(table, (), "C15", asked=tuple(player for player in best if player not in known))
    most = max(known.values())
    return Outcome(table, tuple(player for player in best if known[player] == most), "C15")


def _first_to_goal(state: State, able: tuple[int, ...]) -> tuple[int, ...]:
    """Who of them had 40 first; several if one piece took them there (C27)."""
    so_far = dict.fromkeys(able, 0)
    for told in account(state.settings, state.deeds):
        for award in told.awards():
            if award.player in so_far:
                so_far[award.player] += award.points
        there = tuple(player for player in able if so_far[player] >= GOAL)
        if there:
            return there
    return ()


def next_starter(state: State) -> int:
    """Who begins the next round (C30); a player who left is passed over."""
    last = state.round.starter
    match state.settings.next_starter:
        case "youngest":
            first = state.settings.first
            return first if first not in state.left else state.after(first)
        case "lowest":
            points = totals(state)
            in_turn = [state.after(last)]
            while len(in_turn) < len(state.active()):
                in_turn.append(state.after(in_turn[-1]))
            return min(in_turn, key=lambda player: points[player])  # of equals, the nearest to the last starter's left
        case _:
            return state.after(last)
