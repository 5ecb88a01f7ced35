"""Frozen dataclasses to and from JSON values, by their type hints: one form for state and settings.

Knows what the games use: int, float, str, bool, None, StrEnum, tuple[X, ...], unions with None,
Mapping[str, Any] (JSON values as they are) and frozen dataclasses of these. A field at its default is left
out.
"""

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_plain(value: Any) -> Any:
    """JSON values of a record, a tuple of records, or a plain value."""
    if is_dataclass(value) and not isinstance(value, type):
        out: dict[str, Any] = {}
        for f in fields(value):
            item = getattr(value, f.name)
            if f.default is not MISSING and item == f.default:
                continue
            if f.default_factory is not MISSING and item == f.default_factory():
                continue
            out[f.name] = to_plain(item)
        return out
    if isinstance(value, StrEnum):
        return str(value)
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    return value


def from_plain(cls: type[T], obj: Mapping[str, Any]) -> T:
    """The record of JSON values made by `to_plain`. Raises ValueError, naming the field, if they are none."""
    if not isinstance(obj, Mapping):
        raise ValueError(f"a {cls.__name__} is an object, not {obj!r}")
    record: Any = cls
    hints: dict[str, Any] = _hints(record)
    unknown = obj.keys() - hints.keys()
    if unknown:
        raise ValueError(f"unknown field {sorted(unknown)[0]!r} in a {cls.__name__}")
    try:
        return cls(**{name: _value(hints[name], item, name) for name, item in obj.items()})
    except TypeError as error:
        raise ValueError(f"malformed {cls.__name__}: {error}") from error


@cache
def _hints(cls: Any) -> dict[str, Any]:
    return get_type_hints(cls)


def _value(hint: Any, item: Any, name: str) -> Any:
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        if item is None:
            return None
        inner = [arg for arg in get_args(hint) if arg is not type(None)]
        return _value(inner[0], item, name) if len(inner) == 1 else item
    if origin is tuple:
        if not isinstance(item, list | tuple):
            raise ValueError(f"{name} is a list, not {item!r}")
        args = get_args(hint)
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_value(args[0], part, name) for part in item)
        return tuple(_value(arg, part, name) for arg, part in zip(args, item, strict=True))
    if isinstance(hint, type) and is_dataclass(hint):
        return from_plain(hint, item)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint(item)
    if hint in (int, str, bool) and (type(item) is not hint):
        raise ValueError(f"{name} is {hint.__name__}, not {item!r}")
    return item
