"""What every deed of a round brought, worked out in one pass: shapes, points, going out, free turns.

The one account from which totals are summed and histories are told.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from companion.games.cirkis.free import FreeTurn, free_turns
from companion.games.cirkis.pieces import SET_SIZE
from companion.games.cirkis.scoring import GOAL, HUNDRED, OUT, Award, Completion, completions, judge
from companion.games.cirkis.settings import Settings
from companion.games.cirkis.state import Claim, Deed, End, Piece, Round, State


@dataclass(frozen=True, slots=True)
class Told:
    """One deed with what it brought. out: it was the player's last piece (C14); free: reasons for a free turn."""

    deed: Deed
    completes: tuple[Completion, ...] = ()
    out: bool = False
    free: tuple[FreeTurn, ...] = ()

    def awards(self) -> tuple[Award, ...]:
        """All its points, in the order of C25."""
        out = (Award(self.deed.player, OUT, "C14"),) if self.out else ()
        return tuple(award for done in self.completes for award in done.awards) + out


def account(settings: Settings, deeds: Iterable[Deed]) -> list[Told]:
    """The deeds of a round, in order."""
    owners: dict[int, int] = {}
    played: Counter[int] = Counter()
    told = []
    for deed in deeds:
        if isinstance(deed, Piece):
            done = tuple(completions(settings, owners, deed.player, deed.spaces))
            free = free_turns(settings, owners.keys(), deed.spaces, [c.shape for c in done])
            owners.update(dict.fromkeys(deed.spaces, deed.player))
            played[deed.player] += 1
            told.append(Told(deed, done, played[deed.player] == SET_SIZE, free))
        elif isinstance(deed, Claim):
            done = tuple(judge(s.shape, dict(s.segments), deed.player) for s in deed.shapes)
            told.append(Told(deed, done, deed.out))
        else:
            told.append(Told(deed))
    return told


def round_points(state: State, played: Round) -> dict[int, int]:
    """Points of all players in a round, also those who left; an abandoned one gives none (C34)."""
    points = dict.fromkeys(range(len(state.settings.players)), 0)
    if played.end is not End.ABANDONED:
        for told in account(state.settings, played.deeds):
            for award in told.awards():
                points[award.player] += award.points
    return points


def totals(state: State) -> dict[int, int]:
    """Points of every player over all rounds (C30), by id. None for a game given up (C34)."""
    points = dict.fromkeys(range(len(state.settings.players)), 0)
    if not state.abandoned:
        for played in state.rounds:
            for player, n in round_points(state, played).items():
                points[player] += n
    return points


def goal_reached(state: State) -> End | None:
    """Whether somebody, whoever it is, has what stops the game at the end of this turn (C13, C26, C30)."""
    each_turn = state.settings.play_to == "hundred" and state.settings.hundred_at == "turn"
    if each_turn and max(totals(state).values()) >= HUNDRED:
        return End.HUNDRED
    if max(round_points(state, state.round).values()) >= GOAL:
        return End.FORTY
    return None
