"""Points for completed shapes: who has the most, who completed it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.games.cirkis.board import RING, board
from companion.games.cirkis.settings import Settings

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
