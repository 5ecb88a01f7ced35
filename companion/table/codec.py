"""Table types to and from JSON objects: one form for the socket between the processes, the journal and files."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from companion.table.event import EventKind, Evidence, TableEvent
from companion.table.report import Complete, Health, Picture, TableReport
from companion.table.stone import Stone

_TYPES: dict[str, type[Any]] = {
    "event": TableEvent,
    "complete": Complete,
    "picture": Picture,
    "health": Health,
}
_NAMES = {cls: name for name, cls in _TYPES.items()}


def to_json(report: TableReport) -> dict[str, Any]:
    """A JSON object with "type" and every field that is not at its default."""
    return {"type": _NAMES[type(report)], **_plain(report)}


def from_json(obj: Mapping[str, Any]) -> TableReport:
    """The report of a JSON object made by `to_json`.

    Raises ValueError, naming the field, where the object is not one.
    """
    cls = _TYPES.get(str(obj.get("type")))
    if cls is None:
        raise ValueError(f"not a table report: type {obj.get('type')!r}")
    known = {f.name for f in fields(cls)}
    values = {k: v for k, v in obj.items() if k != "type"}
    unknown = values.keys() - known
    if unknown:
        raise ValueError(f"unknown field {sorted(unknown)[0]!r} in a {obj['type']}")
    try:
        for key in ("stones", "rest"):
            if key in values and not (cls is TableEvent and key == "stones"):
                values[key] = tuple(Stone(**s) for s in values[key])
        for key in ("stones", "new_stones", "faults"):
            if key in values:
                values[key] = tuple(values[key])
        if cls is TableEvent:
            values["kind"] = EventKind(values["kind"])
            if values.get("evidence") is not None:
                values["evidence"] = Evidence(**values["evidence"])
        report: TableReport = cls(**values)
    except (TypeError, KeyError) as error:
        raise ValueError(f"malformed {obj['type']}: {error}") from error
    return report


def _plain(value: Any) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for field in fields(value):
        item = getattr(value, field.name)
        if item == field.default:
            continue
        if isinstance(item, tuple):
            out[field.name] = [_plain(i) if isinstance(i, Stone) else i for i in item]
        elif isinstance(item, Evidence):
            out[field.name] = _plain(item)
        else:
            out[field.name] = str(item) if isinstance(item, EventKind) else item
    return out
