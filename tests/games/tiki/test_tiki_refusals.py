"""Every refusal is reached, with its clause; nothing sent can crash the rules or half-change the state."""

import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.tiki import COMMANDS, REFUSALS
from companion.games.tiki.tikis import TIKIS

ROOT = Path(__file__).parents[3]
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 9)
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.sampled_from([*TIKIS, "up_1", "toast", "quick"]),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(st.sampled_from(["player", "played"]), inner),
    max_leaves=12,
)


# How long the junk takes to make is no matter of the rules: no pass mark by the clock.
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    name=st.sampled_from([*COMMANDS, "", "undo"]),
    player=st.none() | st.integers(-2, 5),
    args=st.dictionaries(
        st.sampled_from(["line", "card", "tiki", "tikis", "places", "order", "turn", "hands", "mode"]), JUNK
    ),
    begun=st.booleans(),
)
def test_whatever_is_sent_is_done_or_refused_with_a_known_code(at_table, name, player, args, begun) -> None:
    table = at_table(players=3)
    if begun:
        table.line_up()
    before = table.state
    step = table.send(name, player, **args)
    if step.refusal is None:
        assert step.rulings
        assert all(ruling.clause in clauses() for ruling in step.rulings)
    else:
        assert REFUSALS[step.refusal.code] == step.refusal.clause
        assert (step.state, step.rulings) == (before, ())


def clauses() -> set[str]:
    return set(re.findall(r"^\| (T\d\d) \|", (ROOT / "docs/rules/tiki.md").read_text("utf-8"), re.MULTILINE))


def test_every_refusal_names_a_clause_of_the_rule_book_or_is_no_matter_of_rules() -> None:
    assert {code for code, clause in REFUSALS.items() if not clause} == {"unknown_command", "malformed"}
    assert {clause for clause in REFUSALS.values() if clause} <= clauses()


def test_every_clause_stands_in_the_code_and_in_a_test() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "companion/games/tiki").glob("*.py"))
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    marked = set(re.findall(r"T\d\d", "".join(re.findall(r"mark\.rule\(([^)]*)\)", tests))))
    assert len(clauses()) == 29
    assert clauses() <= set(re.findall(r"T\d\d", code))
    assert clauses() <= marked


def test_every_refusal_is_reached(at_table) -> None:
    seen: set[str] = set()

    def no(table, name, player=None, **args) -> None:
        seen.add(table.no(name, player, **args))

    table = at_table(players=3, topple_bottom=False)
    no(table, "shuffle_everything")
    no(table, "line_up")
    no(table, "play", 7, card="up_1")
    no(table, "play", 0, card="up_4")
    no(table, "play", 0, card="up_1", tiki="tikitiki")
    no(table, "line_up", line=["nani"])
    no(
        table,
        "line_up",
        line=["nani", "wikiwiki", "nui", "huhu", "lokahi", "akamai", "eepo", "hookipa", "kapu"],
    )
    no(table, "play", 0, card="up_1", tiki="nui")
    table.line_up()
    no(table, "line_up", line=list(TIKIS))
    no(table, "play", 1, card="up_1", tiki="nui")
    no(table, "play", 0, card="up_1", tiki="nani")
    no(table, "play", 0, card="up_1")
    no(table, "play", 0, card="toast")
    no(table, "play", 0, card="topple", tiki="kapu")
    no(table, "pass", 0)
    no(table, "seats", order=[0])
    no(table, "set_line", line=["nani"])
    no(table, "set_line", line=list(TIKIS), hands=[{"player": 1, "played": ["up_1", "up_1"]}])
    no(table, "places", places=["nani", "nui", "eepo"])
    no(table, "reveal")
    no(table, "secret", 0, tikis=["nani", "nani", "eepo"])
    for _ in range(3):
        table.play("up_1", "nui")
    no(table, "play", 0, card="up_1", tiki="nui")
    no(table, "play", 0, card="toast", tiki="nui")
    table.play("toast")
    no(table, "play", 1, card="up_2", tiki="kapu")
    table.ok("set_line", line=["nani", "nui", "eepo"])
    no(table, "play", 1, card="up_2", tiki="eepo")
    no(table, "score")
    table.ok("reveal")
    no(table, "reveal")
    no(table, "score")
    for player in range(3):
        table.ok("secret", player, tikis=["nani", "nui", "eepo"])
    no(table, "score")
    table.ok("abandon")
    table.ok("mode", mode="quick")
    no(table, "line_up", line=list(TIKIS))
    no(table, "places", places=["nani"])
    table.ok("leave", 2)
    no(table, "leave", 2)
    table.ok("leave", 1)
    no(table, "abandon")
    final = at_table(players=3, mode="quick")
    for _ in range(3):
        final.quick_round("nani nui eepo", {0: "nani kapu huhu", 1: "nani kapu lokahi", 2: "kapu huhu lokahi"})
    no(final, "secret", 2, tikis=["nani", "nui", "eepo"])
    assert seen == set(REFUSALS)
