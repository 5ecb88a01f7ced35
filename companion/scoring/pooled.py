"""Scores of many recordings, pooled, with the number behind each figure and its 95 % bound."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scipy.stats import beta

from companion.scoring import scorer
from companion.scoring.naming import NONE_NAMED, Named
from companion.scoring.turns import Turns


@dataclass(frozen=True, slots=True)
class Scored:
    """One recording's result. name: "nominal-snap2-a"; result: of scorer.score.

    speed: times real time, as it went; alone: the same by processor time, as if nothing else ran; calibrated: with what
    was learned of the table; named: how the stones at rest were named.
    """

    name: str
    severity: str
    scene: str
    result: Mapping[str, Any]
    turns: Turns
    speed: float
    alone: float
    calibrated: bool = False
    named: Named = NONE_NAMED


def group_of(folder: str, truth: Mapping[str, Any]) -> tuple[str, str]:
    """(severity, kind of scene) of a recording: "nominal-snap2-a" and "game3-nominal" name their severity."""
    parts = folder.split("-")
    known = [part for part in parts if part in ("ideal", "nominal", "hard")]
    return (known[0] if known else "other"), str(truth.get("scenario") or parts[0])


def lower_bound(right: int, of: int) -> float:
    """The rate that the true one exceeds with 95 % confidence (Clopper and Pearson 1934, one-sided)."""
    return float(beta.ppf(0.05, right, of - right + 1)) if right else 0.0


def report(scored: Sequence[Scored]) -> str:
    """The tables as text: by severity with all the scorer's columns, by scene in short, turns and games."""
    lines: list[str] = []
    for severity in sorted({s.severity for s in scored}):
        some = [s for s in scored if s.severity == severity]
        lines += [
            f"{severity}: {len(some)} recordings",
            scorer.table(scorer.merge([s.result for s in some])),
            *_bounds(some),
            _rest(some),
            _turns(some),
            "",
        ]
    lines += ["By kind of scene: found of true (invented), counts right", _scene_head()]
    for severity, scene in sorted({(s.severity, s.scene) for s in scored}):
        some = [s for s in scored if (s.severity, s.scene) == (severity, scene)]
        lines.append(_scene(f"{severity} {scene}", some))
    slowest, dearest = min(scored, key=lambda s: s.speed), min(scored, key=lambda s: s.alone)
    lines += [
        "",
        f"Slowest replay: {slowest.speed:.2f} times real time as it went ({slowest.name}), "
        f"{dearest.alone:.2f} by processor time ({dearest.name})",
    ]
    return "\n".join(lines)


def as_json(scored: Sequence[Scored]) -> dict[str, Any]:
    """The same as JSON values, recording by recording and pooled."""
    pooled = {
        group: scorer.merge([s.result for s in scored if s.severity + _mark(s) == group])
        for group in sorted({s.severity + _mark(s) for s in scored})
    }
    return {
        "pooled": pooled,
        "recordings": {
            s.name + _mark(s): {
                "severity": s.severity,
                "scene": s.scene,
                "speed": round(s.speed, 3),
                "alone": round(s.alone, 3),
                "score": s.result,
                "turns": {"truth": s.turns.truth, "ruled": s.turns.ruled, "right": s.turns.right}
                | {"whole": s.turns.whole, "asked": s.turns.asked},
                "named": asdict(s.named),
            }
            for s in scored
        },
    }


def _mark(scored: Scored) -> str:
    return " calibrated" if scored.calibrated else ""


def _bounds(some: Sequence[Scored]) -> list[str]:
    pooled = scorer.merge([s.result for s in some])
    out = []
    for kind in scorer.WINDOWS:
        row = pooled[kind]
        parts = [
            f"{what} {_rate(row['matched'], row[of])}"
            for what, of in (("recall", "truth"), ("precision", "reported"))
            if row[of]
        ]
        out.append(f"  {kind:10}" + "; ".join(parts or ["none"]))
    return ["with 95 % bounds:", *out]


def _rest(some: Sequence[Scored]) -> str:
    rest = scorer.merge([s.result for s in some]).get("rest")
    if not rest or not rest["stones"]:
        return "at rest: no stones to compare"
    return (
        f"at rest: {rest['stones']} stones placed right within 12 mm (p50 {rest['pos_p50_mm']:.2f}, "
        f"p95 {rest['pos_p95_mm']:.2f} mm), {rest['missing']} missing, {rest['invented']} invented"
    )


def _turns(some: Sequence[Scored]) -> str:
    right, of = sum(s.turns.right for s in some), sum(s.turns.truth for s in some)
    ruled = sum(s.turns.ruled for s in some)
    whole = sum(s.turns.whole for s in some)
    games = [s for s in some if s.scene == "game"]
    asked = sum(s.turns.asked for s in some)
    return (
        f"turns: {_rate(right, of)} ruled right (player, piles), {ruled} ruled; recordings with every turn right "
        f"{_rate(whole, len(some))}; whole games {sum(g.turns.whole for g in games)} of {len(games)}; "
        f"{asked} questions"
    )


def _rate(right: int, of: int) -> str:
    return f"{right}/{of} = {right / of:.3f} (over {lower_bound(right, of):.3f})" if of else "0/0"


def _scene_head() -> str:
    kinds = "".join(f"{kind:>16}" for kind in scorer.WINDOWS)
    return f"{'':28}{'n':>3}{kinds}{'turns':>10}{'asked':>7}"


def _scene(name: str, some: Sequence[Scored]) -> str:
    pooled = scorer.merge([s.result for s in some])
    cells = ""
    for kind in scorer.WINDOWS:
        row = pooled[kind]
        cell = f"{row['matched']}/{row['truth']} ({row['reported'] - row['matched']})"
        if "count_exact" in row:
            cell += f" {100 * row['count_exact']:.0f}%"
        cells += f"{cell:>16}"
    turns = f"{sum(s.turns.right for s in some)}/{sum(s.turns.truth for s in some)}"
    return f"{name:28}{len(some):>3}{cells}{turns:>10}{sum(s.turns.asked for s in some):>7}"
