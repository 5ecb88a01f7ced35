"""¡Yikerz! as a game: entries in, the next state and rulings out. Pure; see sensors.py for the transition
table.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.games.game import Advance, Command, Entry, Step
from companion.games.record import from_plain, to_plain
from companion.games.yikerz import buttons, due, laying, lobby, questions, sensors
from companion.games.yikerz.countdown import moved, shifted
from companion.games.yikerz.hearing import Hearing, Refused
from companion.games.yikerz.settings import settings_from
from companion.games.yikerz.state import State
from companion.games.yikerz.versions import NEWEST
from companion.table import BoardTime, TableEvent


class Yikerz:
    """The rules of docs/rules/yikerz.md; rules: their version, one of versions.OLDEST to NEWEST."""

    name = "yikerz"

    def __init__(self, rules: int = NEWEST) -> None:
        self.rules, self.version = rules, str(rules)

    def start(self, settings: Mapping[str, Any]) -> State:
        """A game in the lobby, or dealt at once (settings: begin). settings: by name, and players: their
        names.

        Raises ValueError, naming the setting, where settings are wrong.
        """
        values = dict(settings)
        names = values.pop("players", ())
        if not isinstance(names, list | tuple):
            raise ValueError(f"setting players is a list of names, not {names!r}")
        chosen = settings_from(values)
        h = Hearing(State(settings=chosen, layout=chosen.layout, rules=self.rules), 0)
        try:
            for name in names:
                lobby.add_player(h, name)
            if chosen.begin == "at_once":
                lobby.start(h, {})
        except Refused as refused:
            raise ValueError(f"the game cannot start: {refused.refusal.code}") from refused
        return h.state

    def apply(self, state: State, entry: Entry) -> Step[State]:
        """The next state. What is due by the entry's time comes first (Y32)."""
        h = Hearing(state, entry.t_us)
        due.run(h, entry.t_us)
        if isinstance(entry, Advance):
            return Step(h.state, tuple(h.rulings))
        h.t_us = entry.t_us
        held = questions.held(h)
        if isinstance(entry, Command):
            try:
                buttons.press(h, entry)
            except Refused as refused:
                return Step(state, (), refused.refusal)
        else:
            sensors.judge(h, entry)
        if held and not questions.held(h):
            due.released(h)
        return Step(h.state, tuple(h.rulings))

    def next_due(self, state: State) -> BoardTime | None:
        """When an Advance changes the state, if nothing happens before; None: never."""
        return due.next_due(state)

    def ruled(self, state: State) -> int:
        """Rulings made so far (`State.log` carries their numbers)."""
        return state.ruled

    def number_on(self, state: State, ruled: int) -> State:
        """The next ruling has the number ruled + 1."""
        return replace(state, ruled=ruled)

    def shift(self, state: State, by_us: BoardTime, earliest_us: BoardTime = 0) -> State:
        """The state with its deadline and open times moved: an undone ruling gives the time back (Y22)."""
        mismatch, asked_us = state.mismatch, earliest_us - state.settings.mismatch_us
        return replace(
            state,
            deadline_us=shifted(state.deadline_us, by_us, earliest_us),
            faults=moved(state.faults, by_us),
            limit_us=shifted(state.limit_us, by_us, earliest_us),
            hands=tuple(replace(hand, since_us=hand.since_us + by_us) for hand in state.hands),
            mismatch=mismatch and replace(mismatch, since_us=max(mismatch.since_us + by_us, asked_us)),
            questions=tuple(
                replace(q, t_us=q.t_us + by_us, deadline_us=shifted(q.deadline_us, by_us)) for q in state.questions
            ),
        )

    def lies(self, state: State) -> frozenset[int] | None:
        """Tracks on the board, as far as sensors know them; None between rounds."""
        return laying.lies(state)

    def laid(self, state: State, event: TableEvent) -> bool:
        """Whether the board at rest shows the stones that lie there by the rules."""
        return laying.laid(state, event)

    def denied(self, state: State) -> bool:
        """Whether stones are seen of which people have said that they do not lie there."""
        return bool(state.denied)

    def carried_off(self, state: State, event: TableEvent) -> bool:
        """Whether stones of a hand have gone home."""
        return laying.carried_off(state, event)

    def as_it_lies(self, state: State, was: State) -> tuple[str, dict[str, Any]]:
        """The command that gives the state the board of `was`."""
        return laying.as_it_lies(state, was)

    def to_json(self, state: State) -> dict[str, Any]:
        """JSON values of a state."""
        plain: dict[str, Any] = to_plain(state)
        return plain

    def from_json(self, obj: Mapping[str, Any]) -> State:
        """The state of JSON values. Raises ValueError, naming the field, where they are not one."""
        return from_plain(State, obj)
