"""Reading what a phone sent. All of it is untrusted; what is not understood is refused, never guessed."""

from collections.abc import Mapping
from typing import Any, TypeVar

from companion.games.game import Command
from companion.games.tiki.hand import Action
from companion.games.tiki.options import Mode
from companion.games.tiki.refusal import RefusedError
from companion.games.tiki.tikis import Tiki

T = TypeVar("T", Tiki, Action, Mode)


def player_of(command: Command, known: tuple[int, ...]) -> int:
    """The player for whom it was pressed, by id (I9)."""
    return _player(command.player, known)


def tikis_of(command: Command, name: str) -> tuple[Tiki, ...]:
    """A list of tikis by their names."""
    return tuple(_kind(Tiki, item, "unknown_tiki") for item in _list(command.args, name))


def phone_of(command: Command) -> str:
    """The mark of the phone that pressed, "" where none is known."""
    value = command.args.get("phone", "")
    if not isinstance(value, str):
        raise RefusedError("malformed")
    return value


def tiki_of(command: Command) -> Tiki | None:
    """The tiki of a play; None where none is named."""
    value = command.args.get("tiki")
    return None if value is None else _kind(Tiki, value, "unknown_tiki")


def action_of(command: Command) -> Action:
    """The action card of a play."""
    return _kind(Action, command.args.get("card"), "unknown_card")


def mode_of(command: Command) -> Mode:
    """The way of keeping score that is wanted (T17)."""
    return _kind(Mode, command.args.get("mode"), "malformed")


def order_of(command: Command) -> tuple[Any, ...]:
    """The order of the seats, unchecked."""
    return tuple(_list(command.args, "order"))


def turn_of(command: Command, known: tuple[int, ...]) -> int | None:
    """Whose turn the table says it is (T27), None where it does not say."""
    value = command.args.get("turn")
    return None if value is None else _player(value, known)


def played_of(command: Command, known: tuple[int, ...]) -> dict[int, tuple[Action, ...]]:
    """The cards that lie open before players (T27): [{"player": 0, "played": ["up_1"]}], those named only."""
    out: dict[int, tuple[Action, ...]] = {}
    if command.args.get("hands") is None:
        return out
    for item in _list(command.args, "hands"):
        if not isinstance(item, Mapping):
            raise RefusedError("malformed")
        player = _player(item.get("player"), known)
        out[player] = tuple(_kind(Action, name, "unknown_card") for name in _list(item, "played"))
    return out


def _player(value: Any, known: tuple[int, ...]) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in known:
        raise RefusedError("unknown_player")
    return value


def _list(args: Mapping[str, Any], name: str) -> list[Any]:
    value = args.get(name)
    if not isinstance(value, list | tuple):
        raise RefusedError("malformed")
    return list(value)


def _kind(kinds: type[T], value: Any, code: str) -> T:
    if not isinstance(value, str):
        raise RefusedError(code)
    try:
        return kinds(value)
    except ValueError:
        raise RefusedError(code) from None
