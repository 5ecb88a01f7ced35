"""Players are told apart by colour, shape and letter, whatever their names."""

from hypothesis import given
from hypothesis import strategies as st

from companion.views.signs import signs_of


@given(st.lists(st.text(max_size=12), max_size=6))
def test_no_two_players_share_a_sign(names: list[str]) -> None:
    signs = signs_of(list(enumerate(names)))
    for kind in ("colour", "shape", "letter"):
        assert len({sign[kind] for sign in signs}) == len(names)
    assert all(len(sign["letter"]) == 1 for sign in signs)


def test_signs_stay_when_seats_change() -> None:
    players = [(0, "Ana"), (1, "Álvaro"), (2, "Ana B")]
    before = dict(zip(players, signs_of(players), strict=True))
    turned = [players[2], players[0], players[1]]
    assert dict(zip(turned, signs_of(turned), strict=True)) == before
