"""The table process' side of setting up: a person's orders come in, a guided step sees the table, its state goes out.

Around sensing: every sample goes through it. What is kept is stored by an order of a person alone (`keep`, `undo`,
`lay`, `lay_back`), in files that are replaced whole; then sensing begins anew with it. A step that nobody who may act
has looked at for a while is left, with nothing kept.

What is kept, undone or laid is first made into sensing that begins anew with it, and written only where that can be: an
order is done whole, or refused with everything as it was. What pages see of all this: telling.py.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.process.common.begun import begun, whole
from companion.process.common.guided import CalibrationError
from companion.process.common.quality import figures
from companion.process.common.stored import Change, Entry, Store, StoredError
from companion.process.table.laying import PICTURES, LayingError, lay_back_so, lay_so, text_before, text_laid
from companion.process.table.telling import History, lying, pictures_of, seen, stage_of
from companion.sensing.baseline.reading import RawSample
from companion.sensing.guided.sight import Sight, sight
from companion.sensing.guided.step import RefusedError, Step
from companion.sensing.learning.learned import Learned
from companion.sensing.learning.still import CalibrationRefusedError
from companion.sensing.pipeline import Sensing
from companion.table import SetUp, TableReport
from drivers.recording import RecordingError

EVERY_US: Final = 250_000  # real time
FOR_US: Final = 3_000_000  # real time after somebody last looked
LEFT_US: Final = 120_000_000
"""Real time without anybody looking who may act, after which a step is left."""
_UNFIT: Final = (ValueError, CalibrationError, RecordingError)  # why sensing cannot be made
_LOG = logging.getLogger(__name__)


class Guiding:
    """One table. `sensing` is the one in force; `table` the object of its table.json."""

    def __init__(
        self,
        table: Mapping[str, Any],
        make: Callable[[Mapping[str, Any], Learned | None], Sensing],
        found: Learned | None,
        *,
        sensing: Sensing,
        store: Store | None = None,
        file: Path | None = None,
        label: Callable[[], str] = str,
        speed: float = 1.0,
        relaid: Callable[[Mapping[str, Any]], None] = lambda table: None,
    ) -> None:
        """make: sensing for a table.json and what was learned; raises ValueError, CalibrationError or RecordingError
        where it cannot be made of them. store: where what was learned is kept, None for nowhere; file: the live table's
        table.json, None for a recording's. label: wall time; speed: of the process' clock against real time. relaid:
        told of another table.json.
        """
        self.table, self.sensing, self._found = table, sensing, found
        self._make, self._store, self._file, self._label = make, store, file, label
        self._speed, self._relaid = speed, relaid
        self._step: Step | None = None
        self._sight: Sight | None = None
        self._result: dict[str, Any] | None = None
        self._refused: dict[str, Any] | None = None
        self._until_us = self._looked_us = -LEFT_US
        self._sent_us = -EVERY_US
        self._changed = False
        self._taken = 0
        self._history = History(store)
        self._pictures = pictures_of(table)

    # -- in the place of sensing -------------------------------------------------------------------------------

    def feed(self, sample: RawSample) -> Sequence[TableReport]:
        reports = self.sensing.feed(sample)
        if self._step is not None:
            self._sight = sight(self.sensing)
            if self._sight is not None and self._result is None:
                before = self._step.stage, self._step.trouble
                self._step.see(self._sight)
                self._changed |= before != (self._step.stage, self._step.trouble)
        return reports

    def finish(self) -> Sequence[TableReport]:
        return self.sensing.finish()

    # -- a person ----------------------------------------------------------------------------------------------

    def take(self, order: Mapping[str, Any], now_us: int) -> None:
        """One order, untrusted; what it cannot do stands in `refused`. now_us: on the process' clock.

        nth: its number, told back as `taken` when it is done. A look of one who may act has "acts"; others see what
        there is, but do not keep a step open. of: the command that it came by, told beside its refusal, which concerns
        the phone that sent it alone.
        """
        self._until_us = now_us + round(FOR_US * self._speed)
        if order.get("do") == "look":
            self._looked_us = now_us if order.get("acts") is True else self._looked_us
            return
        self._looked_us, self._refused, self._changed = now_us, None, True
        self._taken = whole(order.get("nth")) or self._taken
        try:
            self._do(order)
        except RefusedError as error:
            self._refused = {"code": error.code, **error.values}
        except CalibrationRefusedError as error:
            self._refused = {"code": error.code or "not_learned", **error.values}
        except (LayingError, StoredError) as error:
            _LOG.warning("%s", error)
            self._refused = {"code": error.code}
            self._history.forget()
        if self._refused is not None and isinstance(order.get("of"), str):
            self._refused["of"] = order["of"]

    def due(self, now_us: int, t_us: int) -> SetUp | None:
        """The report that is to be sent now, None where none is."""
        if self._step is not None and now_us - self._looked_us > LEFT_US * self._speed:
            self._leave()
        looked = now_us < self._until_us and now_us - self._sent_us >= EVERY_US * self._speed
        if not looked and not self._changed:
            return None
        self._sent_us, self._changed = now_us, False
        tiles = tuple(float(tile[key]) for tile in self.table["tiles"] for key in ("x", "y", "rot"))
        told = json.dumps(self._told(t_us), separators=(",", ":"), allow_nan=False)
        return SetUp(t_us, "" if self._step is None else self._step.name, tiles, told)

    def _do(self, order: Mapping[str, Any]) -> None:
        match order.get("do"):
            case "begin":
                self._leave()
                self._step = begun(order, self.table, self.sensing.layout, self._found)
            case "leave":
                self._leave()
            case "tell" if self._step is not None and self._result is None:
                self._step.tell(order)
            case "finish" if self._step is not None:
                self._result = self._step.found()
            case "keep" if self._step is not None and self._result is not None:
                self._keep(self._step.name, self._as_found(self._result))
            case "again" if self._step is not None:
                self._result = None
            case "empty":
                self._at_rest()
                if not self.sensing.say_empty():
                    raise RefusedError("not_empty")
            case "undo":
                self._at_rest()
                self._undo(order.get("when"))
            case "lay" | "lay_back" as does:
                self._at_rest()
                self._lay(does, order)
            case _:
                raise RefusedError("not_now")

    def _keep(self, name: str, found: Learned) -> None:
        entry = Entry(self._label(), f"page: {name}", found)
        self._store_so(lambda change: change.add(entry))
        self._leave()

    def _undo(self, when: object) -> None:
        """when: of the entry that the person sees as the newest."""
        table_id = self.sensing.layout.table_id
        if not isinstance(when, str):
            raise RefusedError("not_now")
        self._store_so(lambda change: change.undo(table_id, when))

    def _store_so(self, do: Callable[[Change], object]) -> None:
        """What is stored is changed, and sensing begins anew with what is in force then."""
        if self._store is None:
            raise RefusedError("not_kept")
        with self._store.change() as change:
            do(change)
            found = change.in_force(self.sensing.layout.table_id)
            try:
                sensing = self._anew(self.table, found)
            except _UNFIT as error:
                _LOG.warning("what was stored before cannot be used: %s", error)
                raise RefusedError("other_sensors") from error
            change.write()
        self._found, self.sensing = found, sensing
        self._history.forget()

    def _lay(self, does: str, order: Mapping[str, Any]) -> None:
        if self._file is None:
            raise RefusedError("cannot_lay")
        picture = order.get("picture")
        if does == "lay_back":
            text = text_before(self._file)
        elif isinstance(picture, str) and picture in PICTURES:
            text = text_laid(self._file, picture, order.get("weighed") is not False)
        else:
            raise RefusedError("no_such_picture")
        table, layout = json.loads(text), self.sensing.layout
        try:
            sensing = self._anew(table, self._found)
        except _UNFIT as error:
            _LOG.warning("the tiles cannot lie so: %s", error)
            raise RefusedError("other_table") from error
        if (sensing.layout.table_id, sensing.layout.names) != (layout.table_id, layout.names):
            raise RefusedError("other_table")
        if does == "lay_back":
            lay_back_so(self._file, text)
        else:
            lay_so(self._file, text, self._label())
        self.table, self.sensing = table, sensing
        self._relaid(table)

    def _anew(self, table: Mapping[str, Any], found: Learned | None) -> Sensing:
        """Sensing in the place of the present one; raises what `make` raises."""
        sensing = self._make(table, found)
        sensing.go_on_from(self.sensing)
        return sensing

    def _at_rest(self) -> None:
        if self._step is not None:
            raise RefusedError("step_first")

    def _leave(self) -> None:
        self._changed |= self._step is not None
        self._step = self._sight = self._result = None

    def _as_found(self, result: Mapping[str, Any]) -> Learned:
        layout = self.sensing.layout
        return replace(Learned(layout.table_id, layout.names), **result)

    def _told(self, t_us: int) -> dict[str, Any]:
        layout = self.sensing.layout
        history = self._history.of(layout.table_id)
        return {
            "sees": seen(self.sensing, t_us),
            **stage_of(self._step),
            "result": None if self._result is None else figures(self._as_found(self._result)),
            "refused": self._refused or ({"code": "stored_damaged"} if self._history.damaged else None),
            "layout": {**lying(self.table, layout, self._file), "pictures": self._pictures},
            "held": {} if self._found is None else figures(self._found),
            "can_keep": self._store is not None,
            "history": history,
            "taken": self._taken,
        }
