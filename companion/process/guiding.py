"""The table process' side of setting up: a person's orders come in, a guided step sees the table, its state goes out.

Around sensing: every sample goes through it. What is kept is stored by an order of a person alone (`keep`, `undo`,
`lay`, `lay_back`), in files that are replaced whole; then sensing begins anew with it. A step that nobody has looked at
for a while is left, with nothing kept.

What a page shows (`told` of a SetUp report): sees (ready, empty, quiet, stones, grams, zeroed_s, faults), step, stage,
trouble, progress, result (figures of what was learned and is not kept yet), refused (why the newest order was not
taken), layout (picture, pictures, tiles, corners, side, weighed, can_lay, back, seams), held (figures of what is in
force), history (newest first: when, note, figures).
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from companion.process.laying import LAST, PICTURES, LayingError, corners_of, laid, lay, lay_back, picture_of
from companion.process.quality import figures
from companion.process.stored import Entry, Store, StoredError
from companion.sensing.guided.gains import GainsStep
from companion.sensing.guided.grams import GramsStep
from companion.sensing.guided.step import RefusedError, Step
from companion.sensing.guided.stones import StonesStep
from companion.sensing.guided.tiles import TilesStep, seams
from companion.sensing.layout import TableLayout
from companion.sensing.learned import Learned
from companion.sensing.pipeline import Sensing
from companion.sensing.reading import RawSample
from companion.sensing.sight import Sight, sight
from companion.sensing.still import CalibrationRefusedError
from companion.table import SetUp, TableReport

EVERY_US: Final = 250_000  # real time
FOR_US: Final = 3_000_000  # real time after somebody last looked
LEFT_US: Final = 120_000_000
"""Real time without anybody looking after which a step is left."""
_SHOWN: Final = 12  # entries of the history
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
        """make: sensing for a table.json and what was learned. store: where that is kept, None for nowhere; file: the
        live table's table.json, None for a recording's. label: wall time; speed: of the process' clock against real
        time. relaid: told of another table.json.
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
        self._history: list[dict[str, Any]] | None = None
        self._damaged = False
        self._pictures = _pictures(table)

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
        """One order, untrusted; what it cannot do stands in `refused`. now_us: on the process' clock."""
        self._looked_us = now_us
        self._until_us = now_us + round(FOR_US * self._speed)
        does = str(order.get("do", ""))
        if does == "look":
            return
        self._refused, self._changed = None, True
        try:
            self._do(does, order)
        except RefusedError as error:
            self._refused = {"code": error.code, **error.values}
        except CalibrationRefusedError as error:
            self._refused = {"code": error.code or "not_learned", **error.values}
        except LayingError as error:
            _LOG.warning("%s", error)
            self._refused = {"code": error.code}
        except StoredError as error:
            _LOG.warning("%s", error)
            self._refused = {"code": "not_kept"}

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

    def _do(self, does: str, order: Mapping[str, Any]) -> None:
        match does:
            case "begin":
                self._leave()
                self._step = self._begin(str(order.get("step", "")), order)
            case "leave":
                self._leave()
            case "tell" if self._step is not None and self._result is None:
                self._step.tell(order)
            case "finish" if self._step is not None:
                self._result = self._step.found()
            case "keep" if self._step is not None and self._result is not None:
                self._keep(self._step.name, self._result)
            case "again" if self._step is not None:
                self._result = None
            case "undo":
                self._at_rest()
                if not self._entries():
                    raise RefusedError("nothing_kept")
                self._stored().undo(self.sensing.layout.table_id)
                self._renew()
            case "lay" | "lay_back":
                self._at_rest()
                self._lay(does, order)
            case _:
                raise RefusedError("not_now")

    def _begin(self, name: str, order: Mapping[str, Any]) -> Step:
        layout, found = self.sensing.layout, self._found
        known = None if found is None else found.stones
        if name == "grams":
            return GramsStep(layout)
        if name == "gains":
            return GainsStep(layout)
        if name == "stones":
            called, count = order.get("set"), order.get("count")
            if not isinstance(called, str) or isinstance(count, bool) or not isinstance(count, int):
                raise RefusedError("not_now")
            same = known is not None and known.name == " ".join(called.split())
            return StonesStep(layout, called, count, known if same else None)
        if name == "tiles":
            return TilesStep(self._as_drawn(), known)
        raise RefusedError("not_now")

    def _as_drawn(self) -> TableLayout:
        """The layout with gains, but with the tiles as in table.json."""
        layout = TableLayout.from_json(self.table)
        return layout if self._found is None else self._found.applied(layout)

    def _keep(self, name: str, result: Mapping[str, Any]) -> None:
        layout = self.sensing.layout
        found = replace(Learned(layout.table_id, layout.names), **result)
        self._stored().add(Entry(self._label(), f"page: {name}", found))
        self._leave()
        self._renew()

    def _lay(self, does: str, order: Mapping[str, Any]) -> None:
        if self._file is None:
            raise RefusedError("cannot_lay")
        if does == "lay_back":
            lay_back(self._file)
        else:
            picture = order.get("picture")
            if picture not in PICTURES:
                raise RefusedError("no_such_picture")
            lay(self._file, str(picture), order.get("weighed") is not False)
        self.table = json.loads(self._file.read_bytes())
        self._relaid(self.table)
        self._renew()

    def _at_rest(self) -> None:
        if self._step is not None:
            raise RefusedError("step_first")

    def _stored(self) -> Store:
        if self._store is None:
            raise RefusedError("not_kept")
        return self._store

    def _leave(self) -> None:
        self._changed |= self._step is not None
        self._step = self._sight = self._result = None

    def _renew(self) -> None:
        """Sensing begins anew with what is in force now."""
        before = self.sensing
        self._found = None if self._store is None else self._store.in_force(before.layout.table_id)
        self._history = None
        self.sensing = self._make(self.table, self._found)
        self.sensing.go_on_from(before)

    # -- what pages see ----------------------------------------------------------------------------------------

    def _told(self, t_us: int) -> dict[str, Any]:
        step, layout = self._step, self.sensing.layout
        history = self._entries()
        return {
            "sees": self._sees(t_us),
            "step": "" if step is None else step.name,
            "stage": "" if step is None else step.stage.value,
            "trouble": None if step is None else step.trouble,
            "progress": None if step is None else step.shown(),
            "result": None if self._result is None else figures(self._as_found(self._result)),
            "refused": self._refused or ({"code": "stored_damaged"} if self._damaged else None),
            "layout": {
                "picture": picture_of(self.table),
                "pictures": self._pictures,
                "corners": corners_of(self.table),
                "names": [str(tile.get("id", k)) for k, tile in enumerate(self.table["tiles"])],
                "weighed": bool(layout.load_gain),
                "scale": bool(self.table.get("load_cell") or self.table.get("load_cell_unused")),
                "can_lay": self._file is not None,
                "back": self._file is not None and self._file.with_name(LAST).is_file(),
                "seams": len(seams(layout)),
            },
            "held": {} if self._found is None else figures(self._found),
            "can_keep": self._store is not None,
            "history": history,
        }

    def _as_found(self, result: Mapping[str, Any]) -> Learned:
        layout = self.sensing.layout
        return replace(Learned(layout.table_id, layout.names), **result)

    def _sees(self, t_us: int) -> dict[str, Any]:
        sensing = self.sensing
        now = sight(sensing)
        zeroed = sensing.zeroed_us
        return {
            "ready": now is not None,
            "empty": now is not None and now.empty,
            "quiet": now is not None and now.quiet,
            "stones": 0 if now is None else now.stones,
            "grams": sensing.grams(t_us),
            "zeroed_s": None if zeroed is None else max(0, (t_us - zeroed) // 1_000_000),
            "faults": list(sensing.faults),
        }

    def _entries(self) -> list[dict[str, Any]]:
        """The stored entries of this table, read once after each change."""
        if self._history is None:
            self._damaged = False
            try:
                entries = [] if self._store is None else self._store.entries()
            except StoredError as error:
                _LOG.warning("%s", error)
                entries, self._damaged = [], True
            own = [e for e in entries if e.found.table_id == self.sensing.layout.table_id]
            self._history = [
                {"when": e.when, "note": e.note, "figures": figures(e.found)} for e in own[: -_SHOWN - 1 : -1]
            ]
        return self._history


def _pictures(table: Mapping[str, Any]) -> dict[str, list[float]]:
    """Corners of the tiles by picture, of those that the table has tiles for."""
    out = {}
    for name in PICTURES:
        with suppress(LayingError):
            out[name] = corners_of(laid(table, name))
    return out
