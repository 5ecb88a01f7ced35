"""The list of codes is whole: what the sources say is in it, and nothing else."""

import re
from pathlib import Path

from companion.process.common import faults
from companion.process.referee import codes

PROCESS = Path(codes.__file__).parent
SOURCES = "".join(
    (PROCESS / f"{name}.py").read_text("utf-8")
    for name in ("owner", "at_table", "listed", "publishing", "play", "resume", "referee", "supervise")
)


def said(*patterns: str) -> set[str]:
    return {code for pattern in patterns for code in re.findall(pattern, SOURCES)}


def test_every_refusal_that_is_made_is_listed() -> None:
    made = said(
        r'_refuse\(ticket, "(\w+)"',
        r'_refused\("(\w+)"',
        r'_refused\("\w+" if .* else "(\w+)"',
        r'Answer\("refused", "(\w+)"',
        r'stop\("(\w+)"',
    )
    made |= said(r'stop\("\w+" if .* else "(\w+)"\)')
    assert made == set(codes.REFUSALS)


def test_every_notice_that_is_given_is_listed() -> None:
    given = said(r'"notice": "(\w+)"', r'stop\("(\w+)"', r'stop\("\w+" if .* else "(\w+)"\)')
    assert given | {""} == set(codes.NOTICES)


def test_every_command_of_the_table_is_listed() -> None:
    assert said(r'ticket\.name == "(\w+)"', r'case "(\w+)"') == set(codes.COMMANDS)


def test_every_fault_of_the_link_is_listed() -> None:
    assert said(r'"(\w+)" if code == UNUSABLE', r'if code == UNUSABLE else "(\w+)"') == set(codes.LINK_FAULTS)


def test_every_fault_of_a_health_is_listed() -> None:
    told = faults.PASSING | faults.ABOUT_THE_BOARD | {f"load_{state}" for state in faults.LOAD_TROUBLE}
    told |= {f"board_{reset}" for reset in faults.BAD_RESETS}
    assert told - codes.FAULTS.keys() == set()
