"""Table reports survive the trip through JSON, and what is not one is refused by name."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table import Complete, EventKind, Evidence, Health, Picture, Stone, TableEvent
from companion.table.codec import from_json, to_json

number = st.floats(-1e4, 1e4)
time = st.integers(0, 2**50)
maybe = st.one_of(st.none(), number)
stone = st.builds(
    Stone,
    track=st.integers(0, 999),
    x=number,
    y=number,
    z=number,
    upright=st.booleans(),
    pole_up=st.sampled_from([-1, 0, 1]),
    turn=number,
    held=st.booleans(),
    identity=st.one_of(st.none(), st.integers(0, 40)),
    p=st.floats(0, 1),
)
evidence = st.builds(
    Evidence, weight_step_g=maybe, gap_mm=maybe, closing_speed_mm_s=maybe, residual=maybe, note=st.text(max_size=5)
)
tracks = st.lists(st.integers(0, 99), max_size=4).map(tuple)
event = st.builds(
    TableEvent,
    kind=st.sampled_from(EventKind),
    t_us=time,
    stones=tracks,
    count=st.integers(0, 40),
    t_report_us=time,
    x=maybe,
    y=maybe,
    new_stones=tracks,
    chain=st.booleans(),
    upright=st.one_of(st.none(), st.booleans()),
    pole_up=st.one_of(st.none(), st.sampled_from([-1, 0, 1])),
    stacked=st.booleans(),
    rest=st.lists(stone, max_size=3).map(tuple),
    until_us=st.one_of(st.none(), time),
    p=st.floats(0, 1),
    evidence=st.one_of(st.none(), evidence),
)
picture = st.builds(Picture, t_us=time, stones=st.lists(stone, max_size=3).map(tuple), weight_g=maybe)
health = st.builds(
    Health,
    t_us=time,
    state=st.sampled_from(["ok", "stale", "lost", "starting"]),
    faults=st.lists(st.text(max_size=8), max_size=3).map(tuple),
    lag_ms=number,
    frame_rate=number,
    lost=st.integers(0, 10**6),
    clock_offset_us=st.one_of(st.none(), st.integers(-(2**40), 2**40)),
    link=st.text(max_size=8),
    board_text=st.text(max_size=8),
    held_by=st.lists(st.text(max_size=8), max_size=2).map(tuple),
    damaged=st.integers(0, 10**6),
    rssi_dbm=st.one_of(st.none(), st.integers(-127, 20)),
)


@given(st.one_of(event, picture, health, st.builds(Complete, t_us=time)))
def test_a_report_survives_json(report: TableEvent | Picture | Health | Complete) -> None:
    assert from_json(json.loads(json.dumps(to_json(report)))) == report


@pytest.mark.parametrize(
    ("obj", "names"),
    [
        ({}, "type None"),
        ({"type": "event"}, "kind"),
        ({"type": "event", "kind": "explosion", "t_us": 1}, "explosion"),
        ({"type": "complete"}, "t_us"),
        ({"type": "complete", "t_us": 1, "speed": 2}, "speed"),
        ({"type": "picture", "t_us": 1, "stones": [{"track": 1}]}, "malformed picture"),
        ({"type": "picture", "t_us": 1, "stones": 7}, "malformed picture"),
        ({"type": "complete", "t_us": "x"}, "t_us"),
        ({"type": "complete", "t_us": 1.5}, "t_us"),
        ({"type": "complete", "t_us": True}, "t_us"),
        ({"type": "complete", "t_us": 2**80}, "t_us"),
        ({"type": "health", "t_us": 1, "state": 5}, "state"),
        ({"type": "health", "t_us": 1, "state": "ok", "faults": [1]}, "faults"),
        ({"type": "health", "t_us": 1, "state": "ok", "lag_ms": float("nan")}, "lag_ms"),
        ({"type": "health", "t_us": 1, "state": "ok", "clock_offset_us": "x"}, "clock_offset_us"),
        ({"type": "event", "kind": "placed", "t_us": 1, "stones": ["a"]}, "stones"),
        ({"type": "event", "kind": "placed", "t_us": 1, "chain": 1}, "chain"),
        ({"type": "event", "kind": "placed", "t_us": 1, "x": float("inf")}, "x of"),
        ({"type": "event", "kind": "placed", "t_us": 1, "evidence": {"gap_mm": "x"}}, "gap_mm"),
        ({"type": "picture", "t_us": 1, "stones": [{"track": 1.5, "x": 0, "y": 0}]}, "track"),
        ({"type": "picture", "t_us": 1, "stones": [], "weight_g": "heavy"}, "weight_g"),
    ],
)
def test_what_is_no_report_is_refused_by_name(obj: dict[str, object], names: str) -> None:
    with pytest.raises(ValueError, match=names):
        from_json(obj)


def test_defaults_are_left_out() -> None:
    assert to_json(Complete(5)) == {"type": "complete", "t_us": 5}
    short = TableEvent(EventKind.RELEASED, 7, stones=(3,))
    assert to_json(short) == {"type": "event", "kind": "released", "t_us": 7, "stones": [3]}
