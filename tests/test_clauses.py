"""Every clause of docs/rules is decided somewhere in the code and asserted by some test, under its id."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BOOKS = {"yikerz": "Y", "cirkis": "C", "tiki": "T"}
MARK = re.compile(r"mark\.rule\(([^)]*)\)")
LINE = re.compile(r"^rules (.*)$", re.MULTILINE)  # of a scenario (tests/scenario.py)


def clauses(book: str) -> set[str]:
    text = (ROOT / "docs" / "rules" / f"{book}.md").read_text("utf-8")
    return set(re.findall(rf"^\| ({BOOKS[book]}\d\d) \|", text, re.MULTILINE))


def texts(folder: str, *kinds: str) -> list[str]:
    return [path.read_text("utf-8") for kind in kinds for path in sorted((ROOT / folder).rglob(f"*.{kind}"))]


def named(book: str, text: str) -> set[str]:
    """Ids in a text; Y10-Y12 stands for all three."""
    letter = BOOKS[book]
    found = set(re.findall(rf"\b{letter}\d\d\b", text))
    for first, last in re.findall(rf"\b{letter}(\d\d)-{letter}(\d\d)\b", text):
        found |= {f"{letter}{number:02}" for number in range(int(first), int(last) + 1)}
    return found


@pytest.mark.parametrize("book", BOOKS)
def test_every_clause_is_decided_in_the_code(book: str) -> None:
    code = "\n".join(texts(f"companion/games/{book}", "py"))
    assert clauses(book)
    assert clauses(book) - named(book, code) == set()


@pytest.mark.parametrize("book", BOOKS)
def test_every_clause_is_asserted_by_a_test(book: str) -> None:
    marked = [ids for text in texts("tests", "py") for ids in MARK.findall(text)]
    lines = [ids for text in texts("tests", "txt") for ids in LINE.findall(text)]
    assert clauses(book) - named(book, " ".join((*marked, *lines))) == set()
