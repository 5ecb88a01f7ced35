"""Points, worked out from the deeds of a round: shapes, bonuses, going out."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.games.cirkis.board import RING, board
from companion.games.cirkis.pieces import SET_SIZE
from companion.games.cirkis.settings import Settings
from companion.games.cirkis.state import Claim, Deed, End, Piece, Round, State

GOAL = 40  # C13
HUNDRED = 100  # C17
MOST = 10  # C10
BONUS = 5  # C11
OUT = 10  # C14
RING_MOST = 15  # C16


@dataclass(frozen=True, slots=True)
class Award:
    """Points of one player for one reason. shape: id, "" for going out."""

    player: int
    points: int
    clause: str
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Completion:
    """A shape filled by a placement of `by`. segments: (player, number), sorted by player."""

    shape: str
    by: int
    segments: tuple[tuple[int, int], ...]
    awards: tuple[Award, ...]

    @property
    def shared(self) -> bool:
        """Whether nobody alone has the most segments (C10)."""
        numbers = [n for _, n in self.segments]
        return numbers.count(max(numbers)) > 1


def judge(shape: str, segments: Mapping[int, int], by: int) -> Completion:
    """Who scores for a completed shape.

    Most of the segments takes the points, a majority is not needed; if the most is shared nobody takes them
    (C10). Who completed it without taking them has the bonus instead (C11). The ring is worth more (C16,
    C31).
    """
    best = max(segments.values())
    leaders = [player for player, n in segments.items() if n == best]
    awards = []
    if len(leaders) == 1:
        points, clause = (RING_MOST, "C16") if shape == RING else (MOST, "C10")
        awards.append(Award(leaders[0], points, clause, shape))
    if leaders != [by]:
        awards.append(Award(by, BONUS, "C16" if shape == RING else "C11", shape))
    return Completion(shape, by, tuple(sorted(segments.items())), tuple(awards))


def completions(settings: Settings, owners: Mapping[int, int], player: int, spaces: Iterable[int]) -> list[Completion]:
    """The shapes that a placement fills, each judged by itself (C11).

    owners: space -> player before the placement. A covered space counts as one segment (C28).
    """
    covered = tuple(spaces)
    done = []
    for shape in board().shapes_of(covered):
        holders = [player if space in covered else owners.get(space) for space in shape.spaces]
        scores = shape.id != RING or settings.ring  # C31: without the option the ring only serves C03
        if scores and None not in holders:
            done.append(judge(shape.id, Counter(p for p in holders if p is not None), player))
    return done


def round_awards(settings: Settings, deeds: Iterable[Deed]) -> list[tuple[Award, ...]]:
    """For each deed of a round the points it brought, in order: shapes and ring, then going out (C25)."""
    owners: dict[int, int] = {}
    played: Counter[int] = Counter()
    result = []
    for deed in deeds:
        awards: list[Award] = []
        if isinstance(deed, Piece):
            awards += [a for c in completions(settings, owners, deed.player, deed.spaces) for a in c.awards]
            owners.update(dict.fromkeys(deed.spaces, deed.player))
            played[deed.player] += 1
            out = played[deed.player] == SET_SIZE
        elif isinstance(deed, Claim):
            awards += [a for s in deed.shapes for a in judge(s.shape, dict(s.segments), deed.player).awards]
            out = deed.out
        else:
            out = False
        if out:
            awards.append(Award(deed.player, OUT, "C14"))
        result.append(tuple(awards))
    return result


def round_points(state: State, played: Round) -> dict[int, int]:
    """Points of all players in a round, also those who left; an abandoned one gives none (C34)."""
    points = dict.fromkeys(range(len(state.settings.players)), 0)
    if played.end is not End.ABANDONED:
        for awards in round_awards(state.settings, played.deeds):
            for award in awards:
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
