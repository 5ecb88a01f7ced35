"""Table types to and from JSON objects: one form for the socket between the processes, the journal and files."""

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from companion.table.event import EventKind, Evidence, TableEvent
from companion.table.report import Complete, Glimpse, Health, Numbered, Picture, SetUp, TableReport
from companion.table.stone import Stone

T = TypeVar("T")

_TYPES: dict[str, type[Any]] = {
    "event": TableEvent,
    "complete": Complete,
    "picture": Picture,
    "health": Health,
    "glimpse": Glimpse,
    "numbered": Numbered,
    "set_up": SetUp,
}
_TUPLES = ("stones", "new_stones", "faults", "places", "corners", "field", "residual", "marks", "held_by", "tiles")
_LARGEST = 2**62  # so that sums of times and offsets stay whole numbers that the journal can hold
_NAMES = {cls: name for name, cls in _TYPES.items()}


def to_json(report: TableReport) -> dict[str, Any]:
    """A JSON object with "type" and every field that is not at its default."""
    return {"type": _NAMES[type(report)], **_plain(report)}


def from_json(obj: Mapping[str, Any]) -> TableReport:
    """The report of a JSON object made by `to_json`.

    Raises ValueError, naming the field, where the object is not one: whole numbers for times, counts and tracks,
    finite ones for lengths.
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
                values[key] = tuple(_checked(Stone(**s)) for s in values[key])
        for key in _TUPLES:
            if key in values:
                values[key] = tuple(values[key])
        if cls is TableEvent:
            values["kind"] = EventKind(values["kind"])
            if values.get("evidence") is not None:
                values["evidence"] = _checked(Evidence(**values["evidence"]))
        report: TableReport = _checked(cls(**values))
    except (TypeError, KeyError) as error:
        raise ValueError(f"malformed {obj['type']}: {error}") from error
    return report


def _checked(record: T) -> T:
    """The record, if every field holds what its type says. Raises ValueError, naming the field."""
    cls: Any = type(record)
    for name, hint in _hints(cls).items():
        value = getattr(record, name)
        if not _fits(value, hint):
            raise ValueError(f"{name} of a {type(record).__name__} cannot be {value!r}")
    return record


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def _fits(value: Any, hint: Any) -> bool:
    options = get_args(hint)
    if get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(_fits(item, options[0]) for item in value)
    if options:
        return any(_fits(value, option) for option in options)
    if hint is float:
        return type(value) in (int, float) and abs(value) <= _LARGEST
    if hint is int:
        return type(value) is int and abs(value) <= _LARGEST
    return isinstance(value, hint)


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
