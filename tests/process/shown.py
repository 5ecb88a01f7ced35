"""What a service shows of its game, waited for."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from companion.process.referee.service import Service


def until(service: Service, wanted: Callable[[Mapping[str, Any]], bool]) -> Mapping[str, Any]:
    """The first view of the game that is as wanted."""
    seq = 0
    while True:
        frame = service.referee.wait("g1", seq, 1.0)
        if frame is not None:
            view: Mapping[str, Any] = json.loads(frame.data)
            if wanted(view):
                return view
            seq = frame.seq
