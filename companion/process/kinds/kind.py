"""What the service needs of a kind of game: its rules, its view, and what a press of it means."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar

from companion.games.game import Command, Entry, Game
from companion.games.past import Folded, Written
from companion.table import Health, Picture, TableEvent
from companion.views.context import ViewContext

E = TypeVar("E", bound=Entry)


TableLaid: TypeAlias = tuple[tuple[tuple[float, float, float], ...], float]
"""(x, y, rot) of each triangle of the table, and the length of their sides: mm, degrees."""


@dataclass(frozen=True, slots=True)
class GameKind:
    """One kind of game.

    game: its rules; earlier: those that older games go on under, by version.
    encode: (state, context) -> public view, JSON values. phase, players: of a state, for the list of
    games: phase is "lobby", "turn", "round_end", "game_end" or one of the kind's own that the list has words for;
    players are (id, name) in order of seats, with a colour where the game's pieces have one. moves: commands that are
    about the turn as it was seen; borders: rulings that end what was seen. A press of a move made before the last move
    or border is stale. restates: commands that say as a whole how a part of the game is, and that part of a state: such
    a press is stale where the part has changed since, else it would undo what another phone said.
    from_recording: settings for a game.json of a recording; None: the kind has no use for sensors.
    secrets: commands whose args nobody but the phone that sent them may see. The owner adds "phone", that phone's mark,
    to their args. private: what single phones may see besides the public view, by (player, mark of the phone).
    shown: numbers of those commands, among all that count, whose secret everybody has been shown since.
    foresee: (state, {name, player, args}) -> what that command would do, to be shown to anybody; None where it is not
    told.
    starts: commands that begin something on the table; not_ready: what speaks against it by what the sensors see, as
    [{"code", ...}]. A start is refused with these, until it says "anyway" (F5). says: commands that say how the stones
    lie; unlike: what the sensors see otherwise, as JSON values, or None; refused with it, until it insists. clipped:
    kinds of rulings that may be doubted, so that a clip is kept (clips.py). recorded: a state as the
    game.json beside a clip.
    statistics: figures by player's name, of the rulings that count and the players of a game; together: of many games.
    """

    game: Game[Any]
    encode: Callable[[Any, ViewContext], Mapping[str, Any]]
    phase: Callable[[Any], str]
    players: Callable[[Any], tuple[tuple[int, str] | tuple[int, str, str], ...]]
    moves: frozenset[str] = frozenset()
    borders: frozenset[str] = frozenset()
    from_recording: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    secrets: frozenset[str] = frozenset()
    private: Callable[[Any], Mapping[tuple[int, str], Mapping[str, Any]]] | None = None
    shown: Callable[[Sequence[Written]], frozenset[int]] | None = None
    foresee: Callable[[Any, Mapping[str, Any]], Mapping[str, Any] | None] | None = None
    starts: frozenset[str] = frozenset()
    not_ready: Callable[[Picture | None, Health | None, TableLaid], list[dict[str, Any]]] | None = None
    says: Sequence[str] = ()
    unlike: (
        Callable[[Folded[Any], str, Mapping[str, Any], Picture | None, Health | None], dict[str, Any] | None] | None
    ) = None
    statistics: Callable[[Sequence[Mapping[str, Any]], Mapping[int, str]], dict[str, Any]] | None = None
    clipped: frozenset[str] = frozenset()
    recorded: Callable[[Any], Mapping[str, Any]] | None = None
    together: Callable[[Iterable[Mapping[str, Any]]], dict[str, Any]] | None = None
    restates: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    earlier: Mapping[str, Game[Any]] = field(default_factory=dict)

    def under(self, rules: str) -> "GameKind":
        """The kind by this version of its rules; by today's where that is not known any more."""
        return replace(self, game=self.earlier[rules]) if rules in self.earlier else self

    def by_newer(self, rules: str) -> bool:
        """Whether these are the rules of a newer program: versions are numbers."""
        newest = self.game.version
        return rules.isdecimal() and newest.isdecimal() and int(rules) > int(newest)

    def veiled(self, entry: E) -> E:
        """The entry as everybody may read it: in logs, lists of entries, exports and the journal's download."""
        if isinstance(entry, Command) and entry.name in self.secrets:
            return replace(entry, args={})
        if isinstance(entry, Command) and entry.name == "edit" and self.secrets:
            return replace(entry, args={name: value for name, value in entry.args.items() if name != "args"})
        return entry

    def readable(self, commands: Sequence[Written]) -> tuple[Written, ...]:
        """All commands that count, as everybody may read them: secrets that have been shown to all are among them."""
        open_now = self.shown(commands) if self.shown else frozenset()
        return tuple(
            replace(item, entry=_without_phone(item.entry) if item.number in open_now else self.veiled(item.entry))
            for item in commands
        )

    def edits_a_secret(self, command: Command, commands: Sequence[Written]) -> bool:
        """Whether it is to change a secret that is not shown yet: any answer to it would tell of the secret (T18).

        commands: all that count.
        """
        if command.name != "edit" or self.shown is None:
            return False
        number = command.args.get("entry")
        named = {item.number: item.entry.name for item in commands if isinstance(item.entry, Command)}
        return type(number) is int and named.get(number) in self.secrets and number not in self.shown(commands)


def _without_phone(entry: TableEvent | Command) -> TableEvent | Command:
    if not isinstance(entry, Command):
        return entry
    return replace(entry, args={name: value for name, value in entry.args.items() if name != "phone"})
