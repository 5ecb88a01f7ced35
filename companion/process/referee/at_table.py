"""Commands to the table itself, none of a game's: a new game, its speaker, a person who sets it up."""

import logging

from companion.process.referee.answers import Ticket
from companion.process.referee.listed import Listed
from companion.process.referee.set_up import SetUpDesk
from companion.settings import SettingsError
from companion.sound.voice import Loudness, Voice
from companion.views.port import Answer

_LOG = logging.getLogger(__name__)


class AtTable:
    """The owner's thread alone calls."""

    def __init__(self, listed: Listed, set_up: SetUpDesk, voice: Voice) -> None:
        self._listed, self._set_up, self._voice = listed, set_up, voice

    def take(self, ticket: Ticket) -> Answer:
        """Do what a ticket without a game asks for."""
        match ticket.name:
            case "new_game" if self._set_up.busy and ticket.args.get("sensors"):
                return Answer("refused", "being_set_up")
            case "new_game":
                return self._listed.new_game(ticket)
            case "set_sound":
                return self._set_sound(ticket)
            case "set_up":
                return self._order(ticket)
        return Answer("refused", "unknown_command")

    def _set_sound(self, ticket: Ticket) -> Answer:
        """How the table's own speaker sounds; it is no game's and stands in no journal."""
        try:
            self._voice.change(Loudness(**ticket.args))
        except (TypeError, ValueError):
            return Answer("refused", "bad_args")
        except SettingsError as error:
            _LOG.warning("The sound stays as it was: %s", error)
            return Answer("refused", "not_kept")
        return Answer("applied")

    def _order(self, ticket: Ticket) -> Answer:
        """A person sets up the table, while no game follows it; what becomes of it is in what the table tells.

        Leaving a step is never in a game's way.
        """
        holder = self._listed.holder
        if not self._listed.facts.sensors:
            return Answer("refused", "no_sensors")
        if holder is not None and ticket.args.get("do") != "leave":
            return Answer("refused", "table_watched", {"args": {"game": holder}})
        sent = self._set_up.order({**ticket.args, "of": ticket.id})
        return Answer("applied") if sent else Answer("refused", "table_silent")
