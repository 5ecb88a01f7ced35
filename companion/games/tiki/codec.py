"""The state to and from JSON, for the journal. It holds the secret cards: pages get what view.py makes of
it."""

from collections.abc import Mapping
from typing import Any

from companion.games.tiki.hand import Action, Hand
from companion.games.tiki.line import Line
from companion.games.tiki.options import Mode, read_options, write_options
from companion.games.tiki.refusal import RefusedError
from companion.games.tiki.round import Round
from companion.games.tiki.scoring import ScoredRound
from companion.games.tiki.secret import Pack, SecretCard, secret_card
from companion.games.tiki.state import State
from companion.games.tiki.tikis import Tiki


def state_to_json(state: State) -> dict[str, Any]:
    """A JSON object with the whole state."""
    return {
        "options": write_options(state.options),
        "seats": list(state.seats),
        "mode": str(state.mode),
        "gone": list(state.gone),
        "history": [
            {"starter": s.starter, "final": s.final, "places": list(s.places), "cards": _cards(s.cards)}
            for s in state.history
        ],
        "pack": {"undealt": state.pack.undealt, "discards": [list(card) for card in state.pack.discards]},
        "current": _round(state.current) if state.current else None,
    }


def state_from_json(obj: Mapping[str, Any]) -> State:
    """The state of an object made by `state_to_json`. Raises ValueError where it is not one."""
    try:
        current = obj["current"]
        return State(
            options=read_options(obj["options"]),
            seats=tuple(obj["seats"]),
            mode=Mode(obj["mode"]),
            gone=tuple(obj["gone"]),
            history=tuple(
                ScoredRound(s["starter"], s["final"], _line(s["places"]), _read_cards(s["cards"]))
                for s in obj["history"]
            ),
            pack=Pack(obj["pack"]["undealt"], tuple(_card(card) for card in obj["pack"]["discards"])),
            current=None if current is None else _read_round(current),
        )
    except (KeyError, TypeError, AttributeError, RefusedError) as error:
        raise ValueError(f"malformed state of Tiki Topple: {error!r}") from error


def _round(current: Round) -> dict[str, Any]:
    return {
        "starter": current.starter,
        "hands": [
            {"player": hand.player, "held": list(hand.held), "played": list(hand.played)} for hand in current.hands
        ],
        "mode": str(current.mode),
        "final": current.final,
        "line": list(current.line),
        "turn": current.turn,
        "quick_places": list(current.quick_places),
        "cards": _cards(current.cards),
        "revealed": current.revealed,
        "keepers": [{"player": player, "phone": phone} for player, phone in current.keepers],
    }


def _read_round(obj: Mapping[str, Any]) -> Round:
    return Round(
        starter=obj["starter"],
        hands=tuple(Hand(h["player"], _actions(h["held"]), _actions(h["played"])) for h in obj["hands"]),
        mode=Mode(obj["mode"]),
        final=obj["final"],
        line=_line(obj["line"]),
        turn=obj["turn"],
        quick_places=_line(obj["quick_places"]),
        cards=_read_cards(obj["cards"]),
        revealed=obj["revealed"],
        keepers=tuple((item["player"], item["phone"]) for item in obj["keepers"]),
    )


def _cards(cards: tuple[tuple[int, SecretCard], ...]) -> list[dict[str, Any]]:
    return [{"player": player, "card": list(card)} for player, card in cards]


def _read_cards(items: list[Mapping[str, Any]]) -> tuple[tuple[int, SecretCard], ...]:
    return tuple((item["player"], _card(item["card"])) for item in items)


def _card(names: list[str]) -> SecretCard:
    return secret_card(_line(names))


def _line(names: list[str]) -> Line:
    return tuple(Tiki(name) for name in names)


def _actions(names: list[str]) -> tuple[Action, ...]:
    return tuple(Action(name) for name in names)
