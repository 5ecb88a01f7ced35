"""The rulings on points: the same for a piece placed on the map and for one told in quick mode."""

from collections.abc import Iterable

from companion.games.cirkis.scoring import OUT, Completion
from companion.games.game import Ruling
from companion.table import BoardTime


def score_rulings(done: Iterable[Completion], out: int | None, t_us: BoardTime) -> tuple[Ruling, ...]:
    """What a placement completed and who scores for it, then going out (C25).

    out: who went out, if anybody.
    """
    rulings = []
    for shape in done:
        segments = [list(pair) for pair in shape.segments]
        rulings.append(Ruling(t_us, "completed", "C28", shape.by, {"shape": shape.shape, "segments": segments}))
        if shape.shared:
            clause = "C16" if shape.shape == "ring" else "C10"
            rulings.append(Ruling(t_us, "most_shared", clause, data={"shape": shape.shape}))
        for award in shape.awards:
            data = {"points": award.points, "shape": award.shape}
            rulings.append(Ruling(t_us, "points", award.clause, award.player, data))
    if out is not None:
        rulings.append(Ruling(t_us, "went_out", "C14", out, {"points": OUT}))
    return tuple(rulings)
