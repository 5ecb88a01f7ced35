"""Any order and delay of arrival gives the same rulings: events, presses and Completes, through the whole owner."""

from hypothesis import given
from hypothesis import strategies as st

from companion.process.referee.inbox import Reports
from companion.table import Complete, EventKind, TableEvent
from tests.process.service import Bench, S

KINDS = (EventKind.PLACED, EventKind.APPROACH, EventKind.COLLAPSE, EventKind.UNSEEN)
happenings = st.lists(
    st.tuples(st.integers(1, 40), st.sampled_from([*KINDS, "press", "note", "undo"])), min_size=1, max_size=9
)


def ruled(happened: list[tuple[int, EventKind | str]], order: list[int], completes: list[int]) -> tuple[object, ...]:
    """Rulings, state and answers when everything has come, in this order, with a Complete where that can be said."""
    bench = Bench()
    bench.link_up()
    game = bench.new_game(sensors=True)
    bench.clock.advance(100 * S)
    bench.complete(0)  # time flows: presses wait for theirs
    to_come = set(order)
    for place, index in enumerate(order):
        second, what = happened[index]
        if isinstance(what, EventKind):
            bench.hear(TableEvent(what, second * S, (index,), t_report_us=second * S))
        else:
            press_us = bench.offset_us + second * S
            bench.press(what, game, version=99, press_us=press_us, id=f"id-{index}", n=index)
        to_come.discard(index)
        if place in completes:
            passed = min((happened[k][0] for k in to_come), default=60) * S - 1
            bench.post(Reports((Complete(passed),)))
    bench.complete(60 * S)
    view = bench.view(game)
    return bench.rulings(game), view["state"], view["answers"], view["undo"]


@given(happenings, st.data())
def test_order_and_delay_of_arrival_do_not_matter(
    happened: list[tuple[int, EventKind | str]], data: st.DataObject
) -> None:
    straight = list(range(len(happened)))
    order = data.draw(st.permutations(straight))
    completes = data.draw(st.lists(st.sampled_from(straight), unique=True))
    assert ruled(happened, order, completes) == ruled(happened, straight, [])
