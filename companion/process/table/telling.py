"""What pages see of the setting up: the parts of `told` of a SetUp report, as JSON values.

sees (ready, empty, quiet, stones, grams, zeroed_s, faults), step, stage, trouble, progress, result (figures of what was
learned and is not kept yet), refused (why the newest order was not taken), layout (picture, pictures, corners, names,
weighed, scale, can_lay, before: until when it lay how, newest first, "" where that is not known; seams), held (figures
of what is in force),
can_keep, history (newest first: when, note, figures), taken (number of the newest order that was done or refused).
"""

import logging
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from companion.process.common.earlier import earlier_layings
from companion.process.common.quality import figures
from companion.process.common.stored import Store, StoredError
from companion.process.table.laying import PICTURES, LayingError, corners_of, laid, picture_before, picture_of
from companion.sensing.guided.sight import sight
from companion.sensing.guided.step import Step
from companion.sensing.guided.tiles import seams
from companion.sensing.pipeline import Sensing
from companion.sensing.sensors.layout import TableLayout

_SHOWN: Final = 12  # entries of the history
_LOG = logging.getLogger(__name__)


class History:
    """The stored entries of a table, read once until `forget`. damaged: whether they could not be read."""

    def __init__(self, store: Store | None) -> None:
        """store: None where nothing is kept."""
        self._store = store
        self._known: list[dict[str, Any]] | None = None
        self.damaged = False

    def of(self, table_id: str) -> list[dict[str, Any]]:
        """Newest first."""
        if self._known is None:
            self.damaged = False
            try:
                entries = [] if self._store is None else self._store.entries()
            except StoredError as error:
                _LOG.warning("%s", error)
                entries, self.damaged = [], True
            own = [e for e in entries if e.found.table_id == table_id]
            self._known = [
                {"when": e.when, "note": e.note, "figures": figures(e.found)} for e in own[: -_SHOWN - 1 : -1]
            ]
        return self._known

    def forget(self) -> None:
        """It may be another one now."""
        self._known = None


def seen(sensing: Sensing, t_us: int) -> dict[str, Any]:
    """What the sensors see at a board time."""
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


def stage_of(step: Step | None) -> dict[str, Any]:
    """How far a guided step is; None for none."""
    return {
        "step": "" if step is None else step.name,
        "stage": "" if step is None else step.stage.value,
        "trouble": None if step is None else step.trouble,
        "progress": None if step is None else step.shown(),
    }


def lying(table: Mapping[str, Any], layout: TableLayout, file: Path | None) -> dict[str, Any]:
    """How the tiles of a table.json lie. layout: the same with what was learned; file: where it can be laid anew."""
    earlier = [] if file is None else earlier_layings(file)[: -_SHOWN - 1 : -1]
    before = [[each.until, picture_before(table, each)] for each in earlier]
    return {
        "picture": picture_of(table),
        "corners": corners_of(table),
        "names": [str(tile.get("id", k)) for k, tile in enumerate(table["tiles"])],
        "weighed": bool(layout.load_gain),
        "scale": bool(table.get("load_cell") or table.get("load_cell_unused")),
        "can_lay": file is not None,
        "before": before,
        "seams": len(seams(layout)),
    }


def pictures_of(table: Mapping[str, Any]) -> dict[str, list[float]]:
    """Corners of the tiles by picture, of those that the table has tiles for."""
    out = {}
    for name in PICTURES:
        with suppress(LayingError):
            out[name] = corners_of(laid(table, name))
    return out
