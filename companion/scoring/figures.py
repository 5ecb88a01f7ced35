"""The table of figures: by severity, without and with calibration, each with its number and 95 % bound; as Markdown."""

from collections.abc import Sequence
from typing import Final

from companion.scoring import scorer
from companion.scoring.naming import together
from companion.scoring.pooled import Scored, lower_bound

KINDS: Final = ("approach", "placed", "released", "collapse", "fell_off", "removed", "settled")
_REST: Final = (
    "at rest, mm: p50 / p95; missing, invented",
    "flat or on edge",
    "pole",
    "named; mean p; of those with p > 0.9",
)
_HEAD: Final = ("recordings", "calibrated", "n", *KINDS, *_REST, "turns", "asked")


def figures(scored: Sequence[Scored]) -> str:
    """A row for each severity of the scenes and of the whole games, uncalibrated and calibrated.

    A cell is found / true (reported), and the rate of found ones that the true rate exceeds with 95 % confidence.
    """
    rows = [_HEAD, tuple("---" for _ in _HEAD)]
    groups = sorted({(s.severity, s.scene == "game", s.calibrated) for s in scored})
    for severity, game, calibrated in groups:
        some = [s for s in scored if (s.severity, s.scene == "game", s.calibrated) == (severity, game, calibrated)]
        rows.append(_row(f"{severity} {'games' if game else 'scenes'}", calibrated, some))
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def _row(name: str, calibrated: bool, some: Sequence[Scored]) -> tuple[str, ...]:
    pooled = scorer.merge([s.result for s in some])
    cells = [_cell(pooled[kind]["matched"], pooled[kind]["truth"], pooled[kind]["reported"]) for kind in KINDS]
    rest = pooled.get("rest")
    lain = "none"
    if rest and rest["stones"]:
        lain = (
            f"{rest['pos_p50_mm']:.2f} / {rest['pos_p95_mm']:.2f}; {rest['missing']}, {rest['invented']} "
            f"of {rest['stones'] + rest['missing']}"
        )
    facing = [_right(some, key) for key in ("upright_right", "pole_right")]
    turns = _cell(sum(s.turns.right for s in some), sum(s.turns.truth for s in some), sum(s.turns.ruled for s in some))
    asked = str(sum(s.turns.asked for s in some))
    return (name, "yes" if calibrated else "no", str(len(some)), *cells, lain, *facing, _named(some), turns, asked)


def _right(some: Sequence[Scored], key: str) -> str:
    each = [right for s in some for right in s.result.get("rest", {}).get(key, ())]
    return f"{sum(each)}/{len(each)} > {lower_bound(sum(each), len(each)):.3f}" if each else "-"


def _named(some: Sequence[Scored]) -> str:
    n = together([s.named for s in some])
    return f"{n.right}/{n.of}; {n.p / n.of:.2f}; {n.sure_right}/{n.sure}" if n.of else "-"


def _cell(found: int, true: int, reported: int) -> str:
    return f"{found}/{true} ({reported}) > {lower_bound(found, true):.2f}" if true else f"- ({reported})"
