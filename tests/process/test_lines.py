"""Events as lines of a file: a collapse that was told early and completed later is one line."""

from typing import Any

from companion.process.common.lines import GROWS_US, Lines
from companion.table import EventKind, TableEvent


def collapse(t_us: int, *stones: int, grown: bool = False, p: float = 1.0) -> TableEvent:
    return TableEvent(
        EventKind.COLLAPSE, t_us, stones, len(stones), t_us + 200_000, new_stones=stones[-1:], grown=grown, p=p
    )


def lifted(t_us: int) -> TableEvent:
    return TableEvent(EventKind.LIFTED, t_us, (9,), t_report_us=t_us)


def written(*events: TableEvent) -> list[dict[str, Any]]:
    lines = Lines()
    return [line for event in events for line in lines.take(event)] + lines.end()


def test_a_collapse_that_grows_is_one_line_where_it_was_first_told() -> None:
    out = written(
        collapse(1_000_000, 1, 2),
        lifted(1_250_000),
        collapse(1_300_000, 1, 2, 3, grown=True, p=0.9),
        collapse(1_600_000, 1, 2, 3, 4, grown=True),
    )
    assert [line["event"] for line in out] == ["collapse", "lifted"]
    first = out[0]
    assert (first["t"], first["t_report"], first["t_complete"]) == (1.0, 1.2, 1.8)
    assert (first["told"], first["count"], first["p"]) == (2, 4, 0.9)
    assert (first["tracks"], first["new"]) == ([1, 2, 3, 4], [2, 3, 4])


def test_others_are_lines_of_their_own_and_the_newer_of_a_cluster_grows() -> None:
    out = written(
        collapse(1_000_000, 1, 2),
        collapse(1_100_000, 5, 6),
        collapse(1_450_000, 1, 2, 3),
        collapse(1_700_000, 1, 2, 3, 4, grown=True),
    )
    assert [(line["t"], line["count"]) for line in out] == [(1.0, 2), (1.1, 2), (1.45, 4)]
    assert "told" not in out[0]


def test_a_collapse_of_unknown_stones_stays_a_line_of_its_own_when_another_grows() -> None:
    unknown = TableEvent(EventKind.COLLAPSE, 1_050_000, count=2, t_report_us=1_250_000)
    out = written(collapse(1_000_000, 1, 2), unknown, collapse(1_300_000, 1, 2, 3, grown=True))
    assert [(line["t"], line["count"], line.get("tracks")) for line in out] == [(1.0, 3, [1, 2, 3]), (1.05, 2, None)]


def test_a_line_waits_for_no_longer_than_a_collapse_may_grow() -> None:
    lines = Lines()
    assert lines.take(collapse(1_000_000, 1, 2)) == []
    assert lines.take(lifted(1_200_000 + GROWS_US)) == []
    told = lines.take(lifted(1_200_001 + GROWS_US))
    assert [line["event"] for line in told] == ["collapse", "lifted", "lifted"]
    assert lines.end() == []
    assert [line["event"] for line in lines.take(lifted(3_000_000))] == ["lifted"]
